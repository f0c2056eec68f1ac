/// A condition on the number of hits at which a breakpoint stops, such as `3`, `>= 3`, or `% 10`.
struct HitCondition: Equatable {
  private enum Relation: String, CaseIterable {
    case atLeast = ">="
    case atMost = "<="
    case equal = "=="
    case alsoEqual = "="
    case more = ">"
    case less = "<"
    case multiple = "%"
  }

  private let relation: Relation
  private let count: Int

  /// The change that a hit condition requires after a stop.
  enum BreakpointUpdate: Equatable {
    case stay
    /// The breakpoint ignores this number of hits before it stops again.
    case ignore(Int)
    /// The breakpoint is disabled.
    case disable
  }

  /// Parses a condition, or returns `nil` if the text is not valid.
  ///
  /// If a number has no operator, the breakpoint stops only at the hit with this number.
  init?(_ text: String) {
    let text = text.filter { $0 != " " }
    let relation = Relation.allCases.first { text.hasPrefix($0.rawValue) }
    let digits = text.dropFirst(relation?.rawValue.count ?? 0)
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let count = Int(digits), count > 0 || relation == .more || relation == .atLeast
    else { return nil }
    (self.relation, self.count) = (relation ?? .equal, count)
    // A breakpoint can't stop after fewer than one hit.
    if relation == .less, count == 1 { return nil }
  }

  static let expected = "a number of times such as 3, >= 3, > 3, <= 3 or % 3"

  /// The number of hits that are ignored before the first stop.
  var ignoreCount: Int {
    switch relation {
    case .atLeast, .equal, .alsoEqual, .multiple: max(count - 1, 0)
    case .more: count
    case .atMost, .less: 0
    }
  }

  /// Returns the change that the condition requires after a stop.
  ///
  /// - Parameter hits: The number of hits so far, including the one that caused the stop.
  /// - Returns: The change to the breakpoint.
  func sequel(hits: Int) -> BreakpointUpdate {
    switch relation {
    case .atLeast, .more: .stay
    case .equal, .alsoEqual: .disable
    case .multiple: .ignore(count - 1)
    case .atMost: hits >= count ? .disable : .stay
    case .less: hits >= count - 1 ? .disable : .stay
    }
  }
}
