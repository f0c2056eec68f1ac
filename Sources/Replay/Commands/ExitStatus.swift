import ActionLog

/// What a command's exit tells its caller: of the ranges of `sysexits.h`, those that a script can act on.
enum ExitStatus: Int32, Comparable, Sendable {
  case same = 0
  case different = 1
  case usage = 64
  case unreadable = 65
  case noInput = 66
  case hostFailed = 69
  case cannotCreate = 73
  case inputOutput = 74

  static func < (lhs: ExitStatus, rhs: ExitStatus) -> Bool { lhs.rawValue < rhs.rawValue }

  /// The status that an error ends a command with.
  init(_ error: any Error) {
    switch error {
    case is UsageError: self = .usage
    case LogReadError.noSuchFile: self = .noInput
    case LogReadError.system: self = .inputOutput
    case is LogReadError, ReplayError.noCheckpoint: self = .unreadable
    case let error as StreamError: self = error.isCreation ? .cannotCreate : .inputOutput
    case is LogWriteError: self = .cannotCreate
    case let error as CommandError: self = error.status
    case is GitRepository.Failure: self = .usage
    default: self = .hostFailed
    }
  }
}
