import Foundation

extension String {
  /// Whether both strings have the same Unicode scalars.
  ///
  /// In contrast, `==` also considers canonically equivalent strings equal.
  package func hasSameBytes(as other: String) -> Bool {
    var lhs = self
    var rhs = other
    return lhs.withUTF8 { left in rhs.withUTF8 { left.hasSameBytes(as: $0) } }
  }

  /// Whether the string's UTF-8 bytes equal `bytes`.
  func hasBytes(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    utf8.withContiguousStorageIfAvailable { $0.hasSameBytes(as: bytes) }
      ?? utf8.elementsEqual(bytes)
  }

  /// Hashes the Unicode scalars, consistently with `hasSameBytes(as:)`.
  package func hashBytes(into hasher: inout Hasher) {
    var text = self
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(0xFF as UInt8)
  }

  /// Whether the string's UTF-8 bytes precede those of another string in lexicographic order.
  ///
  /// A log sorts keys in this order.
  package func precedesInBytes(_ other: String) -> Bool {
    let precedes = utf8.withContiguousStorageIfAvailable { own in
      other.utf8.withContiguousStorageIfAvailable { own.precedesInBytes($0) }
    }
    return (precedes ?? nil) ?? utf8.lexicographicallyPrecedes(other.utf8)
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether these bytes precede `other` in lexicographic order.
  fileprivate func precedesInBytes(_ other: UnsafeBufferPointer<UInt8>) -> Bool {
    var order: Int32 = 0
    if let first = baseAddress, let second = other.baseAddress {
      order = memcmp(first, second, Swift.min(count, other.count))
    }
    return order != 0 ? order < 0 : count < other.count
  }
}

extension [UInt8] {
  /// Whether these bytes precede `other` in lexicographic order.
  func precedesInBytes(_ other: [UInt8]) -> Bool {
    withUnsafeBufferPointer { own in
      other.withUnsafeBufferPointer { own.precedesInBytes($0) }
    }
  }

  /// Whether these bytes equal `other`.
  func hasSameBytes(as other: [UInt8]) -> Bool {
    withUnsafeBufferPointer { own in other.withUnsafeBufferPointer { own.hasSameBytes(as: $0) } }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether these bytes equal `other`.
  ///
  /// In contrast to `==`, compares many bytes at once.
  @inline(__always)
  func hasSameBytes(as other: UnsafeBufferPointer<UInt8>) -> Bool {
    guard count == other.count else { return false }
    guard let first = baseAddress, let second = other.baseAddress else { return true }
    return first == second || memcmp(first, second, count) == 0
  }

  /// Whether these bytes start with the bytes in `other`.
  func starts(withBytesOf other: [UInt8]) -> Bool {
    guard count >= other.count else { return false }
    return other.withUnsafeBufferPointer {
      UnsafeBufferPointer(rebasing: self[..<other.count]).hasSameBytes(as: $0)
    }
  }
}

// Finds the end of the bytes that need no escapes in a JSON string (RFC 8259, section 7), eight bytes at a time.
extension UnsafeBufferPointer<UInt8> {
  /// Finds the first byte that must be escaped in a string: a quote, a backslash, or a control character.
  ///
  /// - Returns: The offset of that byte, and whether all bytes before it are ASCII.
  @inline(__always)
  func plainBytes(from start: Int) -> (end: Int, isASCII: Bool) {
    guard let baseAddress else { return (start, true) }
    let text = UnsafeRawPointer(baseAddress)
    var position = start
    var high: UInt64 = 0
    // The lowest bit in `found` belongs to the first byte that must be escaped.
    while count - position >= 8 {
      let word = UInt64(littleEndian: text.loadUnaligned(fromByteOffset: position, as: UInt64.self))
      let found = word.quotesAndControls
      guard found == 0 else {
        let count = found.trailingZeroBitCount / 8
        high |= word & ((1 << UInt64(count * 8)) &- 1)
        return (position + count, high & .repeated(0x80) == 0)
      }
      high |= word
      position += 8
    }
    while position < count {
      let byte = self[position]
      guard byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") else { break }
      high |= UInt64(byte)
      position += 1
    }
    return (position, high & .repeated(0x80) == 0)
  }
}

extension UInt64 {
  /// A word with the high bit set for this word's first byte that is a quote, a backslash, or a control character.
  ///
  /// Bits of later bytes can be set incorrectly.
  @inline(__always)
  fileprivate var quotesAndControls: UInt64 {
    ((self ^ .repeated(0x22)).zeros | (self ^ .repeated(0x5C)).zeros
      | (self &- .repeated(0x20)) & ~self) & .repeated(0x80)
  }

  /// Returns a word that consists of copies of one byte.
  @inline(__always)
  fileprivate static func repeated(_ byte: UInt64) -> UInt64 { byte &* 0x0101_0101_0101_0101 }

  /// A word with the high bit set for this word's first byte that is zero.
  ///
  /// Bits of later bytes and other bits can be set, too.
  @inline(__always)
  fileprivate var zeros: UInt64 { (self &- .repeated(1)) & ~self }
}

// Appends text in pieces. In long logs, creating a string for each piece would take most of the time.
extension [UInt8] {
  package mutating func append(_ text: String) { append(contentsOf: text.utf8) }

  @inline(__always)
  package mutating func append(literal text: StaticString) {
    guard text.utf8CodeUnitCount > 0 else { return }
    append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    )
  }

  package mutating func append(_ id: EffectID) {
    append(decimal: id.seq)
    append(UInt8(ascii: "."))
    append(decimal: id.index)
  }
}
