/// How often a breakpoint has to be met before it stops: `3`, `>= 3`, `% 10`.
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

  /// The next state of a breakpoint after it has stopped.
  enum Sequel: Equatable {
    case stay
    /// It is passed some times.
    case ignore(Int)
    /// It never stops again.
    case disable
  }

  /// Reads a condition; `nil` for anything else.
  ///
  /// A number alone is that very time.
  init?(_ text: String) {
    let text = text.filter { $0 != " " }
    let relation = Relation.allCases.first { text.hasPrefix($0.rawValue) }
    let digits = text.dropFirst(relation?.rawValue.count ?? 0)
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let count = Int(digits), count > 0 || relation == .more || relation == .atLeast
    else { return nil }
    (self.relation, self.count) = (relation ?? .equal, count)
    // Less than once is never.
    if relation == .less, count == 1 { return nil }
  }

  static let expected = "a number of times such as 3, >= 3, > 3, <= 3 or % 3"

  /// How often the breakpoint is passed before it stops for the first time.
  var ignoreCount: Int {
    switch relation {
    case .atLeast, .equal, .alsoEqual, .multiple: max(count - 1, 0)
    case .more: count
    case .atMost, .less: 0
    }
  }

  /// What follows after it has stopped.
  ///
  /// - Parameter hits: How often it was met, this time included.
  /// - Returns: What the breakpoint does from now on.
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
