// The bytes that stand in a JSON string as they are (RFC 8259, section 7), looked for eight at a time.
extension UnsafeBufferPointer<UInt8> {
  /// Where the bytes that stand in a string as they are end: at a quote, a backslash or a control character.
  ///
  /// - Returns: The place of the first other byte, and whether all bytes up to there are ASCII.
  @inline(__always)
  func plainBytes(from start: Int) -> (end: Int, isASCII: Bool) {
    guard let baseAddress else { return (start, true) }
    let text = UnsafeRawPointer(baseAddress)
    var position = start
    var high: UInt64 = 0
    // In each byte of a word the high bit tells whether it is one of those.
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
  /// The high bit of the first byte that is a quote, a backslash or a control character; those of bytes behind it may be set
  /// as well.
  @inline(__always)
  fileprivate var quotesAndControls: UInt64 {
    ((self ^ .repeated(0x22)).zeros | (self ^ .repeated(0x5C)).zeros
      | (self &- .repeated(0x20)) & ~self) & .repeated(0x80)
  }

  /// A word with this byte in each place.
  @inline(__always)
  fileprivate static func repeated(_ byte: UInt64) -> UInt64 { byte &* 0x0101_0101_0101_0101 }

  /// The high bit of the first byte that is zero; those of bytes behind it may be set as well, and other bits.
  @inline(__always)
  fileprivate var zeros: UInt64 { (self &- .repeated(1)) & ~self }
}
