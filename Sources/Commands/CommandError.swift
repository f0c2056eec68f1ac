import ActionLog
import ReplayEngine

/// An error that ends a command.
package enum CommandError: StatusError, Equatable, CustomStringConvertible {
  /// One of several logs cannot be read.
  case unreadable(String, LogReadError)
  /// The settings in the working folder are invalid.
  case badSettings(problem: String)
  /// A log whose replay cannot be the new baseline.
  case cannotAccept(String)
  /// A line of a file of actions is invalid.
  case badActionLine(file: String, line: Int, problem: String)
  /// A feature can only be replayed.
  case cannotRecord(String)
  /// The log ends before the action that was asked for.
  case noSuchAction(Int, last: Int)
  /// The state has nothing at this path.
  case nothing(at: JSON.Pointer, UnresolvedPath?, seq: Int)
  /// The result would replace a log that another command, or a recorder, has written.
  case wouldOverwrite(String, command: String)
  /// The folder for caches cannot be used.
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

/// The exit status of a command: the values of `sysexits.h` that a script can act on.
package enum ExitStatus: Int32, Comparable, Sendable {
  case same = 0
  case different = 1
  case usage = 64
  case unreadable = 65
  case noInput = 66
  case hostFailed = 69
  case cannotCreate = 73
  case inputOutput = 74

  package static func < (lhs: ExitStatus, rhs: ExitStatus) -> Bool { lhs.rawValue < rhs.rawValue }

  /// The status of a command that ends with an error.
  package init(_ error: any Error) {
    switch error {
    case is UsageError: self = .usage
    case LogReadError.noSuchFile, ReplayError.noLogs: self = .noInput
    case LogReadError.system: self = .inputOutput
    case is LogReadError, ReplayError.noCheckpoint, ReplayError.brokenPatch: self = .unreadable
    case let error as StreamError: self = error.isCreation ? .cannotCreate : .inputOutput
    case is LogWriteError: self = .cannotCreate
    case let error as any StatusError: self = error.status
    default: self = .hostFailed
    }
  }
}

/// An error of a command or an analysis that knows the status with which the command ends.
package protocol StatusError: Error {
  var status: ExitStatus { get }
}
