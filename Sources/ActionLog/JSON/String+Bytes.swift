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

  /// Hashes the Unicode scalars, consistently with `hasSameBytes(as:)`.
  package func hashBytes(into hasher: inout Hasher) {
    var text = self
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(0xFF as UInt8)
  }

  /// Whether the UTF-8 bytes of this string come before those of the other: the order of keys in a log.
  package func precedesInBytes(_ other: String) -> Bool {
    let precedes = utf8.withContiguousStorageIfAvailable { own in
      other.utf8.withContiguousStorageIfAvailable { own.precedesInBytes($0) }
    }
    return (precedes ?? nil) ?? utf8.lexicographicallyPrecedes(other.utf8)
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether these bytes come before others in lexicographic order.
  fileprivate func precedesInBytes(_ other: UnsafeBufferPointer<UInt8>) -> Bool {
    var order: Int32 = 0
    if let first = baseAddress, let second = other.baseAddress {
      order = memcmp(first, second, Swift.min(count, other.count))
    }
    return order != 0 ? order < 0 : count < other.count
  }
}

extension [UInt8] {
  /// Whether these bytes come before others in lexicographic order.
  func precedesInBytes(_ other: [UInt8]) -> Bool {
    withUnsafeBufferPointer { own in
      other.withUnsafeBufferPointer { own.precedesInBytes($0) }
    }
  }

  /// Whether both are the same bytes.
  func hasSameBytes(as other: [UInt8]) -> Bool {
    withUnsafeBufferPointer { own in other.withUnsafeBufferPointer { own.hasSameBytes(as: $0) } }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Whether both are the same bytes; compares many at once, where `==` goes one by one.
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

// A search for the end of the bytes that a JSON string holds unescaped (RFC 8259, section 7), eight at a time.
extension UnsafeBufferPointer<UInt8> {
  /// The end of the bytes that a string holds unescaped: a quote, a backslash or a control character.
  ///
  /// - Returns: The place of the first other byte, and whether all bytes up to there are ASCII.
  @inline(__always)
  func plainBytes(from start: Int) -> (end: Int, isASCII: Bool) {
    guard let baseAddress else { return (start, true) }
    let text = UnsafeRawPointer(baseAddress)
    var position = start
    var high: UInt64 = 0
    // The high bit of each byte in the word is set if it is one of those.
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
  /// The high bit of the first byte that is a quote, a backslash or a control character; those of later bytes may be set as
  /// well.
  @inline(__always)
  fileprivate var quotesAndControls: UInt64 {
    ((self ^ .repeated(0x22)).zeros | (self ^ .repeated(0x5C)).zeros
      | (self &- .repeated(0x20)) & ~self) & .repeated(0x80)
  }

  /// A word with this byte in each place.
  @inline(__always)
  fileprivate static func repeated(_ byte: UInt64) -> UInt64 { byte &* 0x0101_0101_0101_0101 }

  /// The high bit of the first byte that is zero; those of later bytes may be set as well, and other bits.
  @inline(__always)
  fileprivate var zeros: UInt64 { (self &- .repeated(1)) & ~self }
}

// Text that is written piece by piece: in a long log, making a string of each piece would take most of the time.
extension [UInt8] {
  /// Appends a text.
  package mutating func append(_ text: String) { append(contentsOf: text.utf8) }

  /// Appends a literal.
  @inline(__always)
  package mutating func append(literal text: StaticString) {
    guard text.utf8CodeUnitCount > 0 else { return }
    append(
      contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    )
  }

  /// Appends the name of an effect.
  package mutating func append(_ id: EffectID) {
    append(decimal: id.seq)
    append(UInt8(ascii: "."))
    append(decimal: id.index)
  }
}
