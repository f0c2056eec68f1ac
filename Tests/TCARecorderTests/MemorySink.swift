import ActionLog
import ReplayCommands
import Synchronization
import TCARecorder

/// A log in memory.
///
/// `append` can be made to fail.
final class MemorySink: LogSink {
  private let bytes = Mutex<[UInt8]>([])
  private let isFull = Mutex(false)

  struct Full: Error, CustomStringConvertible {
    let description = "the memory is full"
  }

  func append(_ lines: [UInt8]) throws {
    if isFull.withLock({ $0 }) { throw Full() }
    bytes.withLock { $0 += lines }
  }

  func fill() { isFull.withLock { $0 = true } }

  var text: String { String(decoding: bytes.withLock { $0 }, as: UTF8.self) }

  func events() throws -> [LogEvent] {
    var reader = LogReader(bytes: bytes.withLock { $0 })
    var events: [LogEvent] = []
    while let entry = try reader.next() { events.append(entry.event) }
    return events
  }

  /// The log's lines without parts that differ between runs.
  var lines: [String] {
    text.split(separator: "\n").dropFirst().map { line in
      String(line).replacing(/"at":\d+/, with: "\"at\":0")
        .replacing(/,"us":\d+/, with: "")
        .replacing(/,"source":"[^"]*"/, with: "")
    }
  }

  var destination: LogDestination { LogDestination { self } }
}
