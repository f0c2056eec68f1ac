import ActionLog
import LogTools
import ReplayCommands
import ReplayEngine

/// The comparison of the replays of a log by two builds, after their actions have been aligned.
struct AlignedReplays {
  let reference: WrittenReplay
  let replay: WrittenReplay
  let options: ReplayOptions

  /// Compares the replays.
  ///
  /// Returns `nil` if a replay ends before the log does. The exact comparison then reports where it stops. Actions that
  /// only one build has are differences. Corresponding IDs and dates are not.
  ///
  /// - Throws: `LogReadError`.
  func check() throws -> ReplayCheck.Result? {
    guard reference.isComplete, replay.isComplete else { return nil }
    var comparison = try AlignedComparison(
      { try reference.log.events() },
      { try replay.log.events() },
      options: options.comparison
    )
    let logs = try comparison.run()
    let check = ReplayCheck(
      log: reference.log,
      options: options.comparison,
      isContinuing: options.isContinuing
    )
    return try check.conclude(LogComparison.Result(logs, options), .waiting, at: logs.first.last)
  }
}

extension LogComparison.Result {
  /// Creates the result of an alignment.
  ///
  /// Positions refer to actions of the first log.
  fileprivate init(_ logs: AlignedLogs, _ options: ReplayOptions) {
    self.init()
    differences = logs.groups.flatMap { group in
      group.lone.map(\.differenceInPlace) + group.differences + group.continuing
    }
    if !options.isContinuing, let first = differences.first {
      differences = Array(differences.prefix { $0.seq == first.seq })
    }
    seq = logs.first.last
    notes = logs.notes
    firstDifferences = differences.prefix { $0.seq == differences[0].seq }.count
    if !differences.isEmpty { stop = .differs }
  }
}

extension AlignedLogs.UnpairedStep {
  /// The difference, with the number of the action in the first log at or after which it occurs.
  fileprivate var differenceInPlace: LogDifference {
    var difference = difference
    difference.seq = place
    return difference
  }
}
