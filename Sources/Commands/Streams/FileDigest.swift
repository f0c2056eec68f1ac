import Foundation
import ReplayEngine

/// A hash of a file's bytes that is the same on every machine.
///
/// The hash distinguishes files that differ by accident. It does not protect against deliberate collisions.
package struct FileDigest: Sendable, Hashable {
  /// The hash as sixteen hexadecimal digits.
  package let digest: String
  /// The length of the file in bytes.
  package let bytes: Int

  /// Creates the digest of bytes in memory.
  package init(_ bytes: some ContiguousBytes) {
    var hash = Self.start
    var count = 0
    bytes.withUnsafeBytes {
      Self.add($0, to: &hash)
      count = $0.count
    }
    (digest, self.bytes) = (Self.digits(of: hash), count)
  }

  /// Creates the digest of a file, or returns `nil` if the file can't be read.
  package init?(of path: String) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var hash = Self.start
    var bytes = 0
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.chunk, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      // Complete chunks are hashed, so that the hash does not depend on the number of bytes that a read returns.
      var count = 0
      while count < Self.chunk {
        let more = read(descriptor, buffer.baseAddress.map { $0 + count }, Self.chunk - count)
        if more < 0, errno == EINTR { continue }
        guard more >= 0 else { return nil }
        if more == 0 { break }
        count += more
      }
      guard count > 0 else { break }
      bytes += count
      Self.add(UnsafeRawBufferPointer(rebasing: buffer[..<count]), to: &hash)
      guard count == Self.chunk else { break }
    }
    self.bytes = bytes
    digest = Self.digits(of: hash)
  }

  private static let start: UInt64 = 0xCBF2_9CE4_8422_2325

  private static func digits(of hash: UInt64) -> String {
    let digits = String(hash ^ (hash >> 29), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  private static let chunk = 1 << 20

  /// Updates a hash with the little-endian eight-byte words and the remaining bytes, based on FNV-1a.
  ///
  /// Each step rotates the hash, because a multiplication never carries the high bytes of a word into the low bytes.
  private static func add(_ bytes: UnsafeRawBufferPointer, to hash: inout UInt64) {
    let prime: UInt64 = 0x100_0000_01B3
    var offset = 0
    while offset + 8 <= bytes.count {
      let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      hash = (hash ^ word) &* prime
      hash = (hash << 31) | (hash >> 33)
      offset += 8
    }
    while offset < bytes.count {
      hash = (hash ^ UInt64(bytes[offset])) &* prime
      offset += 1
    }
  }
}
