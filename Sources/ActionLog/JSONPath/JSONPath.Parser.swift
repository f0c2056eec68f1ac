extension JSONPath {
  /// A recursive-descent parser for the grammar of RFC 9535, appendix A.
  struct Parser {
    /// The maximum nesting of parentheses and filters, because each level uses stack space.
    static let deepestNesting = 100

    let text: String
    let scalars: [Unicode.Scalar]
    var position = 0
    var depth = 0
    /// Whether paths and enum cases can be written in the short form, such as `rows.count` and `.waiting`.
    ///
    /// Always `false` inside filters, and in a parser for a single query.
    var hasShortForms = false

    init(_ text: String) {
      self.text = text
      scalars = Array(text.unicodeScalars)
    }
  }
}

extension JSONPath.Parser {
  mutating func wholeQuery() throws(JSONPath.SyntaxError) -> JSONPath.Query {
    guard peek == "$" else { throw expected("'$'") }
    let query = try self.query()
    guard position == scalars.count else { throw expected("'.', '..', '[' or the end") }
    return query
  }

  mutating func wholeExpression() throws(JSONPath.SyntaxError) -> JSONPath.Condition {
    hasShortForms = true
    skipSpace()
    let condition = try self.condition()
    skipSpace()
    guard position == scalars.count else { throw expected("'&&', '||' or the end") }
    return condition
  }

  /// Parses a complete value: a path, a query, a literal, or an arithmetic expression.
  mutating func wholeValue() throws(JSONPath.SyntaxError) -> JSONPath.Operand {
    hasShortForms = true
    skipSpace()
    let start = position
    let value = try operand(of: try sum(), at: start)
    skipSpace()
    guard position == scalars.count else { throw expected("'+', '-', '*', '/' or the end") }
    return value
  }

  /// Parses a query, whose `$` or `@` must be at the position.
  mutating func query() throws(JSONPath.SyntaxError) -> JSONPath.Query {
    var query = JSONPath.Query(isRelative: peek == "@")
    position += 1
    while true {
      // Whitespace belongs to the query only if another segment follows.
      let end = position
      skipSpace()
      guard let segment = try segment() else {
        position = end
        return query
      }
      query.segments.append(segment)
    }
  }
}

extension JSONPath.Parser {
  var peek: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

  mutating func consume(_ scalar: Unicode.Scalar) -> Bool {
    guard peek == scalar else { return false }
    position += 1
    return true
  }

  mutating func consume(_ text: String) -> Bool {
    guard scalars[position...].starts(with: text.unicodeScalars) else { return false }
    position += text.unicodeScalars.count
    return true
  }

  mutating func consume(while isIncluded: (Unicode.Scalar) -> Bool) -> String {
    let start = position
    while let next = peek, isIncluded(next) { position += 1 }
    return string(from: start)
  }

  mutating func skipSpace() {
    while let next = peek, next == " " || next == "\t" || next == "\n" || next == "\r" {
      position += 1
    }
  }

  func string(from start: Int) -> String {
    var text = ""
    text.unicodeScalars.append(contentsOf: scalars[start..<position])
    return text
  }

  /// Parses the contents of parentheses or a filter with a closure, and limits the nesting.
  mutating func nested<Value>(
    _ body: (inout Self) throws(JSONPath.SyntaxError) -> Value
  ) throws(JSONPath.SyntaxError) -> Value {
    guard depth < Self.deepestNesting else { throw failure(.nestedTooDeep) }
    depth += 1
    defer { depth -= 1 }
    return try body(&self)
  }

  func expected(_ what: String) -> JSONPath.SyntaxError { failure(.expected(what)) }

  func failure(
    _ problem: JSONPath.SyntaxError.Problem,
    at position: Int? = nil
  ) -> JSONPath.SyntaxError {
    let position = position ?? self.position
    return JSONPath.SyntaxError(
      text: text,
      column: position + 1,
      found: position < scalars.count ? String(Character(scalars[position])) : nil,
      problem: problem
    )
  }
}

extension JSONPath.Parser {
  /// Parses a segment (RFC 9535, section 2.5), or returns `nil` if there is none at the position.
  mutating func segment() throws(JSONPath.SyntaxError) -> JSONPath.Segment? {
    if peek == "[" { return JSONPath.Segment(selectors: try bracketed()) }
    guard consume(".") else { return nil }
    guard consume(".") else { return JSONPath.Segment(selectors: [try shorthand("a name or '*'")]) }
    let selectors = peek == "[" ? try bracketed() : [try shorthand("a name, '*' or '['")]
    return JSONPath.Segment(isDescendant: true, selectors: selectors)
  }

  private mutating func shorthand(
    _ expectation: String
  ) throws(JSONPath.SyntaxError) -> JSONPath.Selector {
    if consume("*") { return .wildcard }
    guard let first = peek, Self.isNameScalar(first), !Self.isDigit(first) else {
      throw expected(expectation)
    }
    return .name(consume(while: Self.isNameScalar))
  }

  private mutating func bracketed() throws(JSONPath.SyntaxError) -> [JSONPath.Selector] {
    position += 1
    var selectors: [JSONPath.Selector] = []
    repeat {
      skipSpace()
      selectors.append(try selector())
      skipSpace()
    } while consume(",")
    guard consume("]") else { throw expected("',' or ']'") }
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
      let hadShortForms = hasShortForms
      hasShortForms = false
      defer { hasShortForms = hadShortForms }
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
    guard consume(":") else {
      position = end
      guard let start else { throw expected("an index") }
      return .index(start)
    }
    skipSpace()
    let stop = try integer()
    skipSpace()
    guard consume(":") else { return .slice(start: start, end: stop, step: 1) }
    skipSpace()
    return .slice(start: start, end: stop, step: try integer() ?? 1)
  }

  /// Parses an integer that I-JSON can represent exactly, or returns `nil` if no integer is at the position.
  private mutating func integer() throws(JSONPath.SyntaxError) -> Int? {
    let start = position
    let isNegative = consume("-")
    let digits = consume(while: Self.isDigit)
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

extension JSONPath.Parser {
  /// Parses a string, whose opening quote must be at the position (RFC 9535, section 2.3.1.1).
  mutating func stringLiteral() throws(JSONPath.SyntaxError) -> String {
    let quote = scalars[position]
    position += 1
    var text = ""
    while let next = peek, next != quote {
      guard next.value >= 0x20 else { throw expected("an escaped control character") }
      position += 1
      text.unicodeScalars.append(next == "\\" ? try escape(quote: quote) : next)
    }
    guard consume(quote) else { throw expected("the closing \(quote)") }
    return text
  }

  private mutating func escape(
    quote: Unicode.Scalar
  ) throws(JSONPath.SyntaxError) -> Unicode.Scalar {
    guard let next = peek else { throw expected("an escape") }
    position += 1
    switch next {
    case "b": return "\u{8}"
    case "t": return "\t"
    case "n": return "\n"
    case "f": return "\u{C}"
    case "r": return "\r"
    case "/", "\\", quote: return next
    case "u": return try unicodeEscape()
    default:
      position -= 1
      throw expected("one of \(quote) \\ / b f n r t u after '\\'")
    }
  }

  private mutating func unicodeEscape() throws(JSONPath.SyntaxError) -> Unicode.Scalar {
    let start = position
    let first = try hexDigits()
    if let scalar = Unicode.Scalar(first) { return scalar }
    guard first < 0xDC00, consume("\\u") else { throw loneSurrogate(at: start) }
    let second = try hexDigits()
    guard (0xDC00...0xDFFF).contains(second),
      let scalar = Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
    else { throw loneSurrogate(at: start) }
    return scalar
  }

  private func loneSurrogate(at start: Int) -> JSONPath.SyntaxError {
    failure(.expected("both halves of a surrogate pair"), at: start)
  }

  private mutating func hexDigits() throws(JSONPath.SyntaxError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let next = peek, next.isASCII, let digit = Character(next).hexDigitValue else {
        throw expected("four hexadecimal digits")
      }
      value = value << 4 | UInt32(digit)
      position += 1
    }
    return value
  }

  /// Parses a number (RFC 9535, section 2.3.5.1), including `-0`.
  mutating func number() throws(JSONPath.SyntaxError) -> JSON {
    let start = position
    _ = consume("-")
    _ = consume(while: Self.isDigit)
    if peek == ".", position + 1 < scalars.count, Self.isDigit(scalars[position + 1]) {
      position += 1
      _ = consume(while: Self.isDigit)
    }
    if peek == "e" || peek == "E" {
      position += 1
      if !consume("-") { _ = consume("+") }
      _ = consume(while: Self.isDigit)
    }
    guard let number = JSON.Number(string(from: start)) else {
      throw failure(.expected("a number"), at: start)
    }
    return .number(number)
  }
}
