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

extension Snippet {
  /// The name with a prefix, such as that of the storage of a property.
  func prefixed(_ prefix: String) -> String { Identifier.quoted(prefix + name) }
}

/// The spelling of names in code.
enum Identifier {
  /// A name as code spells it: in back quotes where it is no plain identifier.
  static func quoted(_ name: String) -> String {
    let isPlain =
      name.utf8.allSatisfy(\.isIdentifier) && name.utf8.first?.isDigit == false
    return isPlain ? name : "`\(name)`"
  }

  /// A name after a dot, where these words mean something else.
  static func quotedMember(_ name: String) -> String {
    ["self", "Self", "Type", "Protocol", "init"].contains(name) ? "`\(name)`" : quoted(name)
  }

  /// A name within a string literal.
  static func escaped(_ name: String) -> String { name.replacing("\"", with: "\\\"") }

  /// The string literal of a name.
  static func literal(_ name: String) -> String { "\"\(escaped(name))\"" }

  /// The label of an argument or of the element of a tuple.
  static func quotedLabel(_ label: String) -> String {
    ["inout", "let", "var"].contains(label) ? "`\(label)`" : quoted(label)
  }
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
