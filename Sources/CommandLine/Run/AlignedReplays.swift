import ActionLog
import LogTools
import ReplayCommands
import ReplayEngine

/// The comparison of the replays of a log by two builds, after their actions were aligned.
struct AlignedReplays {
  let reference: WrittenReplay
  let replay: WrittenReplay
  let options: ReplayOptions

  /// The result; `nil` when a replay does not go as far as the log, so that the exact comparison has to say where it stops.
  ///
  /// Actions that only one build has are differences. Ids and dates that stand for each other are none.
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
  /// What an alignment has found, at the actions of the first log.
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

extension AlignedLogs.Lone {
  /// The difference, with the number of the action of the first log at or after which it stands.
  fileprivate var differenceInPlace: LogDifference {
    var difference = difference
    difference.seq = place
    return difference
  }
}
