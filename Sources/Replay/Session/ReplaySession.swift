public import ActionLog

/// Replays recorded events: a filter, log in, log out, that gives one replayed event for each call.
///
/// ```swift
/// var session = ReplaySession(events: { try reader.next()?.event }) { header in try feature.makeEngine() }
/// while let event = try session.next() { write(event) }
/// ```
///
/// An action is given before it is reduced, which happens in the call that follows. A caller that writes each event to a
/// safe place before it calls again has the action that traps as the last one of the replayed log.
///
/// A stream may hold many logs; each header starts one, with an engine of its own.
public struct ReplaySession {
  private(set) var input: RecordedEvents
  private let makeEngine: (LogEvent.Header) throws -> any FeatureEngine
  let until: Int
  /// Whether the replay continues from the recorded state where its own differs.
  let isResyncing: Bool
  /// The parts of the state whose differences don't cause a resync.
  let ignored: [JSON.Pointer]
  /// Whether actions of effects that are not alive in the replay are left out: the output is a recording of its own.
  let isPruning: Bool
  /// Whether the values that stand in for reads which the log lacks become reads of the output.
  let keepsStandIns: Bool
  /// Whether the events are those of another timeline: actions and changes may come that were recorded in other states.
  var isFork: Bool { isPruning && keepsStandIns }
  /// Whether a log that cannot be replayed gives a finding, because others follow that can.
  private let isOneOfMany: Bool
  /// Where it is noted how far the replay has come.
  let progress: ReplayProgress?
  /// Where the replay stops for a debugger.
  let pause: ReplayPause?

  var engine: (any FeatureEngine)?
  private(set) var header: LogEvent.Header?
  /// Whether the log's recorder ended the effects of children by other rules, which a log that is made anew does not follow.
  private(set) var endsChildrenByEarlierRules = false
  /// The state of the replay, as its own changes tell it: the engine cannot say what it was before an action, for both states may
  /// share parts.
  var state: PatchedState?
  /// The last action that was replayed.
  var seq = 0
  var effects = SimulatedEffects()
  /// The replay's own effects as a checkpoint describes them; `nil` where the recorded ones are given.
  var liveEffects: LiveEffects?
  /// Whether the last checkpoint has the cancellation ids that it has in the log, so that both number them in the same way.
  private(set) var idsAreTheLogs = true
  /// The recorded and the replayed state, once they differ.
  var divergedStates: ComparedStates?
  /// What is made of values that the log does not hold.
  var opaque = OpaqueComparison(isReplay: true)
  /// The errors that are named because this build lacks their types.
  private var unknownErrors: Set<UncomparedValue> = []
  var drift = SchemaDriftTracker()
  /// The position of the recording, when the replay may have to continue from there.
  var recordedPosition: RecordedPosition?
  /// The number of actions of each effect that were left out, by its name in the log.
  var prunedSends: [EffectID: Int] = [:]
  var numbers = ActionNumbers()
  /// The effects that sent an action at once when the log was recorded, as the log names them.
  var recordedSends: Set<EffectID> = []
  /// Set when an action could not be replayed: the rest of this log has no state to start from.
  package var isStopped = false
  /// Whether the log has ended: nothing but another log may follow.
  private var hasEnded = false
  /// Set while events are missing: the replay continues at the next checkpoint.
  private(set) var isAfterGap = false
  /// Whether a replay that begins at the checkpoint with which a stretch of a log ends would go on as this one does.
  private(set) var isEquivalentAtEnd = false

  var output: [LogEvent] = []
  /// The number of events in `output` that have been given.
  private(set) var given = 0
  /// The work to do before the next event is read, the last item first.
  var pending: [WorkItem] = []

  /// A session over the events of one or more logs.
  ///
  /// - Parameters:
  ///   - until: The last action of each log that is replayed.
  ///   - isResyncing: Whether the replay continues from the recorded state where its own differs.
  ///   - ignored: The parts of the state whose differences don't count then.
  ///   - isPruning: Whether actions of effects that are not alive in the replay are left out, each with a finding that has
  ///     the recorded number. Not together with `isResyncing`.
  ///   - keepsStandIns: Whether the values that stand in for reads which the log lacks become reads of the output.
  ///   - isOneOfMany: Whether a log whose feature is unknown gives a finding, and not an error.
  ///   - events: Gives the recorded events.
  ///   - makeEngine: Makes the engine for the log with this header.
  public init(
    until: Int = .max,
    isResyncing: Bool = false,
    ignored: [JSON.Pointer] = [],
    isPruning: Bool = false,
    keepsStandIns: Bool = false,
    isOneOfMany: Bool = false,
    events: @escaping LogComparison.Events,
    makeEngine: @escaping (LogEvent.Header) throws -> any FeatureEngine
  ) {
    self.init(
      until: until,
      isResyncing: isResyncing,
      ignored: ignored,
      isPruning: isPruning,
      keepsStandIns: keepsStandIns,
      isOneOfMany: isOneOfMany,
      input: RecordedEvents(events),
      makeEngine: makeEngine
    )
  }

  /// A session over events that a comparison may read as well.
  package init(
    until: Int = .max,
    isResyncing: Bool = false,
    ignored: [JSON.Pointer] = [],
    isPruning: Bool = false,
    keepsStandIns: Bool = false,
    isOneOfMany: Bool = false,
    input: RecordedEvents,
    progress: ReplayProgress? = nil,
    pause: ReplayPause? = nil,
    makeEngine: @escaping (LogEvent.Header) throws -> any FeatureEngine
  ) {
    self.input = input
    self.until = until
    self.isResyncing = isResyncing
    // A replay that does not resync reports all drift, also in the parts that are ignored.
    self.ignored = isResyncing ? ignored : []
    self.isPruning = isPruning && !isResyncing
    self.keepsStandIns = keepsStandIns
    self.isOneOfMany = isOneOfMany
    self.progress = progress
    self.pause = pause
    self.makeEngine = makeEngine
  }

  /// One item of the work that is pending.
  enum WorkItem {
    case begin(ReplayedAction)
    case perform(ReplayedAction)
    /// An action that comes after those that the reducer has sent.
    indirect case arrive(ReplayedAction, sentBy: LogEvent.Origin)
    /// A turn in the life of an effect that comes after them.
    indirect case follow(LogEvent.Effect)
    /// Every action that the reducer has sent and that waits is reduced, one after the other.
    case drain
    case checkpoint(LogEvent.Checkpoint)
    indirect case excluded(LogEvent.Excluded)
    case end(LogEvent.End)
  }

  /// Reads on until there is an engine, if the log comes so far.
  ///
  /// - Throws: As `next()`.
  package mutating func start() throws {
    while engine == nil, !isStopped, let event = try input.next() { try process(event) }
  }

  /// The next replayed event; `nil` after the last log.
  ///
  /// - Throws: The errors of the events and of `makeEngine`, and `ReplayError`.
  public mutating func next() throws -> LogEvent? {
    while true {
      if given < output.count {
        defer { given += 1 }
        return output[given]
      }
      output.removeAll(keepingCapacity: true)
      given = 0
      if let item = pending.popLast() {
        try carryOut(item)
      } else if let event = try input.next() {
        try process(event)
      } else {
        return nil
      }
    }
  }

  private mutating func carryOut(_ item: WorkItem) throws {
    switch item {
    case .begin(let step): announce(step)
    case .perform(let step): perform(step)
    case .arrive(let step, let sender): arrive(step, sentBy: sender)
    case .follow(let effect): apply(effect)
    case .drain: drain()
    case .checkpoint(let recorded): check(recorded)
    case .excluded(let excluded): apply(excluded)
    case .end(var end):
      // The log alone has the number of the last action that a gap has left out.
      end.seq = isAfterGap ? numbers.replayed(end.seq) ?? end.seq : seq
      output.append(.end(end))
    }
  }

  private mutating func process(_ event: LogEvent) throws {
    if case .header(let header) = event { return try open(header) }
    guard !isStopped else { return }
    guard engine != nil || !event.needsState else {
      throw ReplayError.noCheckpoint(kind: event.kind)
    }
    if hasEnded, event.needsState || event.leadsToState {
      hasEnded = false
      output.append(
        .finding(
          LogEvent.Finding(
            seq: seq,
            code: .brokenLog,
            subject: event.kind,
            message: Wording.afterEnd(event.kind)
          )
        )
      )
    }
    switch event {
    case .checkpoint(let checkpoint):
      guard engine != nil, !isAfterGap else { return try load(checkpoint) }
      // Actions that the reducer has sent may come before and after it.
      pending = [.checkpoint(checkpoint)]
    case .action(let action):
      guard action.seq <= until else {
        isStopped = true
        return
      }
      try process(action, event)
    case .effect(let effect):
      guard isPruning, effects.hasProduced, effect.isSettled else { return apply(effect) }
      pending = [.follow(effect), .drain]
    case .end(let end):
      hasEnded = true
      // Actions that were sent when a segment was full come in the next one, and those of a gap are left out.
      let isOpen = end.reason == LogEvent.End.segment || isAfterGap
      pending = isOpen ? [.end(end)] : [.end(end), .drain]
    case .external(let external): apply(external)
    case .excluded(let excluded):
      pending = excluded.origin == .view ? [.excluded(excluded), .drain] : [.excluded(excluded)]
    case .gap:
      isAfterGap = true
      output.append(event)
    case .note(var note):
      note.seq = numbers.replayed(note.seq) ?? seq
      output.append(.note(note))
    case .call(let call): pass(call)
    case .unknown: output.append(event)
    // Reads and changes come with their action, as what it withholds does; findings are the replay's own.
    case .header, .withheld, .read, .change, .finding: break
    }
  }

  private mutating func open(_ header: LogEvent.Header) throws {
    self.header = header
    endsChildrenByEarlierRules = !isPruning && header.endsChildrenByEarlierRules
    engine = nil
    effects = SimulatedEffects()
    numbers = ActionNumbers()
    recordedSends = []
    isStopped = false
    hasEnded = false
    isAfterGap = false
    opaque = OpaqueComparison(isReplay: true)
    unknownErrors = []
    drift = SchemaDriftTracker()
    output.append(.header(header))
  }
}

// MARK: - Checkpoints

extension ReplaySession {
  private mutating func load(_ checkpoint: LogEvent.Checkpoint) throws {
    guard let header else { throw ReplayError.noCheckpoint(kind: "checkpoint") }
    isAfterGap = false
    effects = SimulatedEffects()
    var engine: any FeatureEngine
    do { engine = try makeEngine(header) } catch let error as ReplayError where isOneOfMany {
      isStopped = true
      output.append(
        .finding(
          LogEvent.Finding(
            seq: 0,
            code: .unknownFeature,
            subject: header.feature,
            message: "\(error)"
          )
        )
      )
      return
    }
    seq = checkpoint.seq
    divergedStates = nil
    recordedPosition = isResyncing ? RecordedPosition(checkpoint) : nil
    liveEffects = isPruning ? LiveEffects(checkpoint) : nil
    prunedSends = [:]
    if isPruning { effects.trackStarted() }
    numbers = ActionNumbers(after: seq, isFork: isFork)
    recordedSends = []
    noteSends(of: checkpoint.effects)
    progress?.enter(.load, recorded: seq, replayed: seq)
    do {
      let loaded = try engine.load(checkpoint, header: header)
      for drift in loaded.drift {
        if let finding = self.drift.report(drift, at: seq) { output.append(finding) }
      }
      nameUnknownErrors(in: checkpoint.logged, .state)
      let recorded = checkpoint.logged
      var checkpoint = checkpoint
      if let own = loaded.state { checkpoint.state = own }
      output.append(.checkpoint(checkpoint))
      if let own = loaded.state { compareStates(recorded.json, own) }
      state = PatchedState(checkpoint.logged)
      self.engine = engine
      effects.load(checkpoint)
    } catch {
      output.append(.checkpoint(checkpoint))
      stop(error)
    }
  }

  /// Names the errors of a recorded value that are read as `LoggedError`, because this build lacks their types; each once.
  mutating func nameUnknownErrors(
    in value: JSONText,
    _ part: UncomparedValue.Part,
    of owner: String? = nil
  ) {
    for error in UncomparedValues.errorsOfUnknownTypes(in: value, part, of: owner)
    where unknownErrors.insert(error).inserted {
      output.append(.finding(error.finding(at: seq)))
    }
  }

  /// Gives the checkpoint that the replay has reached in place of a recorded one.
  private mutating func check(_ recorded: LogEvent.Checkpoint) {
    guard let engine else { return }
    output += contradictions(of: recorded, engine).map { .finding($0) }
    var own = recorded
    own.seq = seq
    own.logged = engine.loggedState
    state = PatchedState(own.logged)
    own.takeNextStackElement(of: engine)
    if let effects = liveEffects?.checkpoint() {
      own.effects = effects
      own.shared = engine.sharedPlaces
      idsAreTheLogs = effects.cancelIDs == recorded.effects.cancelIDs
    }
    effects.takeNames(of: own.effects)
    recordedPosition?.takeNames(of: recorded.effects)
    output.append(.checkpoint(own))
    resyncIfNeeded(at: recorded, own)
    if input.hasReachedEnd { isEquivalentAtEnd = isEquivalent(to: recorded, own) }
  }

  /// What a recorded checkpoint says besides the state that is not so here: a replay that begins with it would go another way.
  ///
  /// A replay that goes its own way has other effects.
  private func contradictions(
    of recorded: LogEvent.Checkpoint,
    _ engine: any FeatureEngine
  ) -> [LogEvent.Finding] {
    guard !isPruning, numbers.areTheLogs, divergedStates == nil, recorded.seq == seq else {
      return []
    }
    func finding(_ subject: String, _ message: String) -> LogEvent.Finding {
      LogEvent.Finding(seq: seq, code: .brokenLog, subject: subject, message: message)
    }
    var findings = CheckpointContradiction.between(
      recorded.effects.checkpointed,
      effects.checkpointed
    )
    .map { finding($0.id.description, Wording.describe($0)) }
    // Recorders may leave it out.
    if let next = recorded.nextStackElement, let expected = engine.nextStackElement,
      next != expected
    {
      findings.append(
        finding("nextStackElement", Wording.wrongStackElement(next, expected: expected))
      )
    }
    return findings
  }

  /// Whether a replay that begins at a checkpoint would go on as this one does.
  private func isEquivalent(
    to recorded: LogEvent.Checkpoint,
    _ own: LogEvent.Checkpoint
  ) -> Bool {
    guard recorded.seq == seq, recorded.effects.isEmpty, recorded.shared == nil,
      recorded.rest.isEmpty, recorded.logged == own.logged, effects.isIdle, numbers.areTheLogs,
      divergedStates == nil, drift.places.isEmpty, drift.actionPlaces.isEmpty,
      header?.masked == nil, !isStopped, !isPruning, !endsChildrenByEarlierRules
    else { return false }
    return engine?.isEquivalent(to: recorded) ?? false
  }

  /// Ends the replay of this log: without the outcome of an action there is no state for the next one.
  mutating func stop(_ error: any Error) {
    isStopped = true
    pending = []
    var finding = LogEvent.Finding(seq: seq, code: .undecodable, subject: "", message: "\(error)")
    if let error = error as? LogDecodingError {
      finding.subject = error.path.description
      if let header { finding.message = error.description(LogRemedies(header.environment)) }
      if case .opaque = error.problem { finding.code = .notReplayable }
    }
    output.append(.finding(finding))
  }
}

// MARK: - Going back

extension ReplaySession {
  /// A session between two recorded events.
  package struct Snapshot {
    fileprivate let session: ReplaySession
    fileprivate let engine: EngineSnapshot?
  }

  /// The session as it is now; `nil` while something is under way, and where the engine cannot go back.
  package var snapshot: Snapshot? {
    guard pending.isEmpty, given == output.count, !isStopped, let engine,
      engine.snapshotObstacle == nil
    else { return nil }
    return Snapshot(session: self, engine: engine.snapshot())
  }

  /// Goes back, and on with other events.
  ///
  /// - Parameters:
  ///   - snapshot: Where to go.
  ///   - input: The events after it.
  package mutating func restore(_ snapshot: Snapshot, input: RecordedEvents) {
    self = snapshot.session
    self.input = input
    if let engine = snapshot.engine { self.engine?.restore(engine) }
  }

  /// Calls a function in the context of the engine, once there is one.
  package func withContext(_ body: () throws -> Void) rethrows {
    guard let engine else { return try body() }
    try engine.withContext(body)
  }

  /// Whether no engine has been made yet.
  package var isWaitingForEngine: Bool { engine == nil && !isStopped }

  /// How many events were read ahead.
  package var readAhead: Int { input.readAhead }
}

extension [EffectDescription] {
  fileprivate var cancelIDs: [EffectDescription.CancelID] {
    flatMap(\.flattened).compactMap(\.cancelID)
  }
}
