extension JSONPath {
  /// A parsed query.
  ///
  /// A query consists of segments that each map values to other values (RFC 9535, section 2.1).
  struct Query: Sendable, Hashable {
    /// Whether the query starts at the value that a filter tests (`@`) instead of the root (`$`).
    var isRelative = false
    var segments: [Segment] = []

    /// Whether the query can select at most one value (RFC 9535, section 2.3.5.1).
    var isSingular: Bool {
      segments.allSatisfy { segment in
        guard !segment.isDescendant, segment.selectors.count == 1 else { return false }
        switch segment.selectors[0] {
        case .name, .index: return true
        case .wildcard, .slice, .filter: return false
        }
      }
    }
  }

  /// Selectors that are applied to a value, or to the value and all its descendants (RFC 9535, section 2.5).
  struct Segment: Sendable, Hashable {
    var isDescendant = false
    var selectors: [Selector]
  }

  /// A selector for the children of a value (RFC 9535, section 2.3).
  enum Selector: Sendable, Hashable {
    case name(String)
    case wildcard
    case index(Int)
    case slice(start: Int?, end: Int?, step: Int)
    case filter(Condition)
  }

  /// The bounds of an array slice (RFC 9535, section 2.3.4).
  struct Slice {
    let start: Int?
    let end: Int?
    let step: Int

    init(_ start: Int?, _ end: Int?, _ step: Int) {
      self.start = start
      self.end = end
      self.step = step
    }

    /// Returns the positions that the slice selects in an array of `count` elements, in order.
    func positions(count: Int) -> StrideTo<Int> {
      let lowest = step > 0 ? 0 : -1
      let highest = step > 0 ? count : count - 1
      func bound(_ value: Int?, default standard: Int) -> Int {
        guard let value else { return standard }
        return min(max(value < 0 ? count + value : value, lowest), highest)
      }
      guard step != 0 else { return stride(from: 0, to: 0, by: 1) }
      let first = bound(start, default: step > 0 ? 0 : count - 1)
      return stride(from: first, to: bound(end, default: step > 0 ? count : -1), by: step)
    }
  }

  /// A parsed logical expression (RFC 9535, section 2.3.5).
  indirect enum Condition: Sendable, Hashable {
    case any([Condition])
    case all([Condition])
    case not(Condition)
    case exists(Query)
    case comparison(Operand, Comparison, Operand)
    /// A test of a string against a pattern: `match` for the complete string, or `search` for a part of it.
    case matches(Operand, pattern: Pattern, isWhole: Bool)
    /// A test whether a Boolean is `true`, or whether another value exists and is not `null`.
    case truth(Operand)
    /// A test whether a string contains a substring, an array an element, or an object a key.
    case contains(Operand, Operand)
    /// A test whether the action matches a pattern.
    case action(ActionPattern)
  }

  /// A value that can be compared (`ValueType` of RFC 9535, section 2.4.1).
  indirect enum Operand: Sendable, Hashable {
    case literal(JSON)
    case query(Query)
    case length(Operand)
    case count(Query)
    case value(Query)
    /// A path in the short form, such as `rows.count`.
    case place(ShortPath)
    case arithmetic(Operand, Arithmetic, Operand)
    /// An enum case with which a value is compared, such as `.waiting`.
    case enumCase(ActionPattern)
  }

  /// An operator that compares two values.
  enum Comparison: String, Sendable, Hashable, CaseIterable {
    case equal = "=="
    case unequal = "!="
    case lessOrEqual = "<="
    case greaterOrEqual = ">="
    case less = "<"
    case greater = ">"
  }

  /// A regular expression.
  ///
  /// A literal is compiled once. A pattern from the document is compiled for each match.
  enum Pattern: Sendable, Hashable {
    case compiled(RegularExpression?)
    case operand(Operand)
  }
}

extension JSONPath.Condition {
  /// Collects the names of the root's members that the condition reads.
  ///
  /// In a filter, only `$` refers to the root.
  ///
  /// - Returns: `false` if the condition can read any member.
  func collectRootMembers(into names: inout Set<String>, isFilter: Bool) -> Bool {
    switch self {
    case .any(let conditions), .all(let conditions):
      return conditions.allSatisfy { $0.collectRootMembers(into: &names, isFilter: isFilter) }
    case .not(let condition): return condition.collectRootMembers(into: &names, isFilter: isFilter)
    case .exists(let query): return query.collectRootMembers(into: &names, isFilter: isFilter)
    case .comparison(let lhs, _, let rhs):
      return lhs.collectRootMembers(into: &names, isFilter: isFilter)
        && rhs.collectRootMembers(into: &names, isFilter: isFilter)
    case .matches(let operand, let pattern, _):
      return operand.collectRootMembers(into: &names, isFilter: isFilter)
        && pattern.collectRootMembers(into: &names, isFilter: isFilter)
    case .truth(let operand): return operand.collectRootMembers(into: &names, isFilter: isFilter)
    case .contains(let whole, let part):
      return whole.collectRootMembers(into: &names, isFilter: isFilter)
        && part.collectRootMembers(into: &names, isFilter: isFilter)
    case .action:
      names.insert("action")
      return true
    }
  }
}

extension JSONPath.Operand {
  fileprivate func collectRootMembers(into names: inout Set<String>, isFilter: Bool) -> Bool {
    switch self {
    case .literal, .enumCase: return true
    case .place(let place):
      names.formUnion(place.members)
      return true
    case .arithmetic(let left, _, let right):
      return left.collectRootMembers(into: &names, isFilter: isFilter)
        && right.collectRootMembers(into: &names, isFilter: isFilter)
    case .query(let query), .count(let query), .value(let query):
      return query.collectRootMembers(into: &names, isFilter: isFilter)
    case .length(let operand): return operand.collectRootMembers(into: &names, isFilter: isFilter)
    }
  }
}

extension JSONPath.Pattern {
  fileprivate func collectRootMembers(into names: inout Set<String>, isFilter: Bool) -> Bool {
    guard case .operand(let operand) = self else { return true }
    return operand.collectRootMembers(into: &names, isFilter: isFilter)
  }
}

extension JSONPath.Query {
  fileprivate func collectRootMembers(into names: inout Set<String>, isFilter: Bool) -> Bool {
    if !(isFilter && isRelative) {
      guard let first = segments.first, !first.isDescendant else { return false }
      for selector in first.selectors {
        guard case .name(let name) = selector else { return false }
        names.insert(name)
      }
    }
    return segments.allSatisfy { segment in
      segment.selectors.allSatisfy { selector in
        guard case .filter(let condition) = selector else { return true }
        return condition.collectRootMembers(into: &names, isFilter: true)
      }
    }
  }
}
