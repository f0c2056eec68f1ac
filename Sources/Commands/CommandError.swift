import ActionLog
import ReplayEngine

/// An error that ends a command.
package enum CommandError: StatusError, Equatable, CustomStringConvertible {
  /// A log cannot be used.
  case unusable(String, LogRefusal)
  /// The settings in the working folder are invalid.
  case badSettings(problem: String)
  /// A log whose replay cannot be the new baseline.
  case cannotAccept(String)
  /// A line of a file of actions is invalid.
  case badActionLine(file: String, line: Int, problem: String)
  /// A line of a file of edits is invalid.
  case badEditLine(file: String, line: Int, problem: String)
  /// A feature can only be replayed.
  case cannotRecord(String)
  /// The host does not say what the types of this feature are.
  case unknownTypes(String)
  /// The log ends before the action that was asked for.
  case noSuchAction(Int, last: Int)
  /// The state has nothing at this path.
  case nothing(at: ValuePath, UnresolvedPath?, seq: Int)
  /// Several rows have ids that end as the one that was typed.
  case ambiguous(ValuePath, ids: [String])
  /// The result would replace a log that another command, or a recorder, has written.
  case wouldOverwrite(String, command: String)
  /// The result would replace a file that is something else.
  case wouldOverwriteOther(String, expected: String)
  /// The log has no state after an action, in which it was cut off.
  case unfinishedAction(Int)
  /// A log ends before its first state.
  case noState(String)
  /// The name of a log's feature is no name of a type, which code needs.
  case notATypeOfFeature(String, name: String)
  /// The name of a log's state type is no name of a type, which code needs.
  case notATypeOfState(String, name: String)
  /// The log is of an app on a library whose test store cannot take the steps.
  case notAStoreTest(String)
  /// The folder for caches cannot be used.
  case unusableCache(StreamError)

  package var description: String { Wording.describe(self) }

  package var status: ExitStatus {
    switch self {
    case .unusable(_, let refusal): ExitStatus(refusal.error)
    case .badSettings: .usage
    case .cannotAccept: .different
    case .badActionLine, .badEditLine, .noState, .notATypeOfFeature, .notATypeOfState,
      .notAStoreTest:
      .unreadable
    case .cannotRecord, .unknownTypes: .hostFailed
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
  /// A replay has no state to start from.
  case notReplayable(ReplayError)
  /// A store cannot go on from it.
  case notResumable(ResumeError)

  /// The reason of an error; `nil` for one that has another cause, or that names the file itself.
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

  /// The error without the name of the log.
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
  /// An error with the name of the log that it is about.
  package static func naming(_ log: String, in error: any Error) -> any Error {
    LogRefusal(error).map { CommandError.unusable(log, $0) } ?? error
  }

  /// Calls a function that reads a log; what it throws names the log.
  package nonisolated static func naming<Result>(
    _ log: String,
    _ body: () throws -> Result
  ) throws -> Result {
    do { return try body() } catch { throw naming(log, in: error) }
  }
}
