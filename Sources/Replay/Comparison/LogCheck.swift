import ActionLog

/// Replays a log and reckons the verdict.
package struct LogCheck {
  package let log: LogSlice
  package var until: Int
  package var options: LogComparison.Options
  /// Whether it goes on behind a divergence, from the recorded state.
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

  /// What a check has found.
  package struct Result: Sendable, Equatable {
    package var verdict: Verdict
    /// The last action that was compared.
    package var seq: Int
    /// How many events the log has of kinds that this version does not know.
    package var unknown: Int
    /// What was noted that makes no difference.
    package var notes: [LogEvent.Finding] = []
    /// The parts that were left out and that the replay had where its state differed.
    package var met: Set<JSON.Pointer> = []
    /// The line of the file on which the action stands that the verdict is about, when it is not the same.
    package var line: Int?
    /// Whether the process that replays came to its end where it should have gone on.
    var isAbrupt = false
    /// The action of a verdict that is no divergence, which has its own, and what led to it.
    package var causes: [Verdict.Divergence.Link] = []
    /// What came behind the verdict, when the check went on from the recorded state.
    package var further: [Further] = []

    init(
      verdict: Verdict,
      seq: Int,
      unknown: Int,
      notes: [LogEvent.Finding] = [],
      met: Set<JSON.Pointer> = [],
      line: Int? = nil,
      isAbrupt: Bool = false,
      causes: [Verdict.Divergence.Link] = [],
      further: [Further] = []
    ) {
      self.verdict = verdict
      self.seq = seq
      self.unknown = unknown
      self.notes = notes
      self.met = met
      self.line = line
      self.isAbrupt = isAbrupt
      self.causes = causes
      self.further = further
    }
  }

  /// A verdict on what came behind the first one, with the line of its action.
  package struct Further: Sendable, Equatable {
    package var verdict: Verdict
    package var line: Int?
    package var causes: [Verdict.Divergence.Link] = []
  }

  /// Compares the log with its replay by a host, which need not tell of what comes out as recorded.
  ///
  /// A host that is lost so is asked again for every event: then it is known at which action.
  ///
  /// - Parameter start: Starts a replay, which may pass actions or may not.
  /// - Returns: What was found.
  /// - Throws: As `run(_:recorded:)`, and what `start` throws.
  package func run(by start: (_ isPassing: Bool) throws -> any RunningReplay) throws -> Result {
    let replay = try start(true)
    let first = Swift.Result { try run(replay) }
    guard replay.isPassing else { return try first.get() }
    switch first {
    case .success(let result) where !result.isAbrupt || result.verdict.divergence != nil:
      return result
    case .failure(is HostPasses.Misfit): return try run(try start(false))
    case .failure(let error) where (error as? HostFailure)?.isFinal ?? true: throw error
    default: break
    }
    let second = try run(try start(false))
    // What goes well the second time has still gone wrong the first time.
    return second.verdict.isSame && !second.isAbrupt ? try first.get() : second
  }

  /// Compares the log with its replay.
  ///
  /// - Parameters:
  ///   - replay: The replay.
  ///   - recorded: The log's events, when the replay takes the same.
  /// - Returns: What was found.
  /// - Throws: `LogReadError` when the log cannot be read, `ReplayError` when it has no state to start from, `HostFailure`
  ///   when the replay cannot be had.
  package func run(
    _ replay: any RunningReplay,
    recorded: LogComparison.Events? = nil
  ) throws -> Result {
    var last = 0
    var comparison = LogComparison(
      recorded: try recorded ?? replay.recording.map { events in { try events.next() } }
        ?? log.events(until: until),
      replayed: {
        let event = try replay.next()
        if case .action(let action) = event { last = action.seq }
        return event
      },
      extent: isContinuing ? .resynced : .first,
      options: options
    )
    comparison.isReplay = true
    comparison.alike = replay.passAlike
    let result: LogComparison.Result
    do {
      result = try comparison.run()
    } catch {
      let end = replay.end(isDone: false)
      if case .timedOut(let seconds) = end { throw HostFailure.timedOut(seconds, at: last) }
      throw error
    }
    let end = replay.end(isDone: result.isReplayDone)
    var signal: String?
    if case .signal(let name) = end { signal = name }
    let verdicts = try Verdict.each(of: result, signal: signal).map(blamingMasks)
    guard let verdict = verdicts.first else {
      // A host gives up on a log that is broken further on than the comparison has read.
      let rest = try log.events(until: until)
      var hasState = false
      while let event = try rest() {
        if case .checkpoint = event { hasState = true }
        guard hasState || !event.needsState else {
          throw ReplayError.noCheckpoint(kind: event.kind)
        }
      }
      switch end {
      case .waiting: throw HostFailure.incomplete(at: last)
      case .timedOut(let seconds): throw HostFailure.timedOut(seconds, at: last)
      case .exited(let status): throw HostFailure.exited(status, at: last)
      case .signal(let name): throw HostFailure.killed(name, at: last)
      }
    }
    var checked = Result(verdict: verdict, seq: result.seq, unknown: result.unknown)
    checked.notes = result.notes
    checked.isAbrupt = end != .waiting
    checked.met = result.met
    checked.further = verdicts.dropFirst().map { Further(verdict: $0) }
    try explain(&checked)
    return checked
  }

  /// Compares the log with its replay in this process, which reads it once.
  ///
  /// - Parameters:
  ///   - plan: What brings logs of older versions to that of the code.
  ///   - makeEngine: Makes the engine that the log's header asks for.
  /// - Returns: What was found.
  /// - Throws: As `run(_:recorded:)`, `MigrationError`, and what `makeEngine` throws.
  package func run(
    _ plan: MigrationPlan? = nil,
    makeEngine: @escaping (LogEvent.Header) throws -> any FeatureEngine
  ) throws -> Result {
    let source = try LogSource(log, until: until)
    let events = RecordedEvents(source, plan: plan.map { plan in { _ in plan } }, comparison: .here)
    let session = ReplaySession(
      isResyncing: isContinuing,
      ignored: options.ignored,
      input: events,
      makeEngine: makeEngine
    )
    return try run(InProcessReplay(session)) { try events.next(for: .comparison) }
  }

  /// What the code cannot read for it was masked is no fault of the code.
  private func blamingMasks(_ verdict: Verdict) throws -> Verdict {
    guard case .undecodable(var obstacle) = verdict,
      case .header(let header) = try log.events()(), let masks = header.masked,
      masks.covers(unreadable: obstacle.path, isInState: obstacle.at == 0)
    else { return verdict }
    obstacle.message = Wording.masked(obstacle.message)
    return .notReplayable(obstacle)
  }

  /// Adds what the log says of the actions at which the replay is not the same.
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
  /// Whether the replay has given all that it has to give.
  fileprivate var isReplayDone: Bool {
    switch stop {
    case .ended, .replayStops, .recordingStops(openAction: _?, isReplayed: false): true
    case .recordingStops, .differs: false
    }
  }
}

/// What a log has of one action.
struct RecordedStep {
  /// The line of the file on which the action stands.
  var line: Int?
  var reads: [LogEvent.Read] = []
  var effects: [EffectDescription] = []

  /// Looks for actions; what is not there stays empty.
  static func find(_ seqs: [Int], in log: LogSlice) throws(LogReadError) -> [Int: RecordedStep] {
    var steps = Dictionary(seqs.map { ($0, RecordedStep()) }) { first, _ in first }
    // What is found of one does not depend on the others, also in a log whose lines do not stand in their order.
    var open = Set(seqs)
    var order = open.sorted()[...]
    let entries = try log.entries()
    // All up to the action has been read before, so an error can only lie behind it.
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
