import ActionLog
import Foundation
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// A function that updates the baseline: the expected verdicts, or the logs themselves.
struct BaselineUpdate {
  let options: ReplayOptions
  let start: CommandContext.ReplayStarter

  /// Writes the expected verdicts next to their logs.
  func acceptVerdicts(_ reports: [LogRunReport]) throws {
    for report in reports where report.status != .same {
      guard let expectation = report.expectation, let verdict = report.essence else {
        throw CommandError.cannotAccept(Wording.noVerdict)
      }
      let file = try AtomicFile(expectation.path)
      try file.write("\(verdict)\n".utf8)
      try file.finish()
    }
  }

  /// Replaces the diverging logs in a file with their replays, if the new logs replay without a divergence.
  ///
  /// - Returns: For each log, the findings about omitted actions, with the actions' numbers in the recording and the
  ///   reasons.
  func acceptReplays(
    of logs: [LogSlice],
    _ reports: [LogRunReport]
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
            try ReplayWithoutImpossibleActions(log, options, start) { try file.write($0) }.pruned
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

  /// Throws an error if a log contains an unreadable line.
  ///
  /// The replay ends at this line, so the new log would lack the following actions.
  private func checkWhole(_ log: LogSlice) throws {
    let events = try log.events()
    do { while try events() != nil {} } catch let error as LogReadError {
      throw CommandError.cannotAccept(Wording.isDamaged(error))
    }
  }

  /// Throws an error if the replay of a log computes values from masked values.
  ///
  /// In place of a value that must stay hidden, the new log would contain a value that can't be verified.
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
/// An actual verdict must match all members of the object.
struct ExpectedVerdict: Sendable {
  let path: String
  let content: VerdictContent

  enum VerdictContent: Sendable, Equatable {
    case members(JSON.Object)
    /// The file is missing or is not a JSON object, as the message explains.
    case problem(String)
  }

  /// Reads the file `NAME.verdict.json` next to the log `NAME.jsonl`.
  init(for log: String) {
    path = ExpectedVerdictFile.path(beside: log)
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

  /// Returns descriptions of the members that an actual verdict does not match.
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

  /// Returns whether the expected verdict contains a member.
  func names(_ member: String) -> Bool {
    if case .members(let members) = content { members[member] != nil } else { false }
  }

  /// Returns the number of the action that trapped according to the expected verdict, or `nil` if none did.
  ///
  /// If the actual verdict is only that the log ends in this action, the trap is gone. An expected `trapGone` was
  /// accepted after such a run.
  func trap(cutAt verdict: Verdict) -> Int? {
    guard case .members(let members) = content,
      ["trapReproduced", "trapGone"].contains(members["verdict"]?.string)
    else { return nil }
    return members["at"].map(\.int) ?? verdict.at
  }
}
