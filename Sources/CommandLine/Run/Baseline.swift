import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// Updates the baseline: the expected verdicts, or the logs themselves.
struct Baseline {
  let options: ReplayOptions
  let start: CommandContext.ReplayStarter

  /// Writes the expected verdicts next to their logs.
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

  /// Replaces the diverging logs of a file with their replays, if these replay without a divergence.
  ///
  /// - Returns: For each log, the findings about omitted actions, with their recorded numbers and the reasons.
  func acceptReplays(
    of logs: [LogSlice],
    _ reports: [RunReport]
  ) throws -> [[LogEvent.Finding]] {
    guard let log = logs.first else { return [] }
    let path = log.path
    // The temporary copy of a stream has another path than the operand.
    guard log.name.hasPrefix(path) else {
      throw CommandError.cannotAccept(Wording.hasNoFile(log.name))
    }
    let file = try AtomicFile(path)
    var pruned: [[LogEvent.Finding]] = []
    for (log, report) in zip(logs, reports) {
      if report.status == .same {
        try copy(log, to: file)
        pruned.append([])
      } else if !report.violated.isEmpty {
        throw CommandError.cannotAccept(Wording.violatesInvariants)
      } else if report.isDivergence {
        try checkWhole(log)
        try checkMasked(log)
        pruned.append(
          try log.migratingIfNeeded(options) { log in
            try PrunedReplay(log, options, start) { try file.write($0) }.pruned
          }
        )
      } else {
        throw CommandError.cannotAccept(Wording.onlyDivergences)
      }
    }
    for log in try LogSlice.slices(of: file.temporaryPath, name: path) {
      let again = try ReplayCheck(log: log, options: options.comparison).run(
        try start(log, options)
      )
      guard again.verdict.isSame else {
        throw CommandError.cannotAccept(
          Wording.replayDiffersAgain(Wording.line(again.verdict, through: again.seq))
        )
      }
    }
    try file.finish()
    return pruned
  }

  /// Rejects a log with an unreadable line.
  ///
  /// Its replay ends at that line, so the new log would lack the following actions.
  private func checkWhole(_ log: LogSlice) throws {
    let events = try log.events()
    do { while try events() != nil {} } catch let error as LogReadError {
      throw CommandError.cannotAccept(Wording.isDamaged(error))
    }
  }

  /// Rejects a log whose replay computes values from masked values.
  ///
  /// The new log would contain a value that can't be verified, in place of a value that must stay hidden.
  private func checkMasked(_ log: LogSlice) throws {
    guard case .header(let header) = try log.events()(), header.masked != nil else { return }
    var options = options
    options.isContinuing = true
    let result = try log.migratingIfNeeded(options) { log in
      try ReplayCheck(log: log, options: options.comparison, isContinuing: true)
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
}

/// The expected verdict of a log: a JSON object in a separate file.
///
/// All of its members must match.
struct Expectation: Sendable {
  let path: String
  let content: VerdictContent

  enum VerdictContent: Sendable, Equatable {
    case members(JSON.Object)
    /// The file is missing or has other content.
    case problem(String)
  }

  /// Reads `NAME.verdict.json` next to `NAME.jsonl`.
  init(for log: String) {
    path = VerdictFile.path(beside: log)
    guard let data = FileManager.default.contents(atPath: path) else {
      content = .problem(Wording.missingExpectation(path))
      return
    }
    do throws(JSON.ParseError) {
      let json = try JSON(parsing: data)
      if let object = json.object {
        content = .members(object)
      } else {
        content = .problem(Wording.badExpectation(path, "found \(json.kind)"))
      }
    } catch {
      content = .problem(Wording.badExpectation(path, error.description))
    }
  }

  /// Returns the members that do not match, as text.
  func mismatches(_ found: JSON) -> [String] {
    switch content {
    case .problem(let problem): return [problem]
    case .members(let members):
      return members.compactMap { name, value in
        found[name] == value
          ? nil : Wording.unexpected(name, expected: value, found: found[name])
      }
    }
  }

  /// Whether the expected verdict has a member.
  func names(_ member: String) -> Bool {
    if case .members(let members) = content { members[member] != nil } else { false }
  }

  /// Returns the action where a trap is expected, if the actual verdict says only that the log was cut there.
  func trap(cutAt verdict: Verdict) -> Int? {
    guard case .members(let members) = content, members["verdict"]?.string == "trapReproduced"
    else { return nil }
    return members["at"].map(\.int) ?? verdict.at
  }
}
