extension JSONPath.Parser {
  /// Reads a logical expression: what `||` joins, of what `&&` joins.
  mutating func condition() throws(JSONPath.SyntaxError) -> JSONPath.Condition {
    var alternatives: [JSONPath.Condition] = []
    repeat {
      skipSpace()
      var parts: [JSONPath.Condition] = []
      repeat {
        skipSpace()
        parts.append(try basicCondition())
      } while takeAfterSpace("&&")
      alternatives.append(parts.count == 1 ? parts[0] : .all(parts))
    } while takeAfterSpace("||")
    return alternatives.count == 1 ? alternatives[0] : .any(alternatives)
  }

  private mutating func takeAfterSpace(_ operation: String) -> Bool {
    let end = position
    skipSpace()
    if take(operation) { return true }
    position = end
    return false
  }

  private mutating func basicCondition() throws(JSONPath.SyntaxError) -> JSONPath.Condition {
    if take("!") {
      skipSpace()
      if peek == "(" { return .not(try parenthesized()) }
      let start = position
      return .not(try test(of: try term(), at: start))
    }
    if peek == "(" { return try parenthesized() }
    let start = position
    let term = try self.term()
    let end = position
    skipSpace()
    guard let comparison = try takeComparison() else {
      position = end
      return try test(of: term, at: start)
    }
    let left = try operand(of: term, at: start)
    skipSpace()
    let rightStart = position
    return .comparison(left, comparison, try operand(of: try self.term(), at: rightStart))
  }

  private mutating func parenthesized() throws(JSONPath.SyntaxError) -> JSONPath.Condition {
    position += 1
    let condition = try nested { parser throws(JSONPath.SyntaxError) in try parser.condition() }
    skipSpace()
    guard take(")") else { throw expected("'&&', '||' or ')'") }
    return condition
  }

  private mutating func takeComparison() throws(JSONPath.SyntaxError) -> JSONPath.Comparison? {
    for comparison in JSONPath.Comparison.allCases where take(comparison.rawValue) {
      return comparison
    }
    if peek == "=" { throw expected("'=='") }
    return nil
  }

  private func test(
    of term: Term,
    at start: Int
  ) throws(JSONPath.SyntaxError) -> JSONPath.Condition {
    switch term {
    case .query(let query): return .exists(query)
    case .test(let condition): return condition
    case .value: throw failure(.notACondition, at: start)
    }
  }

  func operand(
    of term: Term,
    at start: Int
  ) throws(JSONPath.SyntaxError) -> JSONPath.Operand {
    switch term {
    case .value(let operand): return operand
    case .query(let query):
      guard query.isSingular else { throw failure(.notSingular, at: start) }
      return .query(query)
    case .test: throw failure(.notAValue, at: start)
    }
  }
}
