/// Splits a text into tokens and discards whitespace and comments.
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

  /// Returns the end of the parentheses that open at `position`, and skips strings and comments inside.
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

  /// Reads one token.
  ///
  /// Returns `false` at the end of the text.
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

  /// Whether the text before an offset is a hexadecimal integer.
  ///
  /// `0xe+1` is a sum, but `0x1p+1` and `1e+1` are numbers.
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

extension Lexer {
  /// Skips whitespace and comments, including nested ones.
  ///
  /// Returns whether a line ended there.
  private mutating func skipTrivia() throws(ScanError) -> Bool {
    var endsLine = false
    while let byte = byte() {
      if byte == .newline || byte == .carriageReturn {
        endsLine = true
        position += 1
      } else if byte.isBlank {
        position += 1
      } else if starts(with: "//") {
        skip { $0 != .newline && $0 != .carriageReturn }
      } else if starts(with: "/*") {
        endsLine = try skipBlockComment() || endsLine
      } else {
        break
      }
    }
    return endsLine
  }

  private mutating func skipBlockComment() throws(ScanError) -> Bool {
    let start = position
    var depth = 0
    repeat {
      if starts(with: "/*") {
        depth += 1
        position += 2
      } else if starts(with: "*/") {
        depth -= 1
        position += 2
      } else if byte() != nil {
        position += 1
      } else {
        throw ScanError(reason: .unterminated("comment"), position: start)
      }
    } while depth > 0
    return source.bytes[start..<position].contains(.newline)
  }
}

extension Lexer {
  /// Skips a string literal with its interpolations, if one starts here.
  mutating func skipString() throws(ScanError) -> Bool {
    let start = position
    var pounds = 0
    while byte(pounds) == .pound { pounds += 1 }
    guard byte(pounds) == .quote else { return false }
    position += pounds
    let isMultiline = opensMultiline(pounds: pounds)
    position += isMultiline ? 3 : 1
    while let byte = byte() {
      if byte == .backslash, hasPounds(pounds, at: 1) {
        try skipEscape(pounds: pounds)
      } else if byte == .quote, isMultiline ? starts(with: "\"\"\"") : true,
        hasPounds(pounds, at: isMultiline ? 3 : 1)
      {
        position += (isMultiline ? 3 : 1) + pounds
        return true
      } else if byte == .newline, !isMultiline {
        break
      } else {
        position += 1
      }
    }
    throw ScanError(reason: .unterminated("string literal"), position: start)
  }

  /// Whether three quotes open a multiline string.
  ///
  /// In `#"""#` they don't, because that is a string of one quote.
  private func opensMultiline(pounds: Int) -> Bool {
    guard starts(with: "\"\"\"") else { return false }
    guard pounds > 0 else { return true }
    var ahead = 3
    while let byte = byte(ahead), byte != .newline {
      if byte == .quote, hasPounds(pounds, at: ahead + 1) { return false }
      ahead += 1
    }
    return !hasPounds(pounds, at: 3)
  }

  private func hasPounds(_ count: Int, at ahead: Int) -> Bool {
    (0..<count).allSatisfy { byte(ahead + $0) == .pound }
  }

  private mutating func skipEscape(pounds: Int) throws(ScanError) {
    position += 1 + pounds
    guard byte() == UInt8(ascii: "(") else {
      if byte() != nil { position += 1 }
      return
    }
    position = try Lexer.endOfParentheses(in: source, at: position)
  }
}

extension Lexer {
  /// Skips a regular expression literal, if one starts here.
  ///
  /// By Swift's rule, a bare `/` opens a literal only where an operand may start, and only if the same line closes it,
  /// with balanced brackets and no space just inside. The rule also distinguishes `/Action.a, action: /Action.b`.
  private mutating func skipRegex() throws(ScanError) -> Bool {
    if byte() == .pound { return try skipExtendedRegex() }
    guard byte() == .slash, mayStartOperand else { return false }
    guard let first = byte(1), !first.isBlank, first != .newline else { return false }
    guard let end = endOfBareRegex() else { return false }
    position = end
    return true
  }

  private mutating func skipExtendedRegex() throws(ScanError) -> Bool {
    let start = position
    var pounds = 0
    while byte(pounds) == .pound { pounds += 1 }
    guard byte(pounds) == .slash else { return false }
    position += pounds + 1
    while let byte = byte() {
      if byte == .backslash {
        position += 2
      } else if byte == .slash, (0..<pounds).allSatisfy({ self.byte(1 + $0) == .pound }) {
        position += 1 + pounds
        return true
      } else {
        position += 1
      }
    }
    throw ScanError(reason: .unterminated("regular expression"), position: start)
  }

  private func endOfBareRegex() -> Int? {
    var depth = 0
    var isInClass = false
    var index = position + 1
    while index < source.bytes.count, source.bytes[index] != .newline {
      switch source.bytes[index] {
      case .backslash: index += 1
      case UInt8(ascii: "["): isInClass = true
      case UInt8(ascii: "]"): isInClass = false
      case UInt8(ascii: "(") where !isInClass: depth += 1
      case UInt8(ascii: ")") where !isInClass:
        depth -= 1
        if depth < 0 { return nil }
      case .slash where !isInClass:
        return depth == 0 && !source.bytes[index - 1].isBlank ? index + 1 : nil
      default: break
      }
      index += 1
    }
    return nil
  }

  private var mayStartOperand: Bool {
    guard let last = tokens.last else { return true }
    switch last.kind {
    case .number, .string, .regex: return false
    case .identifier: return Self.wordsBeforeOperands.contains(last.text)
    case .directive: return Self.wordsBeforeOperands.contains(last.text)
    case .arrow: return true
    case .operator:
      // No operand follows a postfix operator (`x!/y/`). All other operators require one.
      let isPostfix = !last.hasSpaceBefore && last.range.upperBound == position
      return !(isPostfix && (last.is("!") || last.is("?")))
    case .punctuation: return !last.is(")") && !last.is("]") && !last.is("}")
    }
  }

  private static let wordsBeforeOperands: Set<String> = [
    "return", "try", "await", "in", "case", "if", "guard", "while", "where", "switch", "else",
    "throw", "yield", "is", "as", "repeat", "do", "consume", "copy", "unsafe", "#if", "#elseif",
  ]
}

extension UInt8 {
  static let newline = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")
  static let quote = UInt8(ascii: "\"")
  static let pound = UInt8(ascii: "#")
  static let backslash = UInt8(ascii: "\\")
  static let backtick = UInt8(ascii: "`")
  static let slash = UInt8(ascii: "/")
  static let dot = UInt8(ascii: ".")

  var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  var isBlank: Bool { self == 0x20 || (0x09...0x0D).contains(self) || self == 0 }

  /// Whether the byte is a letter, a digit, `_`, `$` or non-ASCII.
  var isIdentifier: Bool {
    isDigit || self >= 0x80 || self == UInt8(ascii: "_") || self == UInt8(ascii: "$")
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
  }

  var isOperator: Bool {
    switch Unicode.Scalar(self) {
    case "/", "=", "-", "+", "!", "*", "%", "<", ">", "&", "|", "^", "~", "?": true
    default: false
    }
  }
}
