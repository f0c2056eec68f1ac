/// The number of hits at which a breakpoint stops: `3`, `>= 3`, `% 10`.
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

  /// The state of a breakpoint after a stop.
  enum Sequel: Equatable {
    case stay
    /// The breakpoint ignores a number of hits.
    case ignore(Int)
    /// The breakpoint is disabled.
    case disable
  }

  /// Parses a condition.
  ///
  /// Returns `nil` for invalid text.
  ///
  /// A number without an operator means exactly that hit.
  init?(_ text: String) {
    let text = text.filter { $0 != " " }
    let relation = Relation.allCases.first { text.hasPrefix($0.rawValue) }
    let digits = text.dropFirst(relation?.rawValue.count ?? 0)
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let count = Int(digits), count > 0 || relation == .more || relation == .atLeast
    else { return nil }
    (self.relation, self.count) = (relation ?? .equal, count)
    // Fewer than one hit is impossible.
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

  /// Returns the state of the breakpoint after a stop.
  ///
  /// - Parameter hits: The number of hits, including this one.
  /// - Returns: The next state.
  func sequel(hits: Int) -> Sequel {
    switch relation {
    case .atLeast, .more: .stay
    case .equal, .alsoEqual: .disable
    case .multiple: .ignore(count - 1)
    case .atMost: hits >= count ? .disable : .stay
    case .less: hits >= count - 1 ? .disable : .stay
    }
  }
}
