/// A secret that is drawn for one log and never written: without it nobody can tell what a substitute stands for, not even
/// by trying all values that it may have been.
///
/// Substitutes are drawn with SipHash-2-4 with 128 bits of output and a 128-bit key (Aumasson and Bernstein, 2012), a
/// pseudorandom function: equal values give equal substitutes, and that is all that a reader learns.
struct MaskKey: Sendable {
  private let first: UInt64
  private let second: UInt64

  /// A new secret.
  init() {
    // The system's generator is the kernel's.
    var generator = SystemRandomNumberGenerator()
    self.init(generator.next(), generator.next())
  }

  init(_ first: UInt64, _ second: UInt64) {
    self.first = first
    self.second = second
  }

  /// 128 bits that stand for some bytes.
  func digest(_ bytes: some Collection<UInt8>) -> (UInt64, UInt64) {
    var hash = SipHash(first, second)
    var word: UInt64 = 0
    var count = 0
    for byte in bytes {
      word |= UInt64(byte) << (8 * UInt64(count & 7))
      count += 1
      if count & 7 == 0 {
        hash.absorb(word)
        word = 0
      }
    }
    hash.absorb(word | UInt64(count & 0xFF) << 56)
    return hash.finish()
  }
}

/// The four words that SipHash mixes.
private struct SipHash {
  private var v0: UInt64
  private var v1: UInt64
  private var v2: UInt64
  private var v3: UInt64

  init(_ first: UInt64, _ second: UInt64) {
    v0 = first ^ 0x736f_6d65_7073_6575
    // The version with 128 bits of output starts with 0xee.
    v1 = second ^ 0x646f_7261_6e64_6f6d ^ 0xee
    v2 = first ^ 0x6c79_6765_6e65_7261
    v3 = second ^ 0x7465_6462_7974_6573
  }

  private mutating func round() {
    func rotated(_ word: UInt64, _ count: UInt64) -> UInt64 { word << count | word >> (64 - count) }
    v0 &+= v1
    v1 = rotated(v1, 13) ^ v0
    v0 = rotated(v0, 32)
    v2 &+= v3
    v3 = rotated(v3, 16) ^ v2
    v0 &+= v3
    v3 = rotated(v3, 21) ^ v0
    v2 &+= v1
    v1 = rotated(v1, 17) ^ v2
    v2 = rotated(v2, 32)
  }

  mutating func absorb(_ word: UInt64) {
    v3 ^= word
    round()
    round()
    v0 ^= word
  }

  mutating func finish() -> (UInt64, UInt64) {
    v2 ^= 0xee
    for _ in 0..<4 { round() }
    let first = v0 ^ v1 ^ v2 ^ v3
    v1 ^= 0xdd
    for _ in 0..<4 { round() }
    return (first, v0 ^ v1 ^ v2 ^ v3)
  }
}
