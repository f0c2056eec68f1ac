import ActionLog
import Foundation
import ReplayEngine

/// An object to which bytes can be written.
package protocol ByteSink: AnyObject {
  /// Writes all bytes, or throws an error.
  func write(_ bytes: some Collection<UInt8>) throws(StreamError)
}

/// A sink that writes to a file descriptor.
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
  /// Writes all bytes to a descriptor.
  ///
  /// - Returns: The `errno` value, or 0 on success.
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
  /// A 64-bit FNV-1a hash of the bytes in hexadecimal digits, which is the same in every process.
  package var digest: String {
    let hash = reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    return String(hash, radix: 16)
  }
}
