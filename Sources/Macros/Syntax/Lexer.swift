/// Cuts a text into tokens; blanks and comments fall away.
struct Lexer {
  let source: SourceText
  var position: Int
  private(set) var tokens: [Token] = []

  private init(_ source: SourceText, at position: Int) {
    self.source = source
    self.position = position
  }

  static func tokens(of source: SourceText) throws(ScanError) -> [Token] {
    var lexer = Lexer(source, at: 0)
    while try lexer.next() {}
    return lexer.tokens
  }

  /// The end of the brackets that open at `position`, strings and comments inside taken as such.
  static func endOfParentheses(
    in source: SourceText,
    at position: Int
  ) throws(ScanError) -> Int {
    var lexer = Lexer(source, at: position)
    var depth = 0
    while try lexer.next(), let token = lexer.tokens.last {
      if token.is("(") { depth += 1 }
      if token.is(")") { depth -= 1 }
      if depth == 0 { return lexer.position }
    }
    throw ScanError(reason: .unterminated("interpolation"), position: position)
  }

  func byte(_ ahead: Int = 0) -> UInt8? {
    position + ahead < source.bytes.count ? source.bytes[position + ahead] : nil
  }

  func starts(with text: StaticString) -> Bool {
    text.withUTF8Buffer { source.bytes[position...].starts(with: $0) }
  }

  /// Reads one token; false at the end of the text.
  private mutating func next() throws(ScanError) -> Bool {
    let before = position
    let startsLine = try skipTrivia() || tokens.isEmpty
    guard let byte = byte() else { return false }
    let start = position
    let kind = try kind(startingWith: byte)
    tokens.append(
      Token(
        kind: kind,
        range: start..<position,
        text: source.text(start..<position),
        startsLine: startsLine,
        hasSpaceBefore: before != start || tokens.isEmpty
      )
    )
    return true
  }

  private mutating func kind(startingWith byte: UInt8) throws(ScanError) -> Token.Kind {
    if byte == .quote || byte == .pound, try skipString() { return .string }
    if try skipRegex() { return .regex }
    if byte.isDigit {
      skipNumber()
      return .number
    }
    if byte == .backtick {
      try skipBackQuoted()
      return .identifier
    }
    if byte.isIdentifier {
      skip(while: \.isIdentifier)
      return .identifier
    }
    if byte == .pound, let following = self.byte(1), following.isIdentifier {
      position += 1
      skip(while: \.isIdentifier)
      return .directive
    }
    if starts(with: "->"), self.byte(2)?.isOperator != true {
      position += 2
      return .arrow
    }
    position += 1
    return byte.isOperator ? .operator(byte) : .punctuation(byte)
  }

  private mutating func skipBackQuoted() throws(ScanError) {
    let start = position
    position += 1
    skip { $0 != .backtick && $0 != .newline }
    guard byte() == .backtick else {
      throw ScanError(reason: .unterminated("identifier"), position: start)
    }
    position += 1
  }

  private mutating func skipNumber() {
    while let byte = byte() {
      let isExponentSign =
        (byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+"))
        && [UInt8(ascii: "e"), UInt8(ascii: "p")].contains(source.bytes[position - 1] | 0x20)
        && self.byte(1)?.isDigit == true
        && !isHexadecimalInteger(before: position)
      let isFraction = byte == .dot && self.byte(1)?.isDigit == true
      guard byte.isIdentifier || isExponentSign || isFraction else { return }
      position += 1
    }
  }

  /// `0xe+1` is a sum, `0x1p+1` and `1e+1` are numbers.
  private func isHexadecimalInteger(before end: Int) -> Bool {
    guard source.bytes[end - 1] | 0x20 == UInt8(ascii: "e") else { return false }
    var start = end - 1
    while start > 0, source.bytes[start - 1].isIdentifier { start -= 1 }
    return source.bytes[start..<end].starts(with: Array("0x".utf8))
  }

  mutating func skip(while condition: (UInt8) -> Bool) {
    while let byte = byte(), condition(byte) { position += 1 }
  }
}
