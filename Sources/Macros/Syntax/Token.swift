/// The text of a declaration as sent by the compiler, and its position in its file.
struct SourceText {
  let bytes: [UInt8]
  /// The file that contains the text, under the compiler's name for it.
  let fileName: String
  /// The byte offset of the text in its file.
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

/// A part of a source text, without surrounding whitespace and comments.
struct Snippet: Equatable, Sendable {
  let text: String
  let range: Range<Int>
}

extension Snippet {
  /// Returns the name with a prefix, such as that of a property's storage.
  func prefixed(_ prefix: String) -> String { IdentifierSpelling.quoted(prefix + name) }
}

/// Spells names in source code.
enum IdentifierSpelling {
  /// Returns a name as spelled in source code, in backticks if it isn't a plain identifier.
  static func quoted(_ name: String) -> String {
    let isPlain =
      name.utf8.allSatisfy(\.isIdentifier) && name.utf8.first?.isDigit == false
    return isPlain ? name : "`\(name)`"
  }

  /// Returns a name as spelled after a dot, where some keywords need backticks.
  static func quotedMember(_ name: String) -> String {
    ["self", "Self", "Type", "Protocol", "init"].contains(name) ? "`\(name)`" : quoted(name)
  }

  /// Returns a name escaped for a string literal.
  static func escaped(_ name: String) -> String { name.replacing("\"", with: "\\\"") }

  /// Returns the string literal of a name.
  static func literal(_ name: String) -> String { "\"\(escaped(name))\"" }

  /// Returns the label of an argument or a tuple element as spelled in source code.
  static func quotedLabel(_ label: String) -> String {
    ["inout", "let", "var"].contains(label) ? "`\(label)`" : quoted(label)
  }
}

/// A token of Swift, with the precision that declarations need.
///
/// A string or regular expression literal is one token, including its contents. Every character of an operator is a
/// separate token (except in `->`), because `>>?` closes two generic argument lists where a type is expected.
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
  /// Whether a line ends between the previous token and this one.
  let startsLine: Bool
  /// Whether whitespace or a comment precedes the token, or the text starts with it.
  let hasSpaceBefore: Bool

  /// The name without backticks.
  var name: String {
    text.first == "`" ? String(text.dropFirst().dropLast()) : text
  }

  func `is`(_ character: Character) -> Bool {
    switch kind {
    case .punctuation(let byte), .operator(let byte): byte == character.asciiValue
    default: false
    }
  }

  /// Whether the token is the given word, without backticks.
  func isWord(_ word: String) -> Bool {
    (kind == .identifier || kind == .directive) && text == word
  }

  var isOperator: Bool {
    if case .operator = kind { true } else { false }
  }
}
