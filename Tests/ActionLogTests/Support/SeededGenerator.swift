import ActionLog

/// SplitMix64: the same numbers for the same seed on every platform.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

extension JSON {
  /// A random value, at most this deep.
  static func random(depth: Int, using random: inout SeededGenerator) -> JSON {
    switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &random) {
    case 0: return .null
    case 1: return .bool(.random(using: &random))
    case 2: return .number(JSON.Number(Int64.random(in: .min ... .max, using: &random)))
    case 3:
      let value = Double(bitPattern: random.next())
      return JSON.Number(value).map(JSON.number) ?? 0
    case 4, 5: return .string(randomText(using: &random))
    case 6:
      let count = Int.random(in: 0..<6, using: &random)
      return .array((0..<count).map { _ in .random(depth: depth - 1, using: &random) })
    default:
      var object = JSON.Object()
      for _ in 0..<Int.random(in: 0..<20, using: &random) {
        object[randomText(using: &random)] = .random(depth: depth - 1, using: &random)
      }
      return .object(object)
    }
  }

  static func randomText(using random: inout SeededGenerator) -> String {
    let scalars = [
      "a", "b", "$", "~", "/", "\"", "\\", "\n", "\u{0}", "é", "e\u{301}", "👩‍👩‍👧", "\u{2028}",
    ]
    return (0..<Int.random(in: 0..<5, using: &random))
      .map { _ in scalars[Int.random(in: 0..<scalars.count, using: &random)] }.joined()
  }
}
