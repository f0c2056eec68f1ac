import ActionLog
import Foundation
import ReplayEngine

/// A destination for bytes.
package protocol ByteSink: AnyObject {
  /// Writes all bytes, or throws.
  func write(_ bytes: some Collection<UInt8>) throws(StreamError)
}

/// An error of the system while reading or writing.
package struct StreamError: Error, Hashable, CustomStringConvertible {
  /// The file or stream.
  package let name: String
  /// The system's error number.
  package let code: Int32
  /// Whether a file could not be created.
  let isCreation: Bool

  package init(name: String, code: Int32, isCreation: Bool = false) {
    self.name = name
    self.code = code
    self.isCreation = isCreation
  }

  /// The error of a file or folder that Foundation could not create.
  ///
  /// - Parameters:
  ///   - name: The file or folder.
  ///   - error: Foundation's error.
  ///   - code: The error number when Foundation does not tell the system's.
  package init(creating name: String, _ error: any Error, otherwise code: Int32) {
    let system = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
    let known = system.flatMap { $0.domain == NSPOSIXErrorDomain ? Int32($0.code) : nil }
    let isFull = (error as? CocoaError)?.code == .fileWriteOutOfSpace
    self.init(name: name, code: known ?? (isFull ? ENOSPC : code), isCreation: true)
  }

  /// Whether the reader at the other end has closed the pipe, which is not a failure.
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

extension Collection<UInt8> {
  /// Writes all bytes to a descriptor and returns the system's error number, 0 for success.
  package func write(to descriptor: Int32) -> Int32 {
    withContiguousStorageIfAvailable { $0.writeAll(to: descriptor) }
      ?? ContiguousArray(self).withUnsafeBufferPointer { $0.writeAll(to: descriptor) }
  }
}

extension UnsafeBufferPointer<UInt8> {
  fileprivate func writeAll(to descriptor: Int32) -> Int32 {
    var written = 0
    while written < count {
      let count = Foundation.write(descriptor, baseAddress.map { $0 + written }, count - written)
      if count < 0 {
        guard errno == EINTR else { return errno }
      } else {
        written += count
      }
    }
    return 0
  }
}

extension Sequence<UInt8> {
  /// A number for the bytes that is the same in every process (FNV-1a, 64 bits), in hexadecimal digits.
  package var digest: String {
    let hash = reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    return String(hash, radix: 16)
  }
}
