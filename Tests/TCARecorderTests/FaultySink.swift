import ActionLog
import Foundation
import Synchronization
import TCARecorder

/// System calls that fail on request and are recorded.
final class FaultyCalls: Sendable {
  private let contents = Mutex(Contents())

  private struct Contents: Sendable {
    var failing: [String: Int32] = [:]
    var made: [String] = []
    var written = 0
    var limit = Int.max
  }

  /// Makes a kind of call fail, or succeed again.
  func fail(_ call: String, _ code: Int32?) {
    contents.withLock { $0.failing[call] = code }
  }

  /// Limits the available space in bytes.
  func limit(to bytes: Int) { contents.withLock { $0.limit = bytes } }

  var made: [String] { contents.withLock { $0.made } }

  private func make(_ call: String) -> Bool {
    contents.withLock { contents in
      contents.made.append(call)
      guard let code = contents.failing[call] else { return true }
      errno = code
      return false
    }
  }

  var calls: SystemCalls {
    let system = SystemCalls()
    var calls = SystemCalls()
    calls.create = { self.make("create") ? system.create($0) : -1 }
    calls.write = { file, bytes in
      guard self.make("write") else { return -1 }
      let room = self.contents.withLock { max(0, $0.limit - $0.written) }
      guard room > 0 || bytes.isEmpty else {
        errno = ENOSPC
        return -1
      }
      let count = system.write(file, UnsafeRawBufferPointer(rebasing: bytes.prefix(room)))
      self.contents.withLock { $0.written += max(0, count) }
      return count
    }
    calls.truncate = { self.make("truncate") ? system.truncate($0, $1) : -1 }
    calls.sync = { self.make("sync") ? system.sync($0) : -1 }
    calls.syncFolder = { self.make("syncFolder") ? system.syncFolder($0) : -1 }
    return calls
  }
}

/// Returns the kinds of the events of a log, such as `header checkpoint action change end`.
func kinds(_ text: String) throws -> String {
  var reader = LogReader(bytes: Array(text.utf8))
  var kinds: [String] = []
  while let entry = try reader.next() { kinds.append(entry.event.kind) }
  return kinds.joined(separator: " ")
}
