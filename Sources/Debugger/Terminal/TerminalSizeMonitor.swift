import Foundation
import Synchronization

/// Reports changes to the size of the terminal while waiting for input.
enum TerminalSizeMonitor {
  /// The event that ended the wait.
  enum TerminalEvent {
    case byte(UInt8)
    /// The terminal was resized.
    case resized
    case ended
  }

  /// The write end of a pipe, for the signal handler, or -1 before the pipe exists.
  private static let writeEnd = Atomic<Int32>(-1)
  /// The read end of the pipe, or -1 before the pipe exists.
  private static let readEnd = Atomic<Int32>(-1)

  /// Installs a signal handler for resizes.
  static func watch() {
    guard readEnd.load(ordering: .relaxed) < 0 else { return }
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      // If the pipe is full, the reader already has enough notifications.
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    readEnd.store(ends[0], ordering: .relaxed)
    // Initializes the static value now, because lazy initialization is not safe in a signal handler.
    writeEnd.store(ends[1], ordering: .relaxed)
    signal(SIGWINCH) { _ in
      let code = errno
      var byte: UInt8 = 0
      _ = write(TerminalSizeMonitor.writeEnd.load(ordering: .relaxed), &byte, 1)
      errno = code
    }
  }

  /// Waits until there is input or the terminal is resized.
  static func next(or input: Int32) -> TerminalEvent {
    let changes = readEnd.load(ordering: .relaxed)
    while true {
      var polled = [
        pollfd(fd: input, events: Int16(POLLIN), revents: 0),
        pollfd(fd: changes, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&polled, 2, -1) > 0 else {
        if errno == EINTR { continue }
        return .ended
      }
      if polled[1].revents & Int16(POLLIN) != 0 {
        var rest = [UInt8](repeating: 0, count: 64)
        while read(changes, &rest, rest.count) > 0 {}
        return .resized
      }
      var byte: UInt8 = 0
      let count = read(input, &byte, 1)
      if count == 1 { return .byte(byte) }
      guard count < 0, errno == EINTR else { return .ended }
    }
  }
}
