import ActionLog
import ReplayEngine

/// An error in the arguments of a command.
package enum UsageError: Error, Hashable, CustomStringConvertible {
  case noCommand
  case unknownCommand(String, known: [String])
  case unknownOption(String, command: String, known: [String])
  case missingValue(option: String, value: String, command: String)
  case unexpectedValue(String, option: String, command: String)
  case badValue(String, option: String, expected: String, command: String)
  case badOperand(String, operand: String, expected: String, command: String)
  /// An option was used with several logs, although it needs exactly one.
  case oneLogOnly(option: String, found: Int, command: String)
  case repeatedOption(String, command: String)
  case missingOperand(String, command: String)
  case missingOption(String, value: String, command: String)
  /// None of the command's forms is complete. Each element has the missing arguments of one form.
  case missingForm([String], command: String)
  case extraOperand(String, command: String)
  /// The value of an option is not a valid JSONPath expression.
  case badExpression(option: String, JSONPath.SyntaxError, command: String)
  /// The value of an option is not a valid edit of a log.
  case badEdit(option: String, String, command: String)
  /// Both operands name standard input.
  case standardInputTwice(command: String)
  /// Two options exclude each other.
  case conflict(String, String, command: String)
  /// An option requires another option that was not given.
  case goesWith(String, String, command: String)

  package var description: String { Wording.describe(self) }

  /// The name of the command with the error, or `nil` if no command was given.
  package var command: String? {
    switch self {
    case .noCommand, .unknownCommand: nil
    case .unknownOption(_, let command, _), .missingValue(_, _, let command),
      .unexpectedValue(_, _, let command), .badValue(_, _, _, let command),
      .badOperand(_, _, _, let command), .oneLogOnly(_, _, let command),
      .repeatedOption(_, let command), .missingOperand(_, let command),
      .missingOption(_, _, let command), .missingForm(_, let command),
      .extraOperand(_, let command), .standardInputTwice(let command),
      .conflict(_, _, let command), .goesWith(_, _, let command), .badExpression(_, _, let command),
      .badEdit(_, _, let command):
      command
    }
  }
}
