public import ActionLog

/// Replays recorded events: a filter, log in, log out, that gives one replayed event for each call.
///
/// ```swift
/// var session = ReplaySession(events: { try reader.next()?.event }) { header in try feature.makeEngine() }
/// while let event = try session.next() { write(event) }
/// ```
///
/// An action is given before it is reduced, which happens in the call that follows. Who writes each event where it is
/// safe before calling again has the action that traps as the last one of the replayed log.
///
/// A stream may hold many logs; each header starts one, with an engine of its own.
public struct ReplaySession {
  package let input: RecordedEvents
  private let makeEngine: (LogEvent.Header) throws -> any FeatureEngine
  package let until: Int
  /// Whether the replay goes on from the recorded state where it comes to another one.
  package let isResyncing: Bool
  /// The parts of the state of which it does not matter to a resync that they differ.
  package let ignored: [JSON.Pointer]
  /// Whether actions of effects that are not alive in the replay are left out: what is written is a recording of its own.
  package let isPruning: Bool
  /// Whether a log that cannot be replayed is told of in its place, for others follow that can.
  private let isOneOfMany: Bool

  var engine: (any FeatureEngine)?
  package var header: LogEvent.Header?
  /// The last action that was replayed.
  package var seq = 0
  /// The state, kept in step by what the engine says has changed; `nil` when that did not fit.
  package var state: PatchedState?
  package var effects = SimulatedEffects()
  /// The replay's own effects as a checkpoint describes them; `nil` where the recorded ones are given.
  package var alive: AliveEffects?
  /// The recorded and the replayed state, once they are not the same.
  var apart: ComparedStates?
  /// The places that only the log or only the code has.
  var drifted: Set<JSON.Pointer> = []
  /// The places in the reducer's own actions that only the log or only the code has.
  var driftedActions: Set<JSON.Pointer> = []
  /// The places that only one of the states had, though log and code both know them.
  var undrifted: Set<JSON.Pointer> = []
  /// Where the recording has come to, when the replay may have to go on from there.
  var course: RecordedPosition?
  /// How many actions of each effect were left out, by its name in the replay.
  var prunedSends: [EffectID: Int] = [:]
  var numbers = ActionNumbers()
  /// The effects that sent an action at once when the log was recorded, as the log names them.
  var recordedSends: Set<EffectID> = []
  /// Set when an action could not be replayed: what follows in this log has no state to start from.
  package var isStopped = false
  /// Whether who compares the events elsewhere has come to the last one: some are passed over on the way to the next.
  var isInStep = true
  /// Set while events are missing: the next checkpoint is where the replay goes on.
  var isAfterGap = false

  package var output: [LogEvent] = []
  /// How many of the events in `output` have been given.
  package var given = 0
  /// What is to be done before the next event is read; the last is done first.
  var agenda: [Task] = []

  /// A session over the events of one or more logs.
  ///
  /// - Parameters:
  ///   - until: The last action of each log that is replayed.
  ///   - isResyncing: Whether it goes on from the recorded state where the replay comes to another one.
  ///   - ignored: The parts of the state in which another one does not count then.
  ///   - isPruning: Whether actions of effects that are not alive in the replay are left out, each with a finding that has
  ///     the recorded number. Not together with `isResyncing`.
  ///   - isOneOfMany: Whether a log whose feature is unknown gives a finding, and not an error.
  ///   - events: Gives the recorded events.
  ///   - makeEngine: Makes the engine that a log's header asks for.
  public init(
    until: Int = .max,
    isResyncing: Bool = false,
    ignored: [JSON.Pointer] = [],
    isPruning: Bool = false,
    isOneOfMany: Bool = false,
    events: @escaping LogComparison.Events,
    makeEngine: @escaping (LogEvent.Header) throws -> any FeatureEngine
  ) {
    self.init(
      until: until,
      isResyncing: isResyncing,
      ignored: ignored,
      isPruning: isPruning,
      isOneOfMany: isOneOfMany,
      input: RecordedEvents(events),
      makeEngine: makeEngine
    )
  }

  /// A session over events that something else may take as well.
  package init(
    until: Int = .max,
    isResyncing: Bool = false,
    ignored: [JSON.Pointer] = [],
    isPruning: Bool = false,
    isOneOfMany: Bool = false,
    input: RecordedEvents,
    makeEngine: @escaping (LogEvent.Header) throws -> any FeatureEngine
  ) {
    self.input = input
    self.until = until
    self.isResyncing = isResyncing
    // A replay that does not resync tells of all drift, also of that in a part that is left out.
    self.ignored = isResyncing ? ignored : []
    self.isPruning = isPruning && !isResyncing
    self.isOneOfMany = isOneOfMany
    self.makeEngine = makeEngine
  }

  /// Something to be done in its turn.
  package indirect enum Task {
    case begin(Step)
    case perform(Step)
    /// Every action that the reducer has sent and that waits is reduced, one after the other.
    case drain
    case checkpoint(LogEvent.Checkpoint)
    case excluded(LogEvent.Excluded)
    case end(LogEvent.End)
  }

  /// The next replayed event; `nil` behind the last log.
  ///
  /// - Throws: What the events and `makeEngine` throw, and `ReplayError`.
  public mutating func next() throws -> LogEvent? {
    while true {
      if given < output.count {
        defer { given += 1 }
        return output[given]
      }
      output.removeAll(keepingCapacity: true)
      given = 0
      if let task = agenda.popLast() {
        try carryOut(task)
      } else if let event = try input.next() {
        try take(event)
      } else {
        return nil
      }
    }
  }

  private mutating func carryOut(_ task: Task) throws {
    switch task {
    case .begin(let step): begin(step)
    case .perform(let step): perform(step)
    case .drain: drain()
    case .checkpoint(let recorded): check(recorded)
    case .excluded(let excluded): apply(excluded)
    case .end(let end): output.append(.end(LogEvent.End(seq: seq, reason: end.reason)))
    }
  }

  private mutating func take(_ event: LogEvent) throws {
    if case .header(let header) = event { return try open(header) }
    guard !isStopped else { return }
    guard engine != nil || !event.needsState else {
      throw ReplayError.noCheckpoint(kind: event.kind)
    }
    switch event {
    case .checkpoint(let checkpoint):
      guard engine != nil, !isAfterGap else { return try load(checkpoint) }
      // It may stand within a wave: what the reducer has sent may come behind it.
      agenda = [.checkpoint(checkpoint)]
    case .action(let action):
      guard action.seq <= until else {
        isStopped = true
        return
      }
      try take(action)
    case .effect(let effect):
      follow(effect)
    case .end(let end):
      // What was sent when a segment was full comes in the next one.
      agenda = end.reason == LogEvent.End.segment ? [.end(end)] : [.end(end), .drain]
    case .external(let external):
      output.append(event)
      _ = apart?.compare(external.patch, external.patch, of: external.seq)
      apply(external.patch, shared: external.shared)
    case .excluded(let excluded):
      agenda = excluded.origin == .view ? [.excluded(excluded), .drain] : [.excluded(excluded)]
    case .gap:
      isAfterGap = true
      output.append(event)
    case .note(var note):
      note.seq = numbers.replayed(note.seq) ?? seq
      output.append(.note(note))
    case .unknown: output.append(event)
    // Reads and changes come with their action, findings are the replay's own.
    case .header, .read, .change, .finding: break
    }
  }

  private mutating func open(_ header: LogEvent.Header) throws {
    self.header = header
    engine = nil
    effects = SimulatedEffects()
    numbers = ActionNumbers()
    recordedSends = []
    isStopped = false
    isAfterGap = false
    drifted = []
    driftedActions = []
    undrifted = []
    output.append(.header(header))
  }

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
    apart = nil
    course = isResyncing ? RecordedPosition(checkpoint) : nil
    alive = isPruning ? AliveEffects(checkpoint) : nil
    prunedSends = [:]
    if isPruning { effects.keepStarted() }
    numbers = ActionNumbers(behind: seq)
    recordedSends = []
    for effect in checkpoint.effects { note(effect) }
    do {
      let loaded = try engine.load(checkpoint, header: header)
      for drift in loaded.drift { note(drift) }
      let recorded = checkpoint.state
      var checkpoint = checkpoint
      checkpoint.state = loaded.state ?? checkpoint.state
      output.append(.checkpoint(checkpoint))
      if let own = loaded.state { separate(recorded, own) }
      state = PatchedState(checkpoint.state)
      self.engine = engine
      effects.load(checkpoint)
    } catch {
      output.append(.checkpoint(checkpoint))
      stop(error)
    }
  }
}
