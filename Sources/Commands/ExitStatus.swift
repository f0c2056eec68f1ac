import ActionLog
import ReplayEngine

/// The exit status of a command, with the values from `sysexits.h` that a script can act on.
package enum ExitStatus: Int32, Comparable, CaseIterable, Sendable {
  case same = 0
  case different = 1
  case usage = 64
  case unreadable = 65
  case noInput = 66
  case hostFailed = 69
  case cannotCreate = 73
  case inputOutput = 74

  package static func < (lhs: ExitStatus, rhs: ExitStatus) -> Bool { lhs.rawValue < rhs.rawValue }

  /// The description of the status in the help.
  package var meaning: String {
    switch self {
    case .same: "same, found, done"
    case .different: "different, not found, broken"
    case .usage: "wrong usage"
    case .unreadable: "log unreadable"
    case .noInput: "no such file"
    case .hostFailed: "host cannot run"
    case .cannotCreate: "cannot write"
    case .inputOutput: "read or write error"
    }
  }

  /// Creates the status for a command that ended with an error.
  package init(_ error: any Error) {
    switch error {
    case is UsageError: self = .usage
    case LogReadError.noSuchFile, ReplayError.noLogs: self = .noInput
    case LogReadError.system: self = .inputOutput
    case let error as ResumeError: self = Self.status(of: error)
    case is LogReadError, is LogCursor.BrokenPatch, ReplayError.noCheckpoint: self = .unreadable
    case let error as StreamError: self = error.isCreation ? .cannotCreate : .inputOutput
    case let error as LogWriteError: self = error.isOfDisk ? .inputOutput : .cannotCreate
    case let error as any StatusError: self = error.status
    default: self = .hostFailed
    }
  }
}

extension ExitStatus {
  private static func status(of error: ResumeError) -> ExitStatus {
    switch error {
    case .unreadable(let error): ExitStatus(error)
    case .noLogs: .noInput
    case .noState, .brokenPatch, .undecodable: .unreadable
    case .noSuchAction, .unfinishedAction: .different
    case .severalLogs: .usage
    case .otherFeature, .notMigrated, .other: .hostFailed
    }
  }
}

/// An error that determines the exit status of its command.
package protocol StatusError: Error {
  var status: ExitStatus { get }
}
