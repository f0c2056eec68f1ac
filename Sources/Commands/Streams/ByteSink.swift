import ActionLog
import Foundation
import ReplayEngine

/// Something that takes bytes.
package protocol ByteSink: AnyObject {
  /// Takes bytes, all or with an error.
  func write(_ bytes: some Collection<UInt8>) throws(StreamError)
}

/// The system's refusal to read or write.
package struct StreamError: Error, Hashable, CustomStringConvertible {
  /// The file or stream.
  package let name: String
  /// The system's error number.
  package let code: Int32
  /// Whether it is a file that was to be made.
  package var isCreation: Bool

  package init(
    name: String,
    code: Int32,
    isCreation: Bool = false
  ) {
    self.name = name
    self.code = code
    self.isCreation = isCreation
  }

  /// Whether the reader at the other end went away, which is its good right.
  package var isClosedPipe: Bool { code == EPIPE }

  package var description: String { Wording.describe(self) }
}

/// A file descriptor as a sink.
final class DescriptorSink: ByteSink, Sendable {
  private let descriptor: Int32
  private let name: String

  init(_ descriptor: Int32, name: String) {
    self.descriptor = descriptor
    self.name = name
  }

  func write(_ bytes: some Collection<UInt8>) throws(StreamError) {
    let code = bytes.write(to: descriptor)
    guard code == 0 else { throw StreamError(name: name, code: code) }
  }
}

/// Memory as a sink.
package final class MemorySink: ByteSink {
  private(set) var bytes: [UInt8] = []

  package init() {}

  package func write(_ bytes: some Collection<UInt8>) throws(StreamError) {
    self.bytes += bytes
  }

  package var text: String { String(decoding: bytes, as: UTF8.self) }
}
