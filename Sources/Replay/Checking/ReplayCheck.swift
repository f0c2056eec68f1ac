import ActionLog

/// A check that compares a log with its replay, and computes the verdict.
package struct ReplayCheck: Sendable {
  package var log: LogSlice
  package var until: Int
  package var options: LogComparison.Options
  /// Whether the check continues from the recorded state after a divergence.
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

  /// The verdict on a log, with its explanation.
  package struct Result: Sendable, Equatable {
    package var verdict: Verdict
    /// The number of the last action that was compared.
    package var seq: Int
    /// The number of events whose kind this version does not know.
    package var unknown: Int
    /// The notes about the replay that do not change the verdict.
    package var notes: [LogEvent.Finding] = []
    /// The ignored paths that exist in compared states.
    package var ignoredParts: Set<JSON.Pointer> = []
    /// The line number of the verdict's action in the file.
    ///
    /// `nil` if the replay is the same, or if the log lacks the action.
    package var line: Int?
    /// The chain of causes that lead to the verdict's action.
    ///
    /// The array is empty for a divergence, because the divergence contains its own chain.
    package var causes: [Verdict.Divergence.Link] = []
    /// The later verdicts, if the check continued from the recorded state.
    package var further: [LaterVerdict] = []
    /// The error that prevented a continuing check from reading the log to its end.
    package var unreadable: LogReadError?
    /// The values that were not compared, because the log or the replay contains only their types.
    package var notCompared: [UncomparedValue] = []
    /// The recorded errors that can't be decoded with their own types.
    ///
    /// The replay decodes them as `LoggedError`.
    package var notReadBack: [UncomparedValue] = []
    /// The code that the user can add, so that the log contains the missing values.
    package var remedies = OpaqueTypeRemedies()
    /// Whether a value that was not compared counts as a difference.
    package var isStrict = false

    /// Whether the replay matches the recording up to the end of the log.
    ///
    /// In a strict comparison, it is `true` only if all values were compared.
    package var isSame: Bool { verdict.isSame && (!isStrict || notCompared.isEmpty) }
  }

  /// A verdict after the first one, with the line of its action.
  package struct LaterVerdict: Sendable, Equatable {
    package var verdict: Verdict
    package var line: Int?
    package var causes: [Verdict.Divergence.Link] = []
  }

  /// Compares the log with a replay.
  ///
  /// - Parameter replay: The source of the replayed events.
  /// - Returns: The verdict with its explanation.
  /// - Throws: `LogReadError` if the log can't be read and no difference was found before, `ReplayError` if the log has
  ///   no initial state, `HostFailure` if the host can't replay the log.
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

  /// Computes the verdict from the result of a comparison.
  ///
  /// - Parameters:
  ///   - result: The differences and notes of the comparison.
  ///   - end: The reason why the replay ended.
  ///   - last: The number of the last action that the replay started.
  ///   - isWhole: Whether the log is known to contain all its values. If so, it is not searched for missing ones.
  /// - Returns: The verdict with its causes.
  /// - Throws: The errors of `run(_:)`.
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
      // If the log is damaged after the point that the comparison has reached, the host stops there.
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
    checked.further = verdicts.dropFirst().map { LaterVerdict(verdict: $0) }
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
  ///   - plan: The steps that migrate an older log, or `nil` to replay the log unchanged.
  ///   - makeEngine: A closure that makes the engine for a log with the given header.
  /// - Returns: The verdict with its explanation.
  /// - Throws: The errors of `run(_:)` and of `makeEngine`, and `MigrationError`.
  package func run(
    _ plan: MigrationPlan? = nil,
    makeEngine: @escaping (LogEvent.Header) throws -> any FeatureEngine
  ) throws -> Result {
    let result = try compare(plan, makeEngine: makeEngine)
    return try conclude(result, .waiting, at: result.seq)
  }

  /// Compares the log with its replay in this process, in one pass and without a verdict.
  ///
  /// - Parameters:
  ///   - plan: The steps that migrate an older log, or `nil` to replay the log unchanged.
  ///   - progress: The shared memory in which the replay records its progress, or `nil` to record none.
  ///   - pause: The pause at which a native debugger stops the replay, or `nil` if there is none.
  ///   - report: A closure that receives differences and notes as soon as they are found.
  ///   - makeEngine: A closure that makes the engine for a log with the given header.
  /// - Returns: The differences and notes of the comparison.
  /// - Throws: `LogReadError`, `ReplayError`, `MigrationError`, and the errors of `makeEngine`.
  package func compare(
    _ plan: MigrationPlan? = nil,
    progress: CrashProgressRecord? = nil,
    pause: ReplayPause? = nil,
    report: LogComparison.DifferenceHandler? = nil,
    makeEngine: @escaping (LogEvent.Header) throws -> any FeatureEngine
  ) throws -> LogComparison.Result {
    let source = try LogEventIterator(log, until: until)
    let events = RecordedEvents(source, plan: plan.map { plan in { _ in plan } }, isCompared: true)
    var result = try replay(events, progress, pause, report, makeEngine).result
    result.notes = events.migrationFindings + result.notes
    return result
  }

  /// Replays recorded events and compares them with the replayed ones.
  ///
  /// - Returns: The result of the comparison, and the replay session at its end.
  func replay(
    _ events: RecordedEvents,
    _ progress: CrashProgressRecord?,
    _ pause: ReplayPause?,
    _ report: LogComparison.DifferenceHandler?,
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
        // An error after the end of the replay does not affect the result.
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

  /// Runs a comparison to its end.
  ///
  /// If a continuing check encounters an unreadable line, the differences before the line are the result.
  private func run(_ comparison: inout LogComparison) throws -> LogComparison.Result {
    do { return try comparison.run() } catch let error as LogReadError {
      guard isContinuing, !comparison.result.differences.isEmpty else { throw error }
      var result = comparison.result
      result.stop = .differs
      return result
    }
  }

  /// Returns the error because of which a continuing check ended before the end of the log.
  ///
  /// Returns `nil` after a trap, which explains the end by itself.
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

  /// Returns a verdict that blames a mask if a value can't be decoded because it was masked.
  ///
  /// Other verdicts are returned unchanged.
  private func blamingMasks(_ verdict: Verdict) throws -> Verdict {
    guard case .undecodable(var value) = verdict,
      case .header(let header) = try log.events()(), let masks = header.masked,
      masks.covers(unreadable: value.path, isInState: value.at == 0)
    else { return verdict }
    value.message = Wording.masked(value.message)
    return .notReplayable(value)
  }

  /// Adds the lines, causes, reads, and effects of the actions to which the verdicts refer.
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
  ) -> LaterVerdict {
    let step = verdict.at.flatMap { steps[$0] }
    let causes = verdict.at.flatMap { chains[$0] } ?? []
    guard var divergence = verdict.divergence else {
      return LaterVerdict(verdict: verdict, line: step?.line, causes: causes)
    }
    divergence.causes = causes
    divergence.reads = step?.reads ?? []
    divergence.effects = step?.effects ?? []
    return LaterVerdict(verdict: .diverged(divergence), line: step?.line)
  }
}

extension LogComparison.Result {
  /// Whether the replay source has returned all its events.
  fileprivate var isReplayDone: Bool {
    switch stop {
    case .ended, .replayStops, .recordingStops(openAction: _?, isReplayed: false): true
    case .recordingStops, .differs: false
    }
  }
}

extension ReplayCheck.Result {
  /// Replaces the line numbers with those in another copy of the log, such as the copy before its migration.
  ///
  /// - Throws: `LogReadError` if the copy can't be read.
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

/// The line, reads, and effects of an action in a log.
private struct RecordedStep {
  /// The line number of the action in the file, or `nil` if the log lacks the action.
  var line: Int?
  var reads: [LogEvent.Read] = []
  var effects: [EffectDescription] = []

  /// Finds the recorded data of actions.
  ///
  /// The steps for actions that the log lacks are empty.
  static func find(_ seqs: [Int], in log: LogSlice) throws(LogReadError) -> [Int: RecordedStep] {
    var steps = Dictionary(seqs.map { ($0, RecordedStep()) }) { first, _ in first }
    // The data that is found for an action does not depend on which other actions are requested, even if the lines of
    // the log are out of order.
    var open = Set(seqs)
    var order = open.sorted()[...]
    let entries = try log.entries()
    // `try?` is safe here. The comparison has already read the log through these actions, so only later lines can be
    // unreadable.
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
