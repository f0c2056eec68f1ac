import ActionLog
import ReplayCommands
import ReplayEngine

/// An error of a tool, which the model reads and corrects.
enum ToolError: Error, Equatable, CustomStringConvertible {
  /// Arguments that the tool cannot take, in words.
  case badArguments(String)
  /// No log has this name; and what may be meant.
  case noSuchLog(String, String)
  /// A file that is not in the folders.
  case outsideOfFolders(String)
  /// A file that is no log.
  case notALog(String)
  /// The server was started without a folder for results.
  case noOutput
  /// A cursor that no answer of this tool had.
  case badCursor(String)

  var description: String { Wording.describe(self) }
}

extension ToolError {
  /// The code of an error, for programs: it stays the same when the words change.
  static func code(of error: any Error) -> String {
    switch error {
    case ToolError.badArguments, ToolError.badCursor: "badArguments"
    case ToolError.noSuchLog: "noSuchLog"
    case ToolError.outsideOfFolders: "outsideOfFolders"
    case ToolError.notALog: "notALog"
    case ToolError.noOutput: "noOutputFolder"
    default:
      switch ExitStatus(error) {
      case .same, .different: "notFound"
      case .usage: "badArguments"
      case .unreadable: "unreadable"
      case .noInput: "noSuchLog"
      case .hostFailed: "hostFailed"
      case .cannotCreate, .inputOutput: "inputOutput"
      }
    }
  }
}
