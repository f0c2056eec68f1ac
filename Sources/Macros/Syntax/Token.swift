/// The text of one declaration as the compiler sent it, and its position in its file.
struct SourceText {
  let bytes: [UInt8]
  /// The file that the text comes from, as the compiler names it.
  let fileName: String
  /// The offset of the first byte of the text in that file.
  let offset: Int

  init(_ text: String, fileName: String = "", offset: Int = 0) {
    bytes = Array(text.utf8)
    self.fileName = fileName
    self.offset = offset
  }

  func text(_ range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }

  func snippet(_ range: Range<Int>) -> Snippet {
    Snippet(text: text(range), range: range)
  }
}

/// A piece of a source text, without the blanks and comments around it.
struct Snippet: Equatable, Sendable {
  let text: String
  let range: Range<Int>
}

/// A token of Swift as far as declarations need it.
///
/// A string or regular expression literal is one token, whatever it holds. Operators come one character at a time
/// (except `->`), because `>>?` closes two generic argument lists where a type is expected.
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
  /// Blanks or comments (or nothing at all) precede this token.
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
