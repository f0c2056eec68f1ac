import ActionLog
import ReplayEngine

/// What keeps a command from doing what its arguments say.
package enum CommandError: StatusError, Equatable, CustomStringConvertible {
  /// One of several logs cannot be read.
  case unreadable(String, LogReadError)
  /// The settings in the working folder are not what they should be.
  case badSettings(problem: String)
  /// A log whose replay cannot be the new baseline.
  case cannotAccept(String)
  /// A line of a file of actions is not what it should be.
  case badActionLine(file: String, line: Int, problem: String)
  /// A feature can be replayed only.
  case cannotRecord(String)
  /// The log ends before the action that was asked for.
  case noSuchAction(Int, last: Int)
  /// The state has nothing at this path.
  case nothing(at: JSON.Pointer, MissingPlace?, seq: Int)
  /// The result would take the place of a log that another command, or a recorder, has written.
  case wouldOverwrite(String, command: String)
  /// The folder for what is kept between commands cannot be used.
  case unusableCache(StreamError)

  package var description: String { Wording.describe(self) }

  package var status: ExitStatus {
    switch self {
    case .unreadable(_, let error): ExitStatus(error)
    case .badSettings: .usage
    case .cannotAccept: .different
    case .badActionLine: .unreadable
    case .cannotRecord: .hostFailed
    case .unusableCache, .wouldOverwrite: .cannotCreate
    case .noSuchAction, .nothing: .different
    }
  }
}
