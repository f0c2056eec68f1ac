import Foundation
import ReplayEngine
import Synchronization

/// What a host writes to its standard error: the prints of the feature, the message and the stack of a trap.
///
/// Of much only the beginning and the end are held.
final class HostOutput: Sendable {
  private struct Contents {
    var head: [UInt8] = []
    var tail: [UInt8] = []
    /// The bytes between the two.
    var left = 0
  }

  private let descriptor: Descriptor
  private let contents = Mutex(Contents())

  /// Bytes at the beginning that are held, and at the end.
  private static let most = 32 * 1024

  /// Begins to read the end of a pipe, lest the host waits for it.
  init(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    self.descriptor = Descriptor(descriptor)
    Thread.detachNewThread { [self] in
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      while true {
        guard poll(&entry, 1, -1) > 0 || errno == EINTR else { return }
        guard contents.withLock({ read(into: &$0) }) else { return }
      }
    }
  }

  /// Takes what has been written since the last call, up to this moment.
  func take() -> [String] {
    let contents = contents.withLock { contents in
      _ = read(into: &contents)
      defer { contents = Contents() }
      return contents
    }
    return Self.lines(contents)
  }

  /// Reads what is there; `false` when nothing more comes.
  private func read(into contents: inout Contents) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 16 * 1024)
    // As much as a pipe holds: what writes all the time must not keep the lock for ever.
    for _ in 0..<64 {
      let count = Foundation.read(descriptor.number, &buffer, buffer.count)
      guard count > 0 else { return count < 0 && (errno == EAGAIN || errno == EINTR) }
      let room = max(0, Self.most - contents.head.count)
      contents.head += buffer[..<min(room, count)]
      contents.tail += buffer[min(room, count)..<count]
      if contents.tail.count > 2 * Self.most {
        contents.left += contents.tail.count - Self.most
        contents.tail.removeFirst(contents.tail.count - Self.most)
      }
    }
    return true
  }

  private static func lines(_ contents: Contents) -> [String] {
    guard !contents.head.isEmpty else { return [] }
    guard contents.left > 0 else { return lines(contents.head + contents.tail) }
    return lines(contents.head) + [Wording.leftOut(bytes: contents.left)] + lines(contents.tail)
  }

  /// Lines without what would write to other places of a terminal.
  private static func lines(_ bytes: [UInt8]) -> [String] {
    let text = String(decoding: bytes, as: UTF8.self)
      .replacing(/\u{1B}\[[0-9;:?]*[A-Za-z]/, with: "")
    var lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }.map { line in
      String(
        String.UnicodeScalarView(
          line.unicodeScalars.map {
            $0.value < 0x20 && $0 != "\t" || $0.value == 0x7F ? "\u{FFFD}" : $0
          }
        )
      )
    }
    if lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }
}
