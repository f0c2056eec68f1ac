package import ActionLog

extension JSON {
  /// Returns a random value with a maximum depth.
  package static func random(
    depth: Int,
    using random: inout some RandomNumberGenerator
  ) -> JSON {
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

  /// Returns a random text of characters that are difficult for writers and parsers.
  package static func randomText(using random: inout some RandomNumberGenerator) -> String {
    let scalars = [
      "a", "b", "$", "~", "/", "\"", "\\", "\n", "\u{0}", "é", "e\u{301}", "👩‍👩‍👧", "\u{2028}",
    ]
    return (0..<Int.random(in: 0..<5, using: &random))
      .map { _ in scalars[Int.random(in: 0..<scalars.count, using: &random)] }.joined()
  }

  /// Returns the value after a random member or element was replaced, removed or renamed.
  package func damaged(using random: inout some RandomNumberGenerator) -> JSON {
    switch self {
    case .array(var elements) where !elements.isEmpty && Int.random(in: 0..<8, using: &random) > 0:
      let index = Int.random(in: 0..<elements.count, using: &random)
      switch Int.random(in: 0..<8, using: &random) {
      case 0: elements.remove(at: index)
      case 1: elements.insert(elements[index], at: 0)
      default: elements[index] = elements[index].damaged(using: &random)
      }
      return .array(elements)
    case .object(var object) where !object.isEmpty && Int.random(in: 0..<8, using: &random) > 0:
      let name = object.keys[Int.random(in: 0..<object.count, using: &random)]
      switch Int.random(in: 0..<8, using: &random) {
      case 0: object[name] = nil
      case 1:
        object[name + Self.randomText(using: &random)] = object[name]
        object[name] = nil
      default: object[name] = object[name]?.damaged(using: &random)
      }
      return .object(object)
    default: return .random(depth: 2, using: &random)
    }
  }
}
