import Foundation

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
