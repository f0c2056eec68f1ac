import Foundation

extension String {
  /// Whether both strings are the same sequence of Unicode scalars (`==` also equates canonical equivalents).
  package func hasSameBytes(as other: String) -> Bool {
    var lhs = self
    var rhs = other
    return lhs.withUTF8 { left in rhs.withUTF8 { left.hasSameBytes(as: $0) } }
  }

  /// Whether these bytes are the UTF-8 of this string.
  func hasBytes(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    utf8.withContiguousStorageIfAvailable { $0.hasSameBytes(as: bytes) }
      ?? utf8.elementsEqual(bytes)
  }

  /// Hashes the Unicode scalars, in keeping with `hasSameBytes(as:)`.
  package func hashBytes(into hasher: inout Hasher) {
    var text = self
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(0xFF as UInt8)
  }

  /// Whether the UTF-8 bytes of this string come before those of the other: the order of keys in a log.
  package func precedesInBytes(_ other: String) -> Bool {
    utf8.lexicographicallyPrecedes(other.utf8)
  }
}

extension [UInt8] {
  /// Whether these bytes come before others, as in a dictionary.
  func precedesInBytes(_ other: [UInt8]) -> Bool {
    let order = withUnsafeBytes { own in
      other.withUnsafeBytes { other -> Int32 in
        guard let first = own.baseAddress, let second = other.baseAddress else { return 0 }
        return memcmp(first, second, Swift.min(own.count, other.count))
      }
    }
    return order != 0 ? order < 0 : count < other.count
  }

  /// Whether both are the same bytes.
  func hasSameBytes(as other: [UInt8]) -> Bool {
    withUnsafeBufferPointer { own in other.withUnsafeBufferPointer { own.hasSameBytes(as: $0) } }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether both are the same bytes, which are compared many at once and not one by one as `==` does.
  @inline(__always)
  func hasSameBytes(as other: UnsafeBufferPointer<UInt8>) -> Bool {
    guard count == other.count else { return false }
    guard let first = baseAddress, let second = other.baseAddress else { return true }
    return first == second || memcmp(first, second, count) == 0
  }

  /// Whether the bytes of an array are the first of these.
  func starts(withBytesOf other: [UInt8]) -> Bool {
    guard count >= other.count else { return false }
    return other.withUnsafeBufferPointer {
      UnsafeBufferPointer(rebasing: self[..<other.count]).hasSameBytes(as: $0)
    }
  }
}
