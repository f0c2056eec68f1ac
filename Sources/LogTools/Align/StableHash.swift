/// A hash that is the same in every process, based on the FNV-1a hash by Fowler, Noll, and Vo.
struct StableHash {
  private(set) var value: UInt64

  /// Starts a hash at the 64-bit FNV offset basis, or continues from an earlier value.
  init(_ value: UInt64 = 0xCBF2_9CE4_8422_2325) { self.value = value }

  mutating func combine(byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }

  mutating func combine(_ text: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
    for index in range { combine(byte: text[index]) }
  }

  /// Adds a 64-bit word by a function that is not part of FNV-1a.
  mutating func combine(_ word: UInt64) {
    // A product only carries bits upward, so the high half is mixed into the low half.
    value = ((value ^ word) &* 0x9E37_79B9_7F4A_7C15) ^ (value >> 32)
    value ^= value >> 29
  }

  /// Adds an id or a date with its kind, or zero for `nil`.
  mutating func combine(_ id: RunSpecificValue?) {
    guard let id else { return combine(0) }
    combine(UInt64(id.kind.rawValue) + 1)
    id.combine(into: &self)
  }
}
