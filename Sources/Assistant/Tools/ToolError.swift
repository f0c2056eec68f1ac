import ActionLog
import ReplayCommands
import ReplayEngine

/// An error of a tool.
///
/// The model reads and corrects it.
enum ToolError: Error, Equatable, CustomStringConvertible {
  /// Invalid arguments, with an explanation.
  case badArguments(String)
  /// An unknown log, with a suggestion.
  case noSuchLog(String, String)
  /// A file outside the folders.
  case outsideOfFolders(String)
  /// A file that is not a log.
  case notALog(String)
  /// A request for output, although the server was started without a folder for results.
  case noOutput
  /// A cursor that this tool has not returned.
  case badCursor(String)

  var description: String { Wording.describe(self) }
}

extension ToolError {
  /// Returns the code of an error, which stays the same if its message changes.
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
