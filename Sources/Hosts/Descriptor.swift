import Foundation

/// A file descriptor that is closed when nobody has it any more: its number must not become another file's before.
final class Descriptor: Sendable {
  let number: Int32

  init(_ number: Int32) { self.number = number }

  deinit { close(number) }
}
