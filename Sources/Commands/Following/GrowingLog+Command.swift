import ActionLog
import ReplayEngine

extension GrowingLog {
  /// Validates that an operand is a path to which a recorder can write.
  ///
  /// - Throws: `UsageError` if the operand is a stream or a folder.
  package static func check(_ operand: String, of syntax: CommandSyntax) throws(UsageError) {
    guard operand != "-", FileSystemItemKind(operand) != .stream,
      FileSystemItemKind(operand) != .folder
    else {
      throw .badOperand(
        operand,
        operand: syntax.operands[0].name,
        expected: "the path of a file that a recorder writes",
        command: syntax.name
      )
    }
  }
}

extension Wording {
  package static func waitingFor(_ log: String) -> String { "waiting for \(log); Ctrl-C ends" }
}
