/// A token of Swift as far as declarations need it.
///
/// A string or regular expression literal is one token, whatever it holds. Operators come one character at a time
/// (apart from `->`), because `>>?` closes two generic argument lists where a type may stand.
struct Token: Equatable {
  enum Kind: Equatable {
    case identifier
    case number
    case string
    case regex
    case directive
    case arrow
    case punctuation(UInt8)
    case `operator`(UInt8)
  }

  let kind: Kind
  let range: Range<Int>
  let text: String
  /// A line ends between the token before and this one.
  let startsLine: Bool
  /// Blanks or comments (or nothing at all) stand before this token.
  let hasSpaceBefore: Bool

  /// The name without back quotes.
  var name: String {
    text.first == "`" ? String(text.dropFirst().dropLast()) : text
  }

  func `is`(_ character: Character) -> Bool {
    switch kind {
    case .punctuation(let byte), .operator(let byte): byte == character.asciiValue
    default: false
    }
  }

  /// Whether this is the given word, not in back quotes.
  func isWord(_ word: String) -> Bool {
    (kind == .identifier || kind == .directive) && text == word
  }

  var isOperator: Bool {
    if case .operator = kind { true } else { false }
  }
}
