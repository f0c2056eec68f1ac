import ActionLog

/// Validates type names from a log.
///
/// A generated test contains these names as code, and a log may come from an untrusted source.
enum SwiftTypeNameValidator {
  /// Returns whether a string is exactly one type name.
  ///
  /// A type name consists of identifiers that are separated by dots and may have types in angle brackets. Arrays,
  /// dictionaries, tuples, and optionals of such types are also valid.
  static func isValid(_ text: String) -> Bool {
    var parser = Parser(rest: text.unicodeScalars[...])
    return parser.consumeType() && parser.rest.isEmpty
  }

  /// Returns the part of a type name after the last dot that is outside of brackets.
  static func lastPart(of text: String) -> String {
    var depth = 0
    var start = text.startIndex
    for index in text.indices {
      switch text[index] {
      case "<", "[", "(": depth += 1
      case ">", "]", ")": depth -= 1
      case "." where depth == 0: start = text.index(after: index)
      default: break
      }
    }
    return String(text[start...])
  }

  private struct Parser {
    var rest: Substring.UnicodeScalarView
    private var depth = 0
    /// The maximum nesting depth of types, which is more than in handwritten code.
    private static let mostNested = 32

    init(rest: Substring.UnicodeScalarView) { self.rest = rest }

    mutating func consumeType() -> Bool {
      guard depth < Self.mostNested else { return false }
      depth += 1
      defer { depth -= 1 }
      guard consumeUnmarkedType() else { return false }
      while consume("?") {}
      return true
    }

    private mutating func consumeUnmarkedType() -> Bool {
      if consume("[") {
        guard consumeType() else { return false }
        if consume(":"), !consumeType() { return false }
        return consume("]")
      }
      if consume("(") { return consume(")") || consumeTypes(until: ")") }
      repeat {
        guard consumeIdentifier() else { return false }
        if consume("<"), !consumeTypes(until: ">") { return false }
      } while consume(".")
      return true
    }

    private mutating func consumeTypes(until end: Unicode.Scalar) -> Bool {
      repeat { guard consumeType() else { return false } } while consume(",")
      return consume(end)
    }

    private mutating func consumeIdentifier() -> Bool {
      skipSpaces()
      let name = rest.prefix { $0 == "_" || $0.properties.isXIDContinue }
      rest = rest.dropFirst(name.count)
      return SwiftNameConverter.isUnreserved(String(Substring(name)))
    }

    private mutating func consume(_ scalar: Unicode.Scalar) -> Bool {
      skipSpaces()
      guard rest.first == scalar else { return false }
      rest.removeFirst()
      return true
    }

    /// Skips spaces, but not line breaks, because a line break ends a statement.
    private mutating func skipSpaces() { rest = rest.drop { $0 == " " } }
  }
}
