extension JSONPath.Evaluation {
  /// Whether a condition is true, with `@` standing for the current value.
  func holds(_ condition: JSONPath.Condition, at current: JSON) -> Bool {
    switch condition {
    case .any(let conditions): conditions.contains { holds($0, at: current) }
    case .all(let conditions): conditions.allSatisfy { holds($0, at: current) }
    case .not(let condition): !holds(condition, at: current)
    case .exists(let query): exists(query, at: current)
    case .comparison(let lhs, let comparison, let rhs):
      comparison.holds(value(of: lhs, at: current), value(of: rhs, at: current))
    case .matches(let operand, let pattern, let isWhole):
      matches(value(of: operand, at: current), pattern, isWhole: isWhole, at: current)
    }
  }

  private func exists(_ query: JSONPath.Query, at current: JSON) -> Bool {
    var found = false
    select(query, at: current) { _ in
      found = true
      return false
    }
    return found
  }

  /// The value of an operand; `nil` is the `Nothing` of RFC 9535, section 2.4.1.
  func value(of operand: JSONPath.Operand, at current: JSON) -> JSON? {
    switch operand {
    case .literal(let value): return value
    case .query(let query), .value(let query): return onlyValue(of: query, at: current)
    case .length(let operand):
      switch value(of: operand, at: current) {
      case .string(let text): return .number(JSON.Number(text.unicodeScalars.count))
      case .array(let elements): return .number(JSON.Number(elements.count))
      case .object(let object): return .number(JSON.Number(object.count))
      default: return nil
      }
    case .count(let query):
      var count = 0
      select(query, at: current) { _ in
        count += 1
        return true
      }
      return .number(JSON.Number(count))
    }
  }

  private func onlyValue(of query: JSONPath.Query, at current: JSON) -> JSON? {
    var value: JSON?
    var count = 0
    select(query, at: current) { found in
      value = found
      count += 1
      return count < 2
    }
    return count == 1 ? value : nil
  }

  private func matches(
    _ text: JSON?,
    _ pattern: JSONPath.Pattern,
    isWhole: Bool,
    at current: JSON
  ) -> Bool {
    guard let text = text?.string else { return false }
    let expression: JSONPath.RegularExpression? =
      switch pattern {
      case .compiled(let expression): expression
      case .operand(let operand):
        value(of: operand, at: current)?.string.flatMap(JSONPath.RegularExpression.init)
      }
    guard let expression else { return false }
    return isWhole ? expression.matches(text) : expression.isFound(in: text)
  }
}

extension JSONPath.Comparison {
  /// Compares two values, either of which may be missing (RFC 9535, section 2.3.5.2.2).
  fileprivate func holds(_ lhs: JSON?, _ rhs: JSON?) -> Bool {
    switch self {
    case .equal: Self.areEqual(lhs, rhs)
    case .unequal: !Self.areEqual(lhs, rhs)
    case .less: Self.isLess(lhs, rhs)
    case .greater: Self.isLess(rhs, lhs)
    case .lessOrEqual: Self.isLess(lhs, rhs) || Self.areEqual(lhs, rhs)
    case .greaterOrEqual: Self.isLess(rhs, lhs) || Self.areEqual(lhs, rhs)
    }
  }

  private static func areEqual(_ lhs: JSON?, _ rhs: JSON?) -> Bool {
    switch (lhs, rhs) {
    case (nil, nil): true
    case (let lhs?, let rhs?): areEqual(lhs, rhs)
    default: false
    }
  }

  /// Equality of JSON, except that numbers are equal by value: `-0 == 0`.
  private static func areEqual(_ lhs: JSON, _ rhs: JSON) -> Bool {
    switch (lhs, rhs) {
    case (.number(let lhs), .number(let rhs)): lhs.compared(to: rhs) == 0
    case (.array(let lhs), .array(let rhs)):
      lhs.count == rhs.count && zip(lhs, rhs).allSatisfy { areEqual($0, $1) }
    case (.object(let lhs), .object(let rhs)):
      lhs.count == rhs.count && lhs.allSatisfy { areEqual($0.value, rhs[$0.key]) }
    default: lhs == rhs
    }
  }

  private static func isLess(_ lhs: JSON?, _ rhs: JSON?) -> Bool {
    switch (lhs, rhs) {
    case (.number(let lhs), .number(let rhs)): lhs.compared(to: rhs) < 0
    case (.string(let lhs), .string(let rhs)): lhs.precedesInBytes(rhs)
    default: false
    }
  }
}
