extension Sequence<UInt8> {
  /// A number for the bytes that is the same in every process (FNV-1a, 64 bits), in hexadecimal digits.
  package var digest: String {
    let hash = reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    return String(hash, radix: 16)
  }
}
