extension JSONPath.Parser {
  /// Reads a segment (RFC 9535, section 2.5), when one stands at the position.
  mutating func segment() throws(JSONPath.SyntaxError) -> JSONPath.Segment? {
    if peek == "[" { return JSONPath.Segment(selectors: try bracketed()) }
    guard take(".") else { return nil }
    guard take(".") else { return JSONPath.Segment(selectors: [try shorthand("a name or '*'")]) }
    let selectors = peek == "[" ? try bracketed() : [try shorthand("a name, '*' or '['")]
    return JSONPath.Segment(isDescendant: true, selectors: selectors)
  }

  private mutating func shorthand(
    _ expectation: String
  ) throws(JSONPath.SyntaxError) -> JSONPath.Selector {
    if take("*") { return .wildcard }
    guard let first = peek, Self.isNameScalar(first), !Self.isDigit(first) else {
      throw expected(expectation)
    }
    return .name(take(while: Self.isNameScalar))
  }

  private mutating func bracketed() throws(JSONPath.SyntaxError) -> [JSONPath.Selector] {
    position += 1
    var selectors: [JSONPath.Selector] = []
    repeat {
      skipSpace()
      selectors.append(try selector())
      skipSpace()
    } while take(",")
    guard take("]") else { throw expected("',' or ']'") }
    return selectors
  }

  private mutating func selector() throws(JSONPath.SyntaxError) -> JSONPath.Selector {
    switch peek {
    case "'", "\"": return .name(try stringLiteral())
    case "*":
      position += 1
      return .wildcard
    case "?":
      position += 1
      skipSpace()
      return .filter(try nested { parser throws(JSONPath.SyntaxError) in try parser.condition() })
    case let next? where next == ":" || next == "-" || Self.isDigit(next):
      return try indexOrSlice()
    default: throw expected("a quoted name, an index, a slice, '*' or '?'")
    }
  }

  private mutating func indexOrSlice() throws(JSONPath.SyntaxError) -> JSONPath.Selector {
    let start = try integer()
    let end = position
    skipSpace()
    guard take(":") else {
      position = end
      guard let start else { throw expected("an index") }
      return .index(start)
    }
    skipSpace()
    let stop = try integer()
    skipSpace()
    guard take(":") else { return .slice(start: start, end: stop, step: 1) }
    skipSpace()
    return .slice(start: start, end: stop, step: try integer() ?? 1)
  }

  /// Reads an integer that I-JSON can hold exactly, when one stands at the position.
  private mutating func integer() throws(JSONPath.SyntaxError) -> Int? {
    let start = position
    let isNegative = take("-")
    let digits = take(while: Self.isDigit)
    guard isNegative || !digits.isEmpty else { return nil }
    guard let first = digits.first else { throw expected("a digit") }
    guard first != "0" || (digits == "0" && !isNegative) else {
      throw failure(
        .expected("an integer without leading zeros, and without '-' before 0"),
        at: start
      )
    }
    guard let value = Int(digits), value < 1 << 53 else {
      throw failure(.integerOutOfRange, at: start)
    }
    return isNegative ? -value : value
  }
}

extension JSONPath.Parser {
  static func isDigit(_ scalar: Unicode.Scalar) -> Bool { scalar >= "0" && scalar <= "9" }

  static func isLowercase(_ scalar: Unicode.Scalar) -> Bool { scalar >= "a" && scalar <= "z" }

  static func isNameScalar(_ scalar: Unicode.Scalar) -> Bool {
    isLowercase(scalar) || scalar >= "A" && scalar <= "Z" || scalar == "_" || isDigit(scalar)
      || scalar.value >= 0x80
  }
}
