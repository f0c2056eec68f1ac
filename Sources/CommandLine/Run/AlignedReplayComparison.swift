import ActionLog
import LogTools
import ReplayCommands
import ReplayEngine

/// A comparison of two builds' replays of a log, whose actions are aligned first.
struct AlignedReplayComparison {
  let reference: WrittenReplay
  let replay: WrittenReplay
  let options: ReplayOptions

  /// Compares the replays.
  ///
  /// Actions that only one build has are differences. Corresponding IDs and dates are not.
  ///
  /// - Returns: The result, or `nil` if a replay ends before the log does. The exact comparison then reports where the
  ///   replay stops.
  /// - Throws: `LogReadError` if a replay can't be read.
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
  /// Creates a result from aligned logs, in which the numbers of actions are those of the first log.
  fileprivate init(_ logs: AlignedComparisonResult, _ options: ReplayOptions) {
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

extension AlignedComparisonResult.UnpairedStep {
  /// The difference, with the number of the action in the first log at which, or after which, the difference occurs.
  fileprivate var differenceInPlace: LogDifference {
    var difference = difference
    difference.seq = place
    return difference
  }
}
