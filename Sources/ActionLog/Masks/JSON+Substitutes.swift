extension JSON {
  /// Whether this value equals `masked`, except for numbers and parts of strings that are substitutes in `masked`.
  ///
  /// `masked` must contain at least one substitute, and all substitutes in this value.
  package func isHidden(by masked: JSON) -> Bool {
    let hiding = masked.substitutes
    return !hiding.isEmpty && substitutes.isSubset(of: hiding) && mayBe(recordedAs: masked)
  }

  /// Whether this value could have been recorded as `masked`, which has substitutes in place of masked values.
  ///
  /// Masked strings are also removed from strings that code produces, such as a message that quotes user input.
  private func mayBe(recordedAs masked: JSON) -> Bool {
    switch (self, masked) {
    case (.string(let text), .string(let masked)):
      let matches = masked.ranges(of: Self.substitute)
      guard let first = matches.first, let last = matches.last else {
        return self == .string(masked)
      }
      var rest = text[...]
      guard rest.hasPrefix(masked[..<first.lowerBound]) else { return false }
      rest = rest.dropFirst(masked[..<first.lowerBound].count)
      for (match, next) in zip(matches, matches.dropFirst()) {
        let part = masked[match.upperBound..<next.lowerBound]
        guard !part.isEmpty else { continue }
        guard let found = rest.firstRange(of: part) else { return false }
        rest = rest[found.upperBound...]
      }
      return rest.hasSuffix(masked[last.upperBound...])
    case (.array(let elements), .array(let masked)):
      return elements.count == masked.count
        && zip(elements, masked).allSatisfy { $0.mayBe(recordedAs: $1) }
    case (.object(let object), .object(let masked)):
      return object.count == masked.count
        && object.allSatisfy { name, value in
          if let masked = masked[name] { return value.mayBe(recordedAs: masked) }
          return masked.contains { key, masked in
            JSON.string(name).isHidden(by: .string(key)) && value.mayBe(recordedAs: masked)
          }
        }
    case (.number, .number(let masked)) where masked.isSubstitute: return true
    default: return self == masked
    }
  }

  /// The substitutes in this value: the numbers, the UUIDs and dates, and the parts of strings that only masks write.
  var substitutes: Set<Substring> {
    switch self {
    case .number(let number): number.isSubstitute ? [number.literal[...]] : []
    case .string(let text): Set(text.matches(of: Self.substitute).map(\.output))
    case .array(let elements): elements.reduce(into: []) { $0.formUnion($1.substitutes) }
    case .object(let object):
      object.reduce(into: []) {
        $0.formUnion(JSON.string($1.key).substitutes)
        $0.formUnion($1.value.substitutes)
      }
    default: []
    }
  }

  /// The forms that `SubstituteHashKey` gives the substitutes of strings.
  private static var substitute: Regex<Substring> {
    /masked[0-9a-f]{18}|6[Dd]61736[Bb]-6564-8[0-9A-Fa-f]{3}-8[0-9A-Fa-f]{3}-[0-9A-Fa-f]{12}|29\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/
  }
}

extension JSON.Number {
  /// The whole parts of numbers that stand for masked ones.
  ///
  /// They fit into a signed 32-bit integer, and are hardly used otherwise: as a time in seconds they begin in 2033.
  static let substitutes = 2_000_000_000...0x7FFF_FFFF

  /// Whether the number has the form of a substitute: a whole number of that range, or one followed by `.5`.
  fileprivate var isSubstitute: Bool {
    guard literal.utf8.count >= 10 else { return false }
    let whole = literal.hasSuffix(".5") ? literal.dropLast(2) : literal[...]
    return whole.utf8.count == 10 && Int(whole).map(Self.substitutes.contains) == true
  }
}
