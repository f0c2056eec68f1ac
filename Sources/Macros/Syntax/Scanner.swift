/// Reads a declaration from its tokens.
///
/// The compiler has already parsed the text, so brackets match and keywords occur only where they are allowed. The
/// scanner reads the parts that macros need, and skips bodies and expressions by their brackets. It never guesses: text
/// that it can't read is an error with a position.
struct Scanner {
  let source: SourceText
  let tokens: [Token]
  var index = 0

  private init(_ source: SourceText) throws(ScanError) {
    self.source = source
    tokens = try Lexer.tokens(of: source)
  }

  /// Reads the only declaration in a text.
  static func declaration(in source: SourceText) throws(ScanError) -> Declaration {
    var scanner = try Scanner(source)
    let declaration = try scanner.declaration()
    while scanner.current?.is(";") == true { scanner.index += 1 }
    guard scanner.current == nil else { throw scanner.error(.unreadable) }
    return declaration
  }

  /// Reads all members in a text.
  static func members(in source: SourceText) throws(ScanError) -> [Member] {
    var scanner = try Scanner(source)
    let members = try scanner.memberList()
    guard scanner.current == nil else { throw scanner.error(.unreadable) }
    return members
  }

  /// Reads the only type in a text.
  static func type(in source: SourceText) throws(ScanError) -> TypeReference {
    var scanner = try Scanner(source)
    let type = try scanner.type()
    guard scanner.current == nil else { throw scanner.error(.unreadable) }
    return type
  }

  /// Reads the only attribute in a text.
  static func attribute(in source: SourceText) throws(ScanError) -> Attribute {
    var scanner = try Scanner(source)
    return try scanner.attribute()
  }
}

extension Scanner {
  var current: Token? { index < tokens.count ? tokens[index] : nil }

  func peek(_ ahead: Int = 1) -> Token? {
    index + ahead >= 0 && index + ahead < tokens.count ? tokens[index + ahead] : nil
  }

  func isAt(_ character: Character) -> Bool { current?.is(character) == true }

  func isAt(word: String) -> Bool { current?.isWord(word) == true }

  func error(_ reason: ScanError.Reason) -> ScanError {
    ScanError(
      reason: reason,
      position: current?.range.lowerBound ?? tokens.last?.range.upperBound ?? 0
    )
  }

  mutating func accept(_ character: Character) -> Bool {
    guard isAt(character) else { return false }
    index += 1
    return true
  }

  mutating func accept(word: String) -> Bool {
    guard isAt(word: word) else { return false }
    index += 1
    return true
  }

  mutating func expect(_ character: Character) throws(ScanError) {
    guard accept(character) else { throw error(.expected("'\(character)'")) }
  }

  mutating func identifier() throws(ScanError) -> Snippet {
    guard let token = current, token.kind == .identifier else {
      throw error(.expected("a name"))
    }
    index += 1
    return Snippet(text: token.text, range: token.range)
  }

  /// Returns the text from the token at `first` to the last token read.
  func snippet(from first: Int) -> Snippet {
    source.snippet(range(from: first))
  }

  func range(from first: Int) -> Range<Int> {
    guard first < index else {
      let position = error(.unreadable).position
      return position..<position
    }
    return tokens[first].range.lowerBound..<tokens[index - 1].range.upperBound
  }

  /// Skips the brackets that open here and their contents.
  mutating func skipBrackets() throws(ScanError) {
    let first = index
    var depth = 0
    while let token = current {
      if token.is("(") || token.is("[") || token.is("{") { depth += 1 }
      if token.is(")") || token.is("]") || token.is("}") { depth -= 1 }
      index += 1
      if depth == 0 { return }
    }
    index = first
    throw error(.unterminated("bracket"))
  }
}

/// The reason and the position of a failure to read a declaration.
struct ScanError: Error, Equatable {
  enum Reason: Equatable {
    case expected(String)
    case unterminated(String)
    case unreadable
  }

  let reason: Reason
  let position: Int
}
