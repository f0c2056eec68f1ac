public import ActionLog

/// A replay of recorded events: a filter from log to log that returns one replayed event per call.
///
/// ```swift
/// var session = ReplaySession(events: { try reader.next()?.event }) { header in try feature.makeEngine() }
/// while let event = try session.next() { write(event) }
/// ```
///
/// An action is returned before it is reduced. The next call reduces it. If a caller saves each event before it calls
/// again, an action that traps is the last event of the replayed log.
///
/// A stream may contain several logs. Each header starts a new log with a new engine.
public struct ReplaySession {
  private(set) var input: RecordedEvents
  private let makeEngine: (LogEvent.Header) throws -> any FeatureEngine
  let until: Int
  /// Whether the replay continues from the recorded state after a divergence.
  let isResyncing: Bool
  /// The paths in the state at which differences don't cause a resync.
  let ignored: [JSON.Pointer]
  /// Whether the replay omits actions of effects that are not alive in it.
  ///
  /// The output is then an independent log.
  let isPruning: Bool
  /// Whether stand-ins for missing reads are output as reads.
  let keepsStandIns: Bool
  /// Whether the events come from another timeline, so that they may have been recorded in other states.
  var isFork: Bool { isPruning && keepsStandIns }
  /// Whether a log with an unknown feature causes a finding instead of an error, because other logs follow.
  private let isOneOfMany: Bool
  /// The shared memory in which the replay records its progress, or `nil` to record none.
  let progress: CrashProgressRecord?
  /// The pause at which a native debugger stops the replay, or `nil` if there is none.
  let pause: ReplayPause?

  var engine: (any FeatureEngine)?
  private(set) var header: LogEvent.Header?
  /// Whether the log comes from a recorder that used other rules to end the effects of child features.
  ///
  /// A log that the replay creates follows the current rules.
  private(set) var endsChildrenByEarlierRules = false
  /// The state of the replay, computed from its changes.
  ///
  /// The engine can't provide the state before an action, because the old and the new state may share storage.
  var state: PatchedState?
  /// The number of the last action that was replayed.
  var seq = 0
  var effects = SimulatedEffects()
  /// The replay's effects as a checkpoint would describe them, or `nil` if recorded descriptions are output.
  var liveEffects: UnfinishedEffects?
  /// Whether the last checkpoint has the same cancellation IDs in the log and in the replay.
  private(set) var idsAreTheLogs = true
  /// The recorded and the replayed state after they have diverged, or `nil` while they are equal.
  var divergedStates: ComparedStates?
  /// A comparison of values for which the log contains only the type.
  var opaque = OpaqueComparison(isReplay: true)
  /// The errors that were already reported because this build does not have their types.
  private var unknownErrors: Set<UncomparedValue> = []
  var drift = SchemaDriftTracker()
  /// The position in the recording, or `nil` if the replay never resyncs.
  var recordedPosition: RecordedEffectsTracker?
  /// The number of omitted actions of each effect, by the effect's ID in the log.
  var prunedSends: [EffectID: Int] = [:]
  var numbers = ActionNumberMapping()
  /// The log's IDs of recorded `send` effects whose actions have not been read yet.
  var recordedSends: Set<EffectID> = []
  /// Whether the replay of the current log has stopped.
  ///
  /// It stops if a value can't be decoded, if the feature is unknown, or after action `until`.
  package var isStopped = false
  /// Whether the log has ended, so that only another log may follow.
  private var hasEnded = false
  /// Whether recorded events are missing, so that the replay must continue at the next checkpoint.
  private(set) var isAfterGap = false
  /// Whether a replay that starts at the last checkpoint of a stretch would continue like this one.
  private(set) var isEquivalentAtEnd = false

  var output: [LogEvent] = []
  /// The number of events in `output` that the caller has received.
  private(set) var given = 0
  /// The work to do before the next event is read, as a stack.
  var pending: [WorkItem] = []

  /// Creates a session that replays the events of one or more logs.
  ///
  /// - Parameters:
  ///   - until: The number of the last action to replay in each log.
  ///   - isResyncing: Whether the replay continues from the recorded state after a divergence.
  ///   - ignored: The paths in the state at which differences don't count as a divergence. Used only if `isResyncing`
  ///     is `true`.
  ///   - isPruning: Whether to omit actions of effects that are not alive in the replay. Each omitted action causes a
  ///     finding with the action's number in the log. Used only if `isResyncing` is `false`.
  ///   - keepsStandIns: Whether stand-ins for missing reads are output as reads.
  ///   - isOneOfMany: Whether a log with an unknown feature causes a finding instead of an error.
  ///   - events: A closure that returns the next recorded event, or `nil` after the last one.
  ///   - makeEngine: A closure that makes the engine for a log with the given header.
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

  /// Creates a session that replays events that a comparison may also read.
  package init(
    until: Int = .max,
    isResyncing: Bool = false,
    ignored: [JSON.Pointer] = [],
    isPruning: Bool = false,
    keepsStandIns: Bool = false,
    isOneOfMany: Bool = false,
    input: RecordedEvents,
    progress: CrashProgressRecord? = nil,
    pause: ReplayPause? = nil,
    makeEngine: @escaping (LogEvent.Header) throws -> any FeatureEngine
  ) {
    self.input = input
    self.until = until
    self.isResyncing = isResyncing
    // A replay that doesn't resync reports all drift, including drift at ignored paths.
    self.ignored = isResyncing ? ignored : []
    self.isPruning = isPruning && !isResyncing
    self.keepsStandIns = keepsStandIns
    self.isOneOfMany = isOneOfMany
    self.progress = progress
    self.pause = pause
    self.makeEngine = makeEngine
  }

  /// A unit of work to do before the next event is read.
  enum WorkItem {
    case begin(ReplayedAction)
    case perform(ReplayedAction)
    /// Processes an action from outside after the actions that wait to be reduced.
    indirect case arrive(ReplayedAction, sentBy: LogEvent.Origin)
    /// Processes an effect event after the actions that wait to be reduced.
    indirect case follow(LogEvent.Effect)
    /// Reduces all actions that the reducer has sent and that are waiting, one after another.
    case drain
    case checkpoint(LogEvent.Checkpoint)
    indirect case excluded(LogEvent.Excluded)
    case end(LogEvent.End)
  }

  /// Reads events until the first checkpoint has created an engine, the replay has stopped, or the last event was read.
  ///
  /// - Throws: The errors of `next()`.
  package mutating func start() throws {
    while engine == nil, !isStopped, let event = try input.next() { try process(event) }
  }

  /// Returns the next replayed event, or `nil` after the end of the last log.
  ///
  /// - Throws: `ReplayError`, the error of a recorded event that can't be read, or the error that `makeEngine` throws.
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
      // The number of the last action in a gap is known only from the log.
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
      // Waiting actions that the reducer sent before the checkpoint may be reduced after it.
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
      // Actions that were sent when a segment was full are in the next segment. Actions in a gap are omitted.
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
    // Reads and changes are read together with their action. The event of a withheld action follows later. The replay
    // makes its own findings.
    case .header, .withheld, .read, .change, .finding: break
    }
  }

  private mutating func open(_ header: LogEvent.Header) throws {
    self.header = header
    endsChildrenByEarlierRules = !isPruning && header.endsChildrenByEarlierRules
    engine = nil
    effects = SimulatedEffects()
    numbers = ActionNumberMapping()
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
    recordedPosition = isResyncing ? RecordedEffectsTracker(checkpoint) : nil
    liveEffects = isPruning ? UnfinishedEffects(checkpoint) : nil
    prunedSends = [:]
    if isPruning { effects.trackStarted() }
    numbers = ActionNumberMapping(after: seq, isFork: isFork)
    recordedSends = []
    recordSends(of: checkpoint.effects)
    progress?.enter(.load, recorded: seq, replayed: seq)
    do {
      let loaded = try engine.load(checkpoint, header: header)
      for drift in loaded.drift {
        if let finding = self.drift.driftFinding(drift, at: seq) { output.append(finding) }
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

  /// Reports the errors in a recorded value whose types this build does not have.
  ///
  /// Such errors are decoded as `LoggedError`. If the same error occurs again, it is not reported again.
  mutating func nameUnknownErrors(
    in value: JSONText,
    _ part: UncomparedValue.LogSection,
    of owner: String? = nil
  ) {
    for error in UncomparedValues.errorsOfUnknownTypes(in: value, part, of: owner)
    where unknownErrors.insert(error).inserted {
      output.append(.finding(error.finding(at: seq)))
    }
  }

  /// Outputs a checkpoint with the replayed state, in place of a recorded checkpoint.
  private mutating func check(_ recorded: LogEvent.Checkpoint) {
    guard let engine else { return }
    output += contradictions(of: recorded, engine).map { .finding($0) }
    var own = recorded
    own.seq = seq
    own.logged = engine.loggedState
    state = PatchedState(own.logged)
    own.copyNextStackElement(of: engine)
    if let effects = liveEffects?.checkpoint() {
      own.effects = effects
      own.shared = engine.sharedPlaces
      idsAreTheLogs = effects.cancelIDs == recorded.effects.cancelIDs
    }
    effects.adoptNumbers(of: own.effects)
    recordedPosition?.adoptNumbers(of: recorded.effects)
    output.append(.checkpoint(own))
    resyncIfNeeded(at: recorded, own)
    if input.hasReachedEnd { isEquivalentAtEnd = isEquivalent(to: recorded, own) }
  }

  /// Returns findings about the data of a recorded checkpoint, except the state, that contradicts the replay.
  ///
  /// A replay that starts at such a checkpoint would continue differently. The result is empty after a divergence,
  /// because the replay then has other effects.
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
    var findings = CheckpointEffectContradiction.between(
      recorded.effects.checkpointed,
      effects.checkpointed
    )
    .map { finding($0.id.description, Wording.describe($0)) }
    // A recorder may omit the number of the next stack element.
    if let next = recorded.nextStackElement, let expected = engine.nextStackElement,
      next != expected
    {
      findings.append(
        finding("nextStackElement", Wording.wrongStackElement(next, expected: expected))
      )
    }
    return findings
  }

  /// Returns whether a replay that starts at a checkpoint would continue like this one.
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

  /// Stops the replay of the current log after an error, and outputs the error as a finding.
  ///
  /// Without the result of the failed step, there is no state for the next action.
  mutating func stop(_ error: any Error) {
    isStopped = true
    pending = []
    var finding = LogEvent.Finding(seq: seq, code: .undecodable, subject: "", message: "\(error)")
    if let error = error as? LogDecodingError {
      finding.subject = error.path.description
      if let header { finding.message = error.description(OpaqueTypeRemedies(header.environment)) }
      if case .opaque = error.problem { finding.code = .notReplayable }
    }
    output.append(.finding(finding))
  }
}

// MARK: - Snapshots

extension ReplaySession {
  /// The state of a session between two recorded events, to which the session can return.
  package struct Snapshot {
    fileprivate let session: ReplaySession
    fileprivate let engine: EngineSnapshot?
  }

  /// A snapshot of the current state, or `nil` if work is pending or the engine can't be restored.
  package var snapshot: Snapshot? {
    guard pending.isEmpty, given == output.count, !isStopped, let engine,
      engine.snapshotObstacle == nil
    else { return nil }
    return Snapshot(session: self, engine: engine.snapshot())
  }

  /// Restores a snapshot, and continues with other events.
  ///
  /// - Parameters:
  ///   - snapshot: A snapshot of this session.
  ///   - input: The events to replay after the snapshot.
  package mutating func restore(_ snapshot: Snapshot, input: RecordedEvents) {
    self = snapshot.session
    self.input = input
    if let engine = snapshot.engine { self.engine?.restore(engine) }
  }

  /// Calls a function in the context of the engine, or directly if there is no engine.
  package func withContext(_ body: () throws -> Void) rethrows {
    guard let engine else { return try body() }
    try engine.withContext(body)
  }

  /// Whether the session has no engine yet, and has not stopped.
  package var isWaitingForEngine: Bool { engine == nil && !isStopped }

  /// The number of events that the replay has peeked at but not consumed.
  package var readAhead: Int { input.readAhead }
}

extension [EffectDescription] {
  fileprivate var cancelIDs: [EffectDescription.CancelID] {
    flatMap(\.flattened).compactMap(\.cancelID)
  }
}
