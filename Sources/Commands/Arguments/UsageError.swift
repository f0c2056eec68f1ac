import ActionLog
import ReplayEngine

/// Arguments that a command cannot take.
package enum UsageError: Error, Hashable, CustomStringConvertible {
  case noCommand
  case unknownCommand(String, known: [String])
  case unknownOption(String, command: String, known: [String])
  case missingValue(option: String, value: String, command: String)
  case unexpectedValue(String, option: String, command: String)
  case badValue(String, option: String, expected: String, command: String)
  case badOperand(String, operand: String, expected: String, command: String)
  /// An option that goes with one log.
  case oneLogOnly(option: String, found: Int, command: String)
  case repeatedOption(String, command: String)
  case missingOperand(String, command: String)
  case missingOption(String, value: String, command: String)
  case extraOperand(String, command: String)
  /// A value that is no expression.
  case badExpression(option: String, JSONPath.SyntaxError, command: String)
  /// Both operands are standard input.
  case standardInputTwice(command: String)
  /// Options that exclude each other.
  case conflict(String, String, command: String)
  /// An option that means something beside another one only.
  case goesWith(String, String, command: String)

  package var description: String { Wording.describe(self) }

  /// The command that was meant, when one was.
  package var command: String? {
    switch self {
    case .noCommand, .unknownCommand: nil
    case .unknownOption(_, let command, _), .missingValue(_, _, let command),
      .unexpectedValue(_, _, let command), .badValue(_, _, _, let command),
      .badOperand(_, _, _, let command), .oneLogOnly(_, _, let command),
      .repeatedOption(_, let command), .missingOperand(_, let command),
      .missingOption(_, _, let command),
      .extraOperand(_, let command), .standardInputTwice(let command),
      .conflict(_, _, let command), .goesWith(_, _, let command), .badExpression(_, _, let command):
      command
    }
  }
}
