import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// Writes what a run has found as what is expected from now on.
struct Baseline {
  let options: ReplayOptions
  let start: CommandContext.ReplayStarter

  /// Writes the verdicts beside their logs.
  func acceptVerdicts(_ reports: [RunReport]) throws {
    for report in reports where report.status != .same {
      guard let expectation = report.expectation, let verdict = report.essence else {
        throw CommandError.cannotAccept(Wording.noVerdict)
      }
      let file = try AtomicFile(expectation.path)
      try file.write("\(verdict)\n".utf8)
      try file.finish()
    }
  }

  /// Puts the replays of a file's logs in the place of those that diverge, provided that they replay the same again.
  ///
  /// - Returns: For each log the actions that are left out, by their recorded numbers, as findings that say why.
  func acceptReplays(
    of logs: [LogSlice],
    _ reports: [RunReport]
  ) throws -> [[LogEvent.Finding]] {
    guard let log = logs.first else { return [] }
    let path = log.path
    // The copy of a stream has a name of its own.
    guard log.name.hasPrefix(path) else {
      throw CommandError.cannotAccept(Wording.hasNoFile(log.name))
    }
    let file = try AtomicFile(path)
    var pruned: [[LogEvent.Finding]] = []
    for (log, report) in zip(logs, reports) {
      if report.status == .same {
        try copy(log, to: file)
        pruned.append([])
      } else if report.isDivergence {
        try checkMasked(log)
        pruned.append(try log.migratingIfNeeded(options) { try replay($0, to: file) })
      } else {
        throw CommandError.cannotAccept(Wording.onlyDivergences)
      }
    }
    for log in try LogSlice.slices(of: file.temporaryPath, name: path) {
      let again = try LogCheck(log: log, options: options.comparison).run(try start(log, options))
      guard again.verdict.isSame else {
        throw CommandError.cannotAccept(
          Wording.replayDiffersAgain(Wording.line(again.verdict, through: again.seq))
        )
      }
    }
    try file.finish()
    return pruned
  }

  /// Refuses a log in which the replay makes something of what was masked: the log would hold what nothing can check, in the
  /// place of what was to be hidden.
  private func checkMasked(_ log: LogSlice) throws {
    guard case .header(let header) = try log.events()(), header.masked != nil else { return }
    var options = options
    options.isContinuing = true
    let result = try log.migratingIfNeeded(options) { log in
      try LogCheck(log: log, options: options.comparison, isContinuing: true)
        .run(try start(log, options))
    }
    for verdict in [result.verdict] + result.further.map(\.verdict) {
      switch verdict {
      case .notReplayable(let obstacle):
        throw CommandError.cannotAccept(Wording.masksDiffer(obstacle.path))
      case .diverged(let divergence):
        let masked = divergence.differences.first { $0.cause == .notReplayable }
        if let masked { throw CommandError.cannotAccept(Wording.masksDiffer(masked.subject)) }
      default: break
      }
    }
  }

  private func copy(_ log: LogSlice, to file: AtomicFile) throws {
    let handle = try FileHandle(readingLog: log.path, from: log.start)
    var left = log.end.map { $0 - log.start } ?? .max
    while left > 0, let bytes = try handle.read(upToCount: min(left, 1 << 20)), !bytes.isEmpty {
      try file.write(bytes)
      left -= bytes.count
    }
  }

  /// Writes the replay without the actions of effects that are not alive in it.
  ///
  /// - Returns: These actions.
  private func replay(_ log: LogSlice, to file: AtomicFile) throws -> [LogEvent.Finding] {
    var options = options
    options.isPruning = true
    let recorded = try log.events()
    let replay = try start(log, options)
    var pruned: [LogEvent.Finding] = []
    var isDone = false
    defer { _ = replay.end(isDone: isDone) }
    while var event = try replay.next() {
      if case .finding(let finding) = event {
        if finding.code == .deadEffect { pruned.append(finding) }
        continue
      }
      // The head stays that of the recording: it says where the actions come from.
      if case .header = event, let header = try recorded() { event = header }
      try file.write(event.line + [0x0A])
    }
    isDone = true
    return pruned
  }
}
