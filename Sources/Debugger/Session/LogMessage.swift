import LogTools
import ReplayEngine

/// The message of a logpoint: text with expressions in braces.
///
/// ```swift
/// try LogMessage(parsing: "{todos.count} rows, filter {filter}").text(at: step)  // 3 rows, filter "all"
/// ```
///
/// A backslash before a brace makes it text.
package struct LogMessage: Sendable {
  private enum MessagePart: Sendable {
    case text(String)
    case value(StepExpression)
  }

  /// The message as it was typed.
  package let source: String
  private let parts: [MessagePart]

  /// Reads a message.
  ///
  /// - Throws: `DebugError.badExpression`, `DebugError.badValue` for a brace without its other half.
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

  /// The index of the brace that ends an expression: the first one outside of quotes.
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

  /// The message at a step.
  ///
  /// An expression without a value there leaves `?`.
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
