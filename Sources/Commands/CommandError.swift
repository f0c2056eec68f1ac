import ActionLog
import ReplayEngine

/// An error with which a command ends.
package enum CommandError: StatusError, Equatable, CustomStringConvertible {
  /// The log with this name can't be used, for the given reason.
  case unusable(String, LogRefusal)
  /// The settings in the working folder are invalid.
  case badSettings(problem: String)
  /// The replay of the log can't become the new baseline.
  case cannotAccept(String)
  /// A line in a file of actions is invalid.
  case badActionLine(file: String, line: Int, problem: String)
  /// A line in a file of edits is invalid.
  case badEditLine(file: String, line: Int, problem: String)
  /// The host can replay the feature with this name, but can't record it.
  case cannotRecord(String)
  /// The host only answers the tool, so it has no such command.
  case hostOnlyAnswers(command: String)
  /// The host doesn't report the types of the feature with this name.
  case unknownTypes(String)
  /// The log ends at action `last`, before the requested action.
  case noSuchAction(Int, last: Int)
  /// The state has no value at this path.
  case nothing(at: ValuePath, UnresolvedPath?, seq: Int)
  /// The ID that the user typed is the suffix of several row IDs.
  case ambiguous(ValuePath, ids: [String])
  /// The output file is a log that another command or a recorder has written.
  case wouldOverwrite(String, command: String)
  /// The output file contains something other than what this command writes.
  case wouldOverwriteOther(String, expected: String)
  /// The log has no state after an action, because it ends in the middle of the action.
  case unfinishedAction(Int)
  /// The log ends before its first state.
  case noState(String)
  /// The feature's name in the log is not a valid type name, which generated code needs.
  case notATypeOfFeature(String, name: String)
  /// The state type's name in the log is not a valid type name, which generated code needs.
  case notATypeOfState(String, name: String)
  /// The cache folder can't be used.
  case unusableCache(StreamError)

  package var description: String { Wording.describe(self) }

  package var status: ExitStatus {
    switch self {
    case .unusable(_, let refusal): ExitStatus(refusal.error)
    case .badSettings: .usage
    case .cannotAccept: .different
    case .badActionLine, .badEditLine, .noState, .notATypeOfFeature, .notATypeOfState:
      .unreadable
    case .cannotRecord, .unknownTypes: .hostFailed
    case .hostOnlyAnswers: .usage
    case .unusableCache, .wouldOverwrite, .wouldOverwriteOther: .cannotCreate
    case .noSuchAction, .unfinishedAction, .nothing: .different
    case .ambiguous: .usage
    }
  }
}

/// The reason why a command refuses a log.
package enum LogRefusal: Equatable, Sendable {
  case unreadable(LogReadError)
  case brokenPatch(LogCursor.BrokenPatch)
  /// The log has no state from which a replay can start.
  case notReplayable(ReplayError)
  /// A store can't resume from the log.
  case notResumable(ResumeError)

  /// Extracts the reason from an error, or returns `nil` if the error has another cause or already names the file.
  package init?(_ error: any Error) {
    switch error {
    case LogReadError.noSuchFile, LogReadError.system: return nil
    case ResumeError.unreadable(let error):
      self.init(error)
    case let error as LogReadError: self = .unreadable(error)
    case let error as LogCursor.BrokenPatch: self = .brokenPatch(error)
    case ReplayError.noCheckpoint(let kind): self = .notReplayable(.noCheckpoint(kind: kind))
    case let error as ResumeError:
      switch error {
      case .noState, .brokenPatch, .undecodable: self = .notResumable(error)
      default: return nil
      }
    default: return nil
    }
  }

  /// The underlying error, which doesn't contain the log's name.
  package var error: any Error {
    switch self {
    case .unreadable(let error): error
    case .brokenPatch(let error): error
    case .notReplayable(let error): error
    case .notResumable(let error): error
    }
  }
}

extension CommandError {
  /// Returns an error that contains the log's name, or the error itself if it already names the log.
  package static func naming(_ log: String, in error: any Error) -> any Error {
    LogRefusal(error).map { CommandError.unusable(log, $0) } ?? error
  }

  /// Calls a function that reads a log, and adds the log's name to errors that the function throws.
  package nonisolated static func naming<Result>(
    _ log: String,
    _ body: () throws -> Result
  ) throws -> Result {
    do { return try body() } catch { throw naming(log, in: error) }
  }
}
