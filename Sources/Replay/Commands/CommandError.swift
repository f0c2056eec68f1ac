import ActionLog

/// What keeps a command from doing what its arguments say.
enum CommandError: Error, Equatable, CustomStringConvertible {
  /// A folder holds no logs.
  case noLogs(folder: String)
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
  /// The changes of a log cannot be followed.
  case brokenPatch(seq: Int, problem: String)
  /// A log cannot be minimized.
  case cannotMinimize(String, Minimizer.Failure)
  /// A log's orders cannot be explored.
  case cannotExplore(String, Explorer.Failure)
  /// The result would take the place of a log that another command, or a recorder, has written.
  case wouldOverwrite(String, command: String)
  /// The folder for what is kept between commands cannot be used.
  case unusableCache(StreamError)
  /// There is nothing to be found among the commits.
  case cannotBisect(CommitBisection.Failure)

  var description: String { Wording.describe(self) }

  var status: ExitStatus {
    switch self {
    case .noLogs: .noInput
    case .unreadable(_, let error): ExitStatus(error)
    case .badSettings: .usage
    case .cannotAccept: .different
    case .badActionLine, .brokenPatch: .unreadable
    case .cannotRecord: .hostFailed
    case .unusableCache, .wouldOverwrite: .cannotCreate
    case .noSuchAction, .nothing, .cannotMinimize(_, .doesNotHold): .different
    // What is refused says nothing of the behaviour.
    case .cannotMinimize(_, .notDeterministic), .cannotExplore: .unreadable
    case .cannotBisect(let failure): failure.status
    }
  }
}

extension CommitBisection.Failure {
  fileprivate var status: ExitStatus {
    switch self {
    case .notAnAncestor: .usage
    case .goodIsNotGood(_, .skipped(let reason)), .badIsNotBad(_, .skipped(let reason)):
      reason.isOfTheHost ? .hostFailed : .different
    case .goodIsNotGood, .badIsNotBad: .different
    }
  }
}

extension CommitTest.Reason {
  /// Whether the commit has no host that runs.
  fileprivate var isOfTheHost: Bool {
    switch self {
    case .buildFailed, .hostFailed: true
    case .undecodable, .notDeterministic: false
    }
  }
}
