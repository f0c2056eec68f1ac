import LogTools
import ReplayEngine

/// The message of a logpoint: text with expressions in braces.
///
/// ```swift
/// try LogpointMessage(parsing: "{todos.count} rows, filter {filter}").text(at: step)  // 3 rows, filter "all"
/// ```
///
/// A backslash escapes a brace.
package struct LogpointMessage: Sendable {
  private enum MessagePart: Sendable {
    case text(String)
    case value(StepExpression)
  }

  /// The message as the user typed it.
  package let source: String
  private let parts: [MessagePart]

  /// Parses a message.
  ///
  /// - Throws: `DebugError.badExpression`, or `DebugError.badValue` for an unmatched brace.
  package init(parsing source: String) throws(DebugError) {
    var parts: [MessagePart] = []
    var text = ""
    var rest = source[...]
    while let character = rest.popFirst() {
      switch character {
      case "\\" where rest.first == "{" || rest.first == "}" || rest.first == "\\":
        text.append(rest.removeFirst())
      case "{":
        guard let end = Self.closingBrace(of: rest) else { throw Self.unbalanced(source) }
        if !text.isEmpty { parts.append(.text(text)) }
        text = ""
        parts.append(.value(try StepExpression(parsing: String(rest[..<end]))))
        rest = rest[rest.index(after: end)...]
      case "}": throw Self.unbalanced(source)
      default: text.append(character)
      }
    }
    if !text.isEmpty { parts.append(.text(text)) }
    self.source = source
    self.parts = parts
  }

  /// Returns the index of the brace that closes an expression, which is the first one outside of quotes.
  private static func closingBrace(of text: Substring) -> Substring.Index? {
    var quote: Character?
    for index in text.indices {
      switch text[index] {
      case let character where quote != nil: if character == quote { quote = nil }
      case "\"", "'": quote = text[index]
      case "}": return index
      default: break
      }
    }
    return nil
  }

  private static func unbalanced(_ source: String) -> DebugError {
    .badValue(source, expected: Wording.balancedBraces)
  }

  /// Returns the message at a step.
  ///
  /// An expression without a value is replaced by `?`.
  package func text(at step: LogStep) -> String {
    parts.map { part in
      switch part {
      case .text(let text): return Notation.visible(text)
      case .value(let expression):
        guard let value = try? expression.value(in: step) else { return "?" }
        return ValueText(style: .plain).line(value)
      }
    }.joined()
  }
}
