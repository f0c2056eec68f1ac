extension JSONPath.Parser {
  /// Reads a logical expression: alternatives of `||`, each with parts of `&&`.
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

extension JSONPath.Parser {
  /// One side of an operator, or an argument, with its type (RFC 9535, section 2.4.1).
  enum Term {
    case value(JSONPath.Operand)
    case query(JSONPath.Query)
    case test(JSONPath.Condition)
  }

  /// Reads a literal, a query or a call of a function.
  mutating func term() throws(JSONPath.SyntaxError) -> Term {
    switch peek {
    case "$", "@": return .query(try query())
    case "'", "\"": return .value(.literal(.string(try stringLiteral())))
    case let next? where next == "-" || Self.isDigit(next): return .value(.literal(try number()))
    case let next? where Self.isLowercase(next): return try word()
    default: throw expected(Self.anyTerm)
    }
  }

  private static let anyTerm = "'$', '@', a string, a number, true, false, null or a function"

  private mutating func word() throws(JSONPath.SyntaxError) -> Term {
    let start = position
    let name = take { Self.isLowercase($0) || $0 == "_" || Self.isDigit($0) }
    if peek == "(" { return try call(of: name, at: start) }
    switch name {
    case "true": return .value(.literal(true))
    case "false": return .value(.literal(false))
    case "null": return .value(.literal(.null))
    default: throw failure(.expected(Self.anyTerm), at: start)
    }
  }

  private mutating func call(of name: String, at start: Int) throws(JSONPath.SyntaxError) -> Term {
    guard let function = Function(rawValue: name) else {
      throw failure(.unknownFunction(suggestion: Function.closest(to: name)), at: start)
    }
    let arguments = try nested { parser throws(JSONPath.SyntaxError) in try parser.arguments() }
    guard arguments.count == function.arity else {
      throw failure(
        .argumentCount(function: name, expected: function.arity, found: arguments.count),
        at: start
      )
    }
    switch function {
    case .length: return .value(.length(try operand(of: arguments[0])))
    case .count: return .value(.count(try query(of: arguments[0], for: function)))
    case .value: return .value(.value(try query(of: arguments[0], for: function)))
    case .match, .search:
      let text = try operand(of: arguments[0])
      let pattern = JSONPath.Pattern(try operand(of: arguments[1]))
      return .test(.matches(text, pattern: pattern, isWhole: function == .match))
    }
  }

  private typealias Argument = (term: Term, start: Int)

  private mutating func arguments() throws(JSONPath.SyntaxError) -> [Argument] {
    position += 1
    skipSpace()
    if take(")") { return [] }
    var arguments: [Argument] = []
    repeat {
      skipSpace()
      let start = position
      arguments.append((try term(), start))
      skipSpace()
    } while take(",")
    guard take(")") else { throw expected("',' or ')'") }
    return arguments
  }

  private func operand(of argument: Argument) throws(JSONPath.SyntaxError) -> JSONPath.Operand {
    try operand(of: argument.term, at: argument.start)
  }

  private func query(
    of argument: Argument,
    for function: Function
  ) throws(JSONPath.SyntaxError) -> JSONPath.Query {
    guard case .query(let query) = argument.term else {
      throw failure(.notAQuery(function: function.rawValue), at: argument.start)
    }
    return query
  }
}

extension JSONPath.Parser {
  /// The functions of RFC 9535, section 2.4.
  private enum Function: String, CaseIterable {
    case length, count, match, search, value

    var arity: Int { self == .match || self == .search ? 2 : 1 }

    /// A function to suggest: one that begins with the same letter.
    static func closest(to name: String) -> String? {
      allCases.first { $0.rawValue.first == name.first }?.rawValue
    }
  }
}

extension JSONPath.Pattern {
  fileprivate init(_ operand: JSONPath.Operand) {
    if case .literal(.string(let text)) = operand {
      self = .compiled(JSONPath.RegularExpression(text))
    } else {
      self = .operand(operand)
    }
  }
}
