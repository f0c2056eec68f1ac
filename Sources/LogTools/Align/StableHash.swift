/// The hash by Fowler, Noll and Vo.
///
/// It is the same in every process.
struct StableHash {
  private(set) var value: UInt64

  /// Starts a hash, or continues from an earlier value.
  init(_ value: UInt64 = 0xCBF2_9CE4_8422_2325) { self.value = value }

  mutating func combine(byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }

  mutating func combine(_ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
    for index in range { combine(byte: text[index]) }
  }

  /// Adds a word.
  mutating func combine(_ word: UInt64) {
    // Mixes the high half into the low one, because a product does not.
    value = ((value ^ word) &* 0x9E37_79B9_7F4A_7C15) ^ (value >> 32)
    value ^= value >> 29
  }

  /// Adds an id or a date, or a marker for its absence.
  mutating func combine(_ id: LoggedID?) {
    guard let id else { return combine(0) }
    combine(UInt64(id.kind.rawValue) + 1)
    id.combine(into: &self)
  }
}
