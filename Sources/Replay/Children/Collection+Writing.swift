import Foundation

extension Collection<UInt8> {
  /// Writes all bytes to a descriptor and returns the system's error number, 0 for success.
  func write(to descriptor: Int32) -> Int32 {
    let bytes = ContiguousArray(self)
    return bytes.withUnsafeBytes { buffer in
      var written = 0
      while written < buffer.count {
        let count = Foundation.write(
          descriptor,
          buffer.baseAddress.map { $0 + written },
          buffer.count - written
        )
        if count < 0 {
          guard errno == EINTR else { return errno }
        } else {
          written += count
        }
      }
      return 0
    }
  }
}
