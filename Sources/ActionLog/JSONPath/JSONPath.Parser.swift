extension JSONPath {
  /// A recursive-descent parser for the grammar of RFC 9535, appendix A.
  struct Parser {
    /// How deeply parentheses and filters may stand within each other: each level costs stack.
    static let deepestNesting = 100

    let text: String
    let scalars: [Unicode.Scalar]
    var position = 0
    var depth = 0

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
    skipSpace()
    let condition = try self.condition()
    skipSpace()
    guard position == scalars.count else { throw expected("'&&', '||' or the end") }
    return condition
  }

  /// Reads a query whose `$` or `@` stands at the position.
  mutating func query() throws(JSONPath.SyntaxError) -> JSONPath.Query {
    var query = JSONPath.Query(isRelative: peek == "@")
    position += 1
    while true {
      // Blank space belongs to the query only when another segment follows it.
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

  mutating func take(_ scalar: Unicode.Scalar) -> Bool {
    guard peek == scalar else { return false }
    position += 1
    return true
  }

  mutating func take(_ text: String) -> Bool {
    guard scalars[position...].starts(with: text.unicodeScalars) else { return false }
    position += text.unicodeScalars.count
    return true
  }

  mutating func take(while isIncluded: (Unicode.Scalar) -> Bool) -> String {
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

  /// Reads what stands within parentheses or a filter.
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
