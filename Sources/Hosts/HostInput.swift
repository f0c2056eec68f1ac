import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine
import Synchronization

/// A writer that sends a log to a host, line by line.
///
/// After the log, the writer sends a separator, which the host returns after it has replayed the log.
final class HostInput: Sendable {
  private let log: LogSlice
  private let file: Descriptor
  private let pipe: Descriptor
  private let separator: [UInt8]
  private let isCancelled = Mutex(false)

  init(_ log: LogSlice, file: Descriptor, pipe: Descriptor, separator: [UInt8]) {
    self.log = log
    self.file = file
    self.pipe = pipe
    self.separator = separator
  }

  /// Prevents the lines that have not been written yet from being sent.
  func cancel() { isCancelled.withLock { $0 = true } }

  /// Sends the log and the separator, and returns early if the host has ended.
  func run() {
    lseek(file.number, off_t(log.start), SEEK_SET)
    var left = log.end.map { $0 - log.start } ?? .max
    var chunk = [UInt8](repeating: 0, count: Self.chunk)
    var pending: [UInt8] = []
    while left > 0, !isCancelled.withLock({ $0 }) {
      let wanted = min(left, chunk.count)
      let count = chunk.withUnsafeMutableBytes { read(file.number, $0.baseAddress, wanted) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      left -= count
      // Only complete lines are written. If the writer is canceled, the separator then starts on a new line.
      guard let lineFeed = chunk[..<count].lastIndex(of: 0x0A) else {
        pending += chunk[..<count]
        continue
      }
      pending += chunk[...lineFeed]
      guard pending.write(to: pipe.number) == 0 else { return }
      pending = Array(chunk[(lineFeed + 1)..<count])
    }
    if !isCancelled.withLock({ $0 }) { pending = Self.whole(pending) } else { pending = [] }
    _ = (pending + separator + [0x0A]).write(to: pipe.number)
  }

  /// The number of bytes per read: 64 KiB, the default capacity of a pipe on Linux.
  private static let chunk = 64 * 1024

  /// Returns the last line of a log with a line feed, or no bytes if the line is incomplete, because readers ignore it.
  private static func whole(_ bytes: [UInt8]) -> [UInt8] {
    guard (try? JSON(parsing: bytes)) != nil else { return [] }
    return bytes + [0x0A]
  }
}
