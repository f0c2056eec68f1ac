import ActionLog
import ReplayCommands

/// Raw literals of Swift, in which nothing has to be escaped.
enum RawLiteral {
  /// The signs around a literal: more than any line has after a quote, so that nothing in the text ends the literal.
  static func fence(of lines: [String]) -> String {
    String(repeating: "#", count: longestRun(in: lines) + 1)
  }

  /// The longest run of `#` after a quote, or after a backslash, which begins an interpolation.
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

/// Names in generated Swift code.
enum SwiftName {
  /// The name of a feature's type, without those of the module and the types around it.
  ///
  /// - Parameters:
  ///   - feature: The feature's name, which may have generic arguments.
  ///   - log: The log that names it.
  /// - Returns: The name.
  /// - Throws: `CommandError` when the log's name is no type's: it would be code of the test.
  static func type(_ feature: String, in log: String) throws(CommandError) -> String {
    if feature.isEmpty { return "Feature" }
    guard SwiftTypeName.isValid(feature) else { throw .notATypeOfFeature(log, name: feature) }
    return SwiftTypeName.lastPart(of: feature)
  }

  /// A name as Swift takes it, between backticks unless it is certainly a plain one: reserved words are of small letters
  /// alone, but for a few types.
  static func quoted(_ name: String) -> String {
    let isPlain =
      name.allSatisfy { $0 == "_" || $0.isASCII && ($0.isLetter || $0.isNumber) }
      && name.first?.isNumber == false && name.contains { !$0.isLowercase }
      && !["Any", "Self", "Type", "Protocol", "_"].contains(name)
    return isPlain ? name : "`\(name)`"
  }

  /// Whether a text is a name that can stand in code without backticks.
  static func isUnreserved(_ name: String) -> Bool {
    name.isSwiftIdentifier && !reserved.contains(name)
  }

  /// The words that Swift reserves everywhere but after a dot, and the pattern for anything.
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

  /// A name of a function: `bug-12` becomes `bug12Replays`.
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
