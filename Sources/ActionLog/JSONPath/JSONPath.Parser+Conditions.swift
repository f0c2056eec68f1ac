extension JSONPath.Parser {
  /// Parses a logical expression: alternatives separated by `||`, each with terms separated by `&&`.
  mutating func condition() throws(JSONPath.SyntaxError) -> JSONPath.Condition {
    skipSpace()
    let start = position
    return try test(of: try alternatives(), at: start)
  }

  /// Parses a logical expression, or a value that is not a condition by itself.
  private mutating func alternatives() throws(JSONPath.SyntaxError) -> Term {
    var alternatives: [JSONPath.Condition] = []
    repeat {
      var parts: [JSONPath.Condition] = []
      repeat {
        skipSpace()
        let start = position
        let term = try basicTerm()
        if alternatives.isEmpty, parts.isEmpty, !isBeforeConnective { return term }
        parts.append(try test(of: term, at: start))
      } while consumeAfterSpace("&&", "and")
      alternatives.append(parts.count == 1 ? parts[0] : .all(parts))
    } while consumeAfterSpace("||", "or")
    return .test(alternatives.count == 1 ? alternatives[0] : .any(alternatives))
  }

  private var isBeforeConnective: Bool {
    var rest = self
    return rest.consumeAfterSpace("&&", "and") || rest.consumeAfterSpace("||", "or")
  }

  private mutating func consumeAfterSpace(_ operation: String, _ word: String) -> Bool {
    let end = position
    skipSpace()
    if consume(operation) || consumeWord(word) { return true }
    position = end
    return false
  }

  /// Consumes a keyword of the short forms, if it is at the position.
  private mutating func consumeWord(_ word: String) -> Bool {
    guard hasShortForms else { return false }
    let start = position
    if consume(word), peek.map({ !Self.isNameScalar($0) && $0 != "." && $0 != "(" }) ?? true {
      return true
    }
    position = start
    return false
  }

  private mutating func basicTerm() throws(JSONPath.SyntaxError) -> Term {
    if consume("!") || consumeWord("not") {
      skipSpace()
      let start = position
      let term = peek == "(" ? try parenthesized() : try term()
      return .test(.not(try test(of: term, at: start)))
    }
    let start = position
    guard hasShortForms || peek != "(" else {
      return .test(try test(of: try parenthesized(), at: start))
    }
    return try rest(of: try sum(), from: start)
  }

  /// Parses the comparison after a term, or returns the term itself if no comparison follows.
  private mutating func rest(
    of term: Term,
    from start: Int
  ) throws(JSONPath.SyntaxError) -> Term {
    let end = position
    skipSpace()
    if consumeWord("contains") {
      let whole = try operand(of: term, at: start)
      skipSpace()
      let partStart = position
      return .test(.contains(whole, try operand(of: try sum(), at: partStart)))
    }
    guard let comparison = try consumeComparison() else {
      position = end
      return term
    }
    let left = try operand(of: term, at: start)
    skipSpace()
    let rightStart = position
    return .test(.comparison(left, comparison, try operand(of: try sum(), at: rightStart)))
  }

  /// Parses terms with arithmetic operators, or a single term if short forms aren't allowed.
  mutating func sum() throws(JSONPath.SyntaxError) -> Term {
    try chain(["+", "-"]) { parser throws(JSONPath.SyntaxError) in
      try parser.chain(["*", "/", "%"]) { parser throws(JSONPath.SyntaxError) in
        try parser.factor()
      }
    }
  }

  private mutating func chain(
    _ operators: [String],
    _ next: (inout Self) throws(JSONPath.SyntaxError) -> Term
  ) throws(JSONPath.SyntaxError) -> Term {
    let start = position
    var term = try next(&self)
    guard hasShortForms else { return term }
    while true {
      let end = position
      skipSpace()
      guard let sign = operators.first(where: { consume($0) }),
        let arithmetic = JSONPath.Arithmetic(rawValue: sign)
      else {
        position = end
        return term
      }
      skipSpace()
      let rightStart = position
      let right = try operand(of: try next(&self), at: rightStart)
      term = .value(.arithmetic(try operand(of: term, at: start), arithmetic, right))
    }
  }

  private mutating func factor() throws(JSONPath.SyntaxError) -> Term {
    hasShortForms && peek == "(" ? try parenthesized() : try term()
  }

  /// Parses a condition in parentheses, or a value in parentheses if short forms are allowed.
  private mutating func parenthesized() throws(JSONPath.SyntaxError) -> Term {
    position += 1
    let start = position
    let term = try nested { parser throws(JSONPath.SyntaxError) in try parser.alternatives() }
    skipSpace()
    guard consume(")") else { throw expected("'&&', '||' or ')'") }
    return hasShortForms ? term : .test(try test(of: term, at: start))
  }

  private mutating func consumeComparison() throws(JSONPath.SyntaxError) -> JSONPath.Comparison? {
    for comparison in JSONPath.Comparison.allCases where consume(comparison.rawValue) {
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
    case .value(.enumCase(let pattern)): return .action(pattern)
    case .value(let operand) where operand.isShort: return .truth(operand)
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
  /// An operand or argument with its type (RFC 9535, section 2.4.1).
  enum Term {
    case value(JSONPath.Operand)
    case query(JSONPath.Query)
    case test(JSONPath.Condition)
  }

  /// Parses a literal, a query, or a function call, and, if short forms are allowed, a path or an enum case.
  mutating func term() throws(JSONPath.SyntaxError) -> Term {
    switch peek {
    case "$", "@": return .query(try query())
    case "'", "\"": return .value(.literal(.string(try stringLiteral())))
    case let next? where next == "-" || Self.isDigit(next): return .value(.literal(try number()))
    case "."? where hasShortForms: return try enumCase()
    case let next?
    where hasShortForms && (next == "[" || next.properties.isXIDStart || next == "_"):
      return try shortForm()
    case let next? where Self.isLowercase(next): return try word()
    default: throw expected(anyTerm)
    }
  }

  private var anyTerm: String {
    let short = hasShortForms ? "a place such as count, a case such as .saved, " : ""
    return "\(short)'$', '@', a string, a number, true, false, null or a function"
  }

  /// Parses a keyword, a function call, or a path in the short form.
  private mutating func shortForm() throws(JSONPath.SyntaxError) -> Term {
    let start = position
    let name = consume { Self.isNameScalar($0) }
    switch name {
    case "true", "false", "null", "nil":
      guard peek != ".", peek != "[" else { break }
      return .value(.literal(name == "true" ? true : name == "false" ? false : .null))
    case _ where peek == "(": return try call(of: name, at: start)
    default: break
    }
    position = start
    var text = scanned(hasArguments: false)
    // People also write `titles.contains("a")` instead of `titles contains "a"`.
    if peek == "(", text.hasSuffix(".contains") {
      text.removeLast(".contains".count)
      position += 1
      skipSpace()
      let partStart = position
      let part = try operand(of: try sum(), at: partStart)
      skipSpace()
      guard consume(")") else { throw expected("')'") }
      return .test(.contains(.place(try parseShortPath(text, at: start)), part))
    }
    return .value(.place(try parseShortPath(text, at: start)))
  }

  private func parseShortPath(
    _ text: String,
    at start: Int
  ) throws(JSONPath.SyntaxError) -> JSONPath.ShortPath {
    do throws(NotationSyntaxError) { return try JSONPath.ShortPath(parsing: text) } catch {
      throw failure(.expected(error.expected), at: start + error.column - 1)
    }
  }

  /// Parses an enum case, such as `.saved(.failure)`.
  private mutating func enumCase() throws(JSONPath.SyntaxError) -> Term {
    let start = position
    let text = scanned(hasArguments: true)
    do throws(NotationSyntaxError) {
      return .value(.enumCase(try ActionPattern(parsing: text)))
    } catch {
      throw failure(.expected(error.expected), at: start + error.column - 1)
    }
  }

  /// Consumes the text of a path or an enum case.
  ///
  /// The text consists of names with dots, brackets, and arguments. It ends at whitespace or an operator outside of
  /// brackets and arguments.
  private mutating func scanned(hasArguments: Bool) -> String {
    let start = position
    var open = 0
    var isQuoted = false
    while let next = peek {
      if isQuoted {
        if next == "\\" { position += 1 }
        if next == "\"" { isQuoted = false }
      } else if next == "[" || next == "(" && (hasArguments || open > 0) {
        open += 1
      } else if next == "]" || next == ")" {
        if open == 0 { break }
        open -= 1
      } else if open > 0 {
        if next == "\"" { isQuoted = true }
      } else if next != ".", !Self.isNameScalar(next) {
        break
      }
      position += 1
    }
    position = min(position, scalars.count)
    return string(from: start)
  }

  private mutating func word() throws(JSONPath.SyntaxError) -> Term {
    let start = position
    let name = consume { Self.isLowercase($0) || $0 == "_" || Self.isDigit($0) }
    if peek == "(" { return try call(of: name, at: start) }
    switch name {
    case "true": return .value(.literal(true))
    case "false": return .value(.literal(false))
    case "null": return .value(.literal(.null))
    default: throw failure(.expected(anyTerm), at: start)
    }
  }

  private mutating func call(of name: String, at start: Int) throws(JSONPath.SyntaxError) -> Term {
    guard let function = StandardFunction(rawValue: name) else {
      throw failure(.unknownFunction(suggestion: StandardFunction.closest(to: name)), at: start)
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
    if consume(")") { return [] }
    var arguments: [Argument] = []
    repeat {
      skipSpace()
      let start = position
      arguments.append((try sum(), start))
      skipSpace()
    } while consume(",")
    guard consume(")") else { throw expected("',' or ')'") }
    return arguments
  }

  private func operand(of argument: Argument) throws(JSONPath.SyntaxError) -> JSONPath.Operand {
    try operand(of: argument.term, at: argument.start)
  }

  private func query(
    of argument: Argument,
    for function: StandardFunction
  ) throws(JSONPath.SyntaxError) -> JSONPath.Query {
    guard case .query(let query) = argument.term else {
      throw failure(.notAQuery(function: function.rawValue), at: argument.start)
    }
    return query
  }
}

extension JSONPath.Parser {
  /// The functions of RFC 9535, section 2.4.
  private enum StandardFunction: String, CaseIterable {
    case length, count, match, search, value

    var arity: Int { self == .match || self == .search ? 2 : 1 }

    /// Returns a function that starts with the same letter as `name`, to suggest in an error.
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

extension JSONPath.Operand {
  /// Whether the operand is a path in the short form, which is a condition by itself.
  fileprivate var isShort: Bool {
    switch self {
    case .place: true
    case .literal, .query, .length, .count, .value, .arithmetic, .enumCase: false
    }
  }
}
