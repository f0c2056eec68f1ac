import ActionLog
import ReplayCommands

/// Delimiters for raw Swift literals, in which text needs no escapes.
enum RawLiteral {
  /// Returns the `#` signs that delimit a literal, chosen so that no line can end the literal or start an
  /// interpolation.
  static func fence(of lines: [String]) -> String {
    String(repeating: "#", count: longestRun(in: lines) + 1)
  }

  /// Returns the longest run of `#` that follows a quote or a backslash.
  private static func longestRun(in lines: [String]) -> Int {
    var longest = 0
    for line in lines {
      var run: Int?
      for byte in line.utf8 {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): run = 0
        case UInt8(ascii: "#"): run = run.map { $0 + 1 }
        default: run = nil
        }
        longest = max(longest, run ?? 0)
      }
    }
    return longest
  }
}

/// Converts names from a log to names in generated Swift code.
enum SwiftNameConverter {
  /// Returns the name of a feature's type, without its module and enclosing types.
  ///
  /// - Parameters:
  ///   - feature: The feature's name from the log header, which may have generic arguments.
  ///   - log: The name of the log, for the error.
  /// - Returns: The name of the type.
  /// - Throws: `CommandError` if `feature` is not a valid type name, because the name becomes code of the test.
  static func type(_ feature: String, in log: String) throws(CommandError) -> String {
    if feature.isEmpty { return "Feature" }
    guard SwiftTypeNameValidator.isValid(feature) else {
      throw .notATypeOfFeature(log, name: feature)
    }
    return SwiftTypeNameValidator.lastPart(of: feature)
  }

  /// Returns a name in backticks, unless the name certainly needs none.
  ///
  /// All reserved words consist of lowercase letters, except for a few types.
  static func quoted(_ name: String) -> String {
    let isPlain =
      name.allSatisfy { $0 == "_" || $0.isASCII && ($0.isLetter || $0.isNumber) }
      && name.first?.isNumber == false && name.contains { !$0.isLowercase }
      && !["Any", "Self", "Type", "Protocol", "_"].contains(name)
    return isPlain ? name : "`\(name)`"
  }

  /// Returns whether a string is an identifier that needs no backticks.
  static func isUnreserved(_ name: String) -> Bool {
    name.isSwiftIdentifier && !reserved.contains(name)
  }

  /// The wildcard pattern, and the words that Swift reserves everywhere except after a dot.
  private static let reserved: Set<String> = [
    "_", "Any", "Protocol", "Self", "Type", "as", "associatedtype", "break", "case", "catch",
    "class",
    "continue", "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough",
    "false",
    "fileprivate", "for", "func", "guard", "if", "import", "in", "init", "inout", "internal", "is",
    "let",
    "nil", "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows",
    "return", "self", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true",
    "try", "typealias", "var", "where", "while",
  ]

  /// Returns a function name for a file name, such as `bug12Replays` for `bug-12`.
  static func function(_ text: String, suffix: String = "Replays") -> String {
    var name = ""
    var isStart = false
    for character in text {
      guard character.isLetter || (character.isNumber && character.isASCII) else {
        isStart = !name.isEmpty
        continue
      }
      name += isStart ? character.uppercased() : String(character)
      isStart = false
    }
    if name.first?.isNumber ?? true { name = "log" + name }
    return name + suffix
  }
}
