import ActionLog
import Foundation
import Synchronization

/// System calls that fail on request.
final class FailingCalls: Sendable {
  private let contents = Mutex(Contents())

  private struct Contents: Sendable {
    var failing: [String: Int32] = [:]
    var room = Int.max
  }

  /// Makes a kind of call fail, or succeed again.
  func fail(_ call: String, _ code: Int32?) {
    contents.withLock { $0.failing[call] = code }
  }

  /// Limits the available space in bytes from now on.
  func limit(to bytes: Int) { contents.withLock { $0.room = bytes } }

  private func isFailing(_ call: String) -> Bool {
    guard let code = contents.withLock({ $0.failing[call] }) else { return false }
    errno = code
    return true
  }

  private func write(_ file: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    guard !isFailing("write") else { return -1 }
    let room = contents.withLock { contents in
      let room = min(contents.room, bytes.count)
      contents.room -= room
      return room
    }
    guard room > 0 || bytes.isEmpty else {
      errno = ENOSPC
      return -1
    }
    return SystemCalls().write(file, UnsafeRawBufferPointer(rebasing: bytes.prefix(room)))
  }

  var calls: SystemCalls {
    let system = SystemCalls()
    var calls = SystemCalls()
    calls.create = { self.isFailing("create") ? -1 : system.create($0) }
    calls.write = { self.write($0, $1) }
    calls.sync = { self.isFailing("sync") ? -1 : system.sync($0) }
    return calls
  }
}
