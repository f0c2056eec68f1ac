import ActionLog

/// Compares a log with its replay and computes the verdict.
package struct ReplayCheck: Sendable {
  package var log: LogSlice
  package var until: Int
  package var options: LogComparison.Options
  /// Whether it continues after a divergence, from the recorded state.
  package var isContinuing: Bool

  package init(
    log: LogSlice,
    until: Int = Int.max,
    options: LogComparison.Options = LogComparison.Options(),
    isContinuing: Bool = false
  ) {
    self.log = log
    self.until = until
    self.options = options
    self.isContinuing = isContinuing
  }

  /// The result of a check.
  package struct Result: Sendable, Equatable {
    package var verdict: Verdict
    /// The last action that was compared.
    package var seq: Int
    /// The number of events of kinds that this version does not know.
    package var unknown: Int
    /// The findings that do not change the verdict.
    package var notes: [LogEvent.Finding] = []
    /// The ignored parts that the replay had where its state differed.
    package var ignoredParts: Set<JSON.Pointer> = []
    /// The line of the file that has the action of the verdict, when the replay is not the same.
    package var line: Int?
    /// The chain of causes of a verdict that is not a divergence; a divergence has its own.
    package var causes: [Verdict.Divergence.Link] = []
    /// The later verdicts, when the check continued from the recorded state.
    package var further: [Further] = []
    /// Why a check that continues could not read the log to its end.
    package var unreadable: LogReadError?
    /// The values that were not compared, because a log holds their type alone.
    package var notCompared: [UncomparedValue] = []
    /// The errors that a replay has as `LoggedError`.
    package var notReadBack: [UncomparedValue] = []
    /// The lines of code that the log itself names for values that it does not hold.
    package var remedies = LogRemedies()
    /// Whether a value that was not compared counts as a difference.
    package var isStrict = false

    /// Whether the replay shows the recorded behavior, as far as the log goes.
    package var isSame: Bool { verdict.isSame && (!isStrict || notCompared.isEmpty) }
  }

  /// A verdict after the first one, with the line of its action.
  package struct Further: Sendable, Equatable {
    package var verdict: Verdict
    package var line: Int?
    package var causes: [Verdict.Divergence.Link] = []
  }

  /// Compares the log with its replay.
  ///
  /// - Parameter replay: The replay.
  /// - Returns: The result.
  /// - Throws: `LogReadError` when the log cannot be read and nothing was found before, `ReplayError` when it has no state to
  ///   start from, `HostFailure` when the host cannot replay it.
  package func run(_ replay: any ReplayEventSource) throws -> Result {
    var last = 0
    var comparison = comparison(of: try log.events(until: until)) {
      let event = try replay.next()
      if case .action(let action) = event { last = action.seq }
      return event
    }
    let result: LogComparison.Result
    do {
      result = try run(&comparison)
    } catch {
      let end = replay.end(isDone: false)
      if case .timedOut(let seconds) = end { throw HostFailure.timedOut(seconds, at: last) }
      throw error
    }
    return try conclude(result, replay.end(isDone: result.isReplayDone), at: last)
  }

  /// Computes the verdict from what a comparison has found.
  ///
  /// - Parameters:
  ///   - result: What it has found.
  ///   - end: How the replay ended.
  ///   - last: The last action that the replay began.
  ///   - isWhole: Whether it is known that the log holds all of its values.
  /// - Returns: The verdict with its causes.
  /// - Throws: As `run(_:)`.
  package func conclude(
    _ result: LogComparison.Result,
    _ end: ReplayEnd,
    at last: Int,
    isWhole: Bool = false
  ) throws -> Result {
    var signal: String?
    if case .signal(let name) = end { signal = name }
    let verdicts = try Verdict.each(of: result, signal: signal).map(blamingMasks)
    guard let verdict = verdicts.first else {
      // A host stops at a log that is broken after the point which the comparison has reached.
      try ReplayError.check(try log.events(until: until))
      switch end {
      case .waiting: throw HostFailure.incomplete(at: last)
      case .timedOut(let seconds): throw HostFailure.timedOut(seconds, at: last)
      case .exited(let status): throw HostFailure.exited(status, at: last)
      case .signal(let name): throw HostFailure.killed(name, at: last)
      }
    }
    var checked = Result(verdict: verdict, seq: result.seq, unknown: result.unknown)
    checked.notes = result.notes
    checked.ignoredParts = result.matchedIgnores
    checked.further = verdicts.dropFirst().map { Further(verdict: $0) }
    if !isWhole || !result.notes.isEmpty {
      try checked.nameUncompared(in: log, through: isContinuing ? until : verdict.at ?? until)
    }
    checked.isStrict = options.isStrict
    checked.unreadable = try unreadable(after: result, signal)
    try explain(&checked)
    return checked
  }

  /// Compares the log with its replay in this process.
  ///
  /// - Parameters:
  ///   - plan: The migrations of older logs.
  ///   - makeEngine: Makes the engine for the log with this header.
  /// - Returns: The result.
  /// - Throws: The errors of `run(_:)` and of `makeEngine`, and `MigrationError`.
  package func run(
    _ plan: MigrationPlan? = nil,
    makeEngine: @escaping (LogEvent.Header) throws -> any FeatureEngine
  ) throws -> Result {
    let result = try compare(plan, makeEngine: makeEngine)
    return try conclude(result, .waiting, at: result.seq)
  }

  /// Compares the log with its replay in this process, which reads it once, without a verdict.
  ///
  /// - Parameters:
  ///   - plan: The migrations of older logs.
  ///   - progress: Where it is noted how far the replay has come.
  ///   - pause: Where the replay stops for a debugger.
  ///   - report: Receives differences and notes as they are found.
  ///   - makeEngine: Makes the engine for the log with this header.
  /// - Returns: What was found.
  /// - Throws: `LogReadError`, `ReplayError`, `MigrationError`, and the errors of `makeEngine`.
  package func compare(
    _ plan: MigrationPlan? = nil,
    progress: ReplayProgress? = nil,
    pause: ReplayPause? = nil,
    report: LogComparison.Report? = nil,
    makeEngine: @escaping (LogEvent.Header) throws -> any FeatureEngine
  ) throws -> LogComparison.Result {
    let source = try LogSource(log, until: until)
    let events = RecordedEvents(source, plan: plan.map { plan in { _ in plan } }, isCompared: true)
    var result = try replay(events, progress, pause, report, makeEngine).result
    result.notes = events.migrationFindings + result.notes
    return result
  }

  /// Replays events and compares them with the replay.
  ///
  /// - Returns: What was found, and the replay at its end.
  func replay(
    _ events: RecordedEvents,
    _ progress: ReplayProgress?,
    _ pause: ReplayPause?,
    _ report: LogComparison.Report?,
    _ makeEngine: @escaping (LogEvent.Header) throws -> any FeatureEngine
  ) throws -> (result: LogComparison.Result, session: ReplaySession) {
    var session = ReplaySession(
      isResyncing: isContinuing,
      ignored: options.ignored,
      input: events,
      progress: progress,
      pause: pause,
      makeEngine: makeEngine
    )
    var comparison = comparison(
      of: { try events.next(for: .comparison) },
      with: {
        // What follows the end of a replay, and cannot be read, changes nothing about it.
        do { return try session.next() } catch {
          guard session.isStopped else { throw error }
          return nil
        }
      }
    )
    comparison.report = report
    try session.start()
    guard let engine = session.engine else { return (try run(&comparison), session) }
    var result = LogComparison.Result()
    try engine.withContext { result = try run(&comparison) }
    return (result, session)
  }

  /// Compares; where a check that continues comes to a line that cannot be read, the differences before it are the result.
  private func run(_ comparison: inout LogComparison) throws -> LogComparison.Result {
    do { return try comparison.run() } catch let error as LogReadError {
      guard isContinuing, !comparison.result.differences.isEmpty else { throw error }
      var result = comparison.result
      result.stop = .differs
      return result
    }
  }

  /// Looks for the line at which a check that continues ended before the end of the log; a trap is an end of its own.
  private func unreadable(
    after result: LogComparison.Result,
    _ signal: String?
  ) throws -> LogReadError? {
    guard isContinuing else { return nil }
    switch result.stop {
    case .ended, .recordingStops: return nil
    case .replayStops: guard signal == nil else { return nil }
    case .differs: break
    }
    do {
      let events = try log.events(until: until)
      while try events() != nil {}
      return nil
    } catch let error as LogReadError { return error }
  }

  private func comparison(
    of recorded: @escaping LogComparison.Events,
    with replayed: @escaping LogComparison.Events
  ) -> LogComparison {
    var comparison = LogComparison(
      recorded: recorded,
      replayed: replayed,
      extent: isContinuing ? .resynced : .first,
      options: options
    )
    comparison.isReplay = true
    return comparison
  }

  /// A value that the code cannot read because it was masked is not the fault of the code.
  private func blamingMasks(_ verdict: Verdict) throws -> Verdict {
    guard case .undecodable(var value) = verdict,
      case .header(let header) = try log.events()(), let masks = header.masked,
      masks.covers(unreadable: value.path, isInState: value.at == 0)
    else { return verdict }
    value.message = Wording.masked(value.message)
    return .notReplayable(value)
  }

  /// Adds the lines, causes, reads and effects of the actions at which the replay is not the same.
  private func explain(_ result: inout Result) throws {
    guard !result.verdict.isSame else { return }
    let verdicts = [result.verdict] + result.further.map(\.verdict)
    let steps = try RecordedStep.find(verdicts.compactMap(\.at), in: log)
    let chains = try CauseChain(of: verdicts.compactMap(\.at)).chains {
      try log.events()
    }
    let explained = verdicts.map { Self.explained($0, steps, chains) }
    (result.verdict, result.line) = (explained[0].verdict, explained[0].line)
    result.causes = explained[0].causes
    result.further = Array(explained.dropFirst())
  }

  private static func explained(
    _ verdict: Verdict,
    _ steps: [Int: RecordedStep],
    _ chains: [Int: [Verdict.Divergence.Link]]
  ) -> Further {
    let step = verdict.at.flatMap { steps[$0] }
    let causes = verdict.at.flatMap { chains[$0] } ?? []
    guard var divergence = verdict.divergence else {
      return Further(verdict: verdict, line: step?.line, causes: causes)
    }
    divergence.causes = causes
    divergence.reads = step?.reads ?? []
    divergence.effects = step?.effects ?? []
    return Further(verdict: .diverged(divergence), line: step?.line)
  }
}

extension LogComparison.Result {
  /// Whether the replay has given all its events.
  fileprivate var isReplayDone: Bool {
    switch stop {
    case .ended, .replayStops, .recordingStops(openAction: _?, isReplayed: false): true
    case .recordingStops, .differs: false
    }
  }
}

extension ReplayCheck.Result {
  /// Replaces the lines of the actions by those of another log: a log and its migrated copy may have different lines.
  ///
  /// - Throws: `LogReadError`.
  package mutating func locate(in log: LogSlice) throws {
    guard !verdict.isSame else { return }
    let verdicts = [verdict] + further.map(\.verdict)
    let steps = try RecordedStep.find(verdicts.compactMap(\.at), in: log)
    line = verdict.at.flatMap { steps[$0]?.line }
    for index in further.indices {
      further[index].line = further[index].verdict.at.flatMap { steps[$0]?.line }
    }
  }
}

/// The line, reads and effects of one action in a log.
private struct RecordedStep {
  /// The line of the file that has the action.
  var line: Int?
  var reads: [LogEvent.Read] = []
  var effects: [EffectDescription] = []

  /// Looks for actions; those that the log lacks stay empty.
  static func find(_ seqs: [Int], in log: LogSlice) throws(LogReadError) -> [Int: RecordedStep] {
    var steps = Dictionary(seqs.map { ($0, RecordedStep()) }) { first, _ in first }
    // The result for one does not depend on the others, even in a log whose lines are out of order.
    var open = Set(seqs)
    var order = open.sorted()[...]
    let entries = try log.entries()
    // The comparison has read everything up to the action, so an error can only come after it.
    while !open.isEmpty, let entry = try? entries() {
      if case .action(let action) = entry.event {
        while let seq = order.first, seq < action.seq {
          open.remove(seq)
          order.removeFirst()
        }
      }
      guard let seq = entry.event.seq, open.contains(seq) else { continue }
      switch entry.event {
      case .checkpoint, .action: steps[seq]?.line = entry.line
      case .read(let read): steps[seq]?.reads.append(read)
      case .change(let change):
        steps[seq]?.effects = change.effects
        open.remove(seq)
      default: break
      }
    }
    return steps
  }
}
