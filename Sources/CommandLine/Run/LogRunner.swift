import ActionLog
import LogTools
import ReplayAnalyses
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// A runner that replays the logs of a file one by one, and reports on each.
struct LogRunner: Sendable {
  private(set) var options: ReplayOptions
  /// The action or time at which each replay stops, or `nil` to replay the complete log.
  let until: LogPosition?
  /// The features of the host, or `nil` if they are not known.
  let features: FeatureCatalog?
  let isExpecting: Bool
  let isAccepting: Bool
  let ignored: UnmatchedIgnoredPaths
  /// The invariants that must hold in every state of a replay, or `nil` if there are none.
  let invariants: Invariants?
  /// The options for the reference build, whose replays replace the recordings, or `nil` if the recordings are used.
  private(set) var reference: ReplayOptions?
  /// Whether the replays of both builds are aligned before they are compared.
  let isAligned: Bool
  /// Whether long logs are replayed from start to end instead of in stretches.
  let isSerial: Bool
  let now: @Sendable () -> Double

  typealias Starter = CommandContext.ReplayStarter
  typealias Checker = CommandContext.Checker

  /// A replay of a long log in stretches, and the number of threads for it.
  struct StretchPlan {
    let replay: ParallelStretchReplay
    /// The number of stretches to replay concurrently.
    let threads: Int
  }

  func run(
    _ entry: OperandLogs.Entry,
    _ checker: Checker,
    _ start: @escaping Starter,
    reference: @escaping Starter,
    _ stretches: StretchPlan? = nil
  ) -> [LogRunReport] {
    switch entry {
    case .failure(let name, let error): return [LogRunReport(name: name, outcome: .failure(error))]
    case .file(let path, let name):
      do throws(LogReadError) {
        let logs = try LogSlice.slices(of: path, name: name)
        let reports = try logs.map { log throws(LogReadError) in
          try stopping(in: log).run(log, checker, start, reference, stretches)
        }
        return isAccepting ? accept(reports, of: logs, start) : reports
      } catch {
        return [LogRunReport(name: name, outcome: .failure(error))]
      }
    }
  }

  /// Returns a copy of the runner for a log, in which a time in `until` is replaced with the number of an action.
  private func stopping(in log: LogSlice) throws(LogReadError) -> LogRunner {
    guard let until, until.seq == nil else { return self }
    var runner = self
    runner.options.until = try until.seq(in: log)
    runner.reference?.until = runner.options.until
    return runner
  }

  private func run(
    _ log: LogSlice,
    _ checker: Checker,
    _ start: @escaping Starter,
    _ startReference: @escaping Starter,
    _ stretches: StretchPlan?
  ) -> LogRunReport {
    let expectation = isExpecting ? ExpectedVerdict(for: log.name) : nil
    let watch = invariants.map { InvariantWatch($0) }
    var results: [InvariantResult]?
    let began = now()
    var report: LogRunReport
    var hostOutput: [String] = []
    do {
      try checkFeature(log)
      let expected = try reference.map { try WrittenReplay(of: log, $0, by: startReference) }
      defer { withExtendedLifetime(expected) {} }
      let aligned = try expected.flatMap { try checkAligned($0, log, start) }
      var outcome =
        aligned.map(ReplayOutcome.verdict)
        ?? (expected?.log ?? log).migratedOutcome(options) { log in
          // Invariants are checked with the events of a replay, because a host that compares the log itself does not
          // return the states.
          let watched = watch?.checker(start)(check(log), options)
          let proved = stretches.flatMap { prove(log, $0) }
          let checked = watched ?? proved ?? checker(check(log), options)
          hostOutput = checked.hostOutput
          let result = try checked.outcome.get()
          ignored.scan(through: log, until: options.until ?? .max, matched: result.ignoredParts)
          results = try watch?.results(in: log)
          return result
        } isSame: { log in
          try checker(check(log), options).outcome.get().isSame
        }
      if case .verdict(var result) = outcome {
        // The line number refers to the replay of the reference build, so it does not apply to the log.
        if expected != nil { result.line = nil }
        if let at = expectation?.trap(cutAt: result.verdict) {
          result.verdict = result.verdict.considering(trapAt: at)
        }
        outcome = .verdict(result)
      }
      report = LogRunReport(name: log.name, file: log.path, outcome: outcome)
    } catch {
      report = LogRunReport(name: log.name, file: log.path, outcome: .failure(error))
    }
    report.log = log
    report.invariants = results
    report.hostOutput = hostOutput
    report.expectation = expectation
    report.seconds = now() - began
    return report
  }

  /// Compares the replays of a log by two builds after an alignment, or returns `nil` if alignment is off or
  /// impossible.
  private func checkAligned(
    _ reference: WrittenReplay,
    _ log: LogSlice,
    _ start: Starter
  ) throws -> ReplayCheck.Result? {
    guard isAligned else { return nil }
    let replay = try WrittenReplay(of: log, options, by: start)
    let replays = AlignedReplayComparison(reference: reference, replay: replay, options: options)
    let result = try replays.check()
    if let result {
      ignored.scan(
        through: reference.log,
        until: options.until ?? .max,
        matched: result.ignoredParts
      )
    }
    return result
  }

  /// Replays a log in stretches to prove that the replay does not diverge.
  ///
  /// Returns `nil` if the options rule this out, or if there is no proof.
  private func prove(_ log: LogSlice, _ stretches: StretchPlan) -> CommandContext.CheckOutcome? {
    guard !isSerial, invariants == nil, reference == nil, options.until == nil,
      options.pauseBefore == nil, !options.isContinuing
    else { return nil }
    return stretches.replay.check(check(log), options, threads: stretches.threads)
  }

  private func check(_ log: LogSlice) -> ReplayCheck {
    ReplayCheck(
      log: log,
      until: options.until ?? .max,
      options: options.comparison,
      isContinuing: options.isContinuing
    )
  }

  /// Throws an error if the feature of a log is unknown, before a process is started.
  private func checkFeature(_ log: LogSlice) throws {
    guard let features, case .header(let header) = try log.events()() else { return }
    _ = try features.entry(for: header, named: options.feature)
  }

  private func accept(
    _ reports: [LogRunReport],
    of logs: [LogSlice],
    _ start: @escaping Starter
  ) -> [LogRunReport] {
    guard reports.contains(where: { $0.status != .same }) else { return reports }
    var reports = reports
    do {
      // The options are changed, because the new log must contain the complete behavior of the code.
      var options = options
      options.isContinuing = false
      let baseline = BaselineUpdate(options: options, start: start)
      var pruned: [[LogEvent.Finding]] = []
      if isExpecting {
        try baseline.acceptVerdicts(reports)
      } else {
        pruned = try baseline.acceptReplays(of: logs, reports)
      }
      for index in reports.indices where reports[index].status != .same {
        reports[index].acceptance = .accepted(without: pruned.isEmpty ? [] : pruned[index])
      }
    } catch {
      for index in reports.indices where reports[index].status != .same {
        reports[index].acceptance = .refused("\(error)")
      }
    }
    return reports
  }
}
