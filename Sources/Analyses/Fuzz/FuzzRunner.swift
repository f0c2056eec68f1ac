import ActionLog
import LogTools
import ReplayEngine
import ReplayHosts

/// Executes sequences in memory, starting from snapshots, and reports what they cover.
final class FuzzRunner {
  private let feature: SimulatedFeature
  private let header: LogEvent.Header
  private let checkpoint: LogEvent.Checkpoint
  private let page: CrashProgressRecord?
  private let judge: SearchJudge
  private let watch: RuleEvaluator
  private let start: Snapshot
  private var alive: [LiveEffect]
  /// The state after the last action, as JSON text.
  private var state: JSONText
  private var shape: StateShape
  private var lastCase: UInt64 = 0
  /// The result of the current step, while it is executed.
  private var made = StepResult()
  /// The events of the current sequence, or `nil` if they are not needed.
  private var events: [LogEvent]?
  /// The kinds of actions that are known to trap.
  private(set) var avoided = KnownTraps()
  /// Whether to avoid all actions of a kind that has trapped, except with state shapes in which the kind was reduced.
  var isCautious = false
  /// The signatures of actions that were reduced without a trap.
  private var reduced: Set<UInt64> = []
  /// The number of state shapes in which actions of each kind were reduced.
  private var reducedKinds: [UInt64: Int] = [:]
  /// The sizes of stored samples, with which reduced actions are compared.
  private var samples: LargestSampledInputs

  /// An effect that is running or waiting, with the number of actions that it has sent so far.
  fileprivate struct LiveEffect {
    let id: EffectID
    let source: EffectOrigin
    let elements: [JSON]
    var sent = 0

    init(_ id: EffectID, _ identity: EffectIdentity, startedBy cause: String) {
      self.id = id
      source = EffectOrigin(identity, startedBy: cause)
      elements = identity.elements
    }
  }

  /// The state of the feature and of the runner, to which the runner can return.
  struct Snapshot {
    fileprivate let feature: SimulatedFeature.Snapshot
    fileprivate let alive: [LiveEffect]
    fileprivate let state: JSONText
    fileprivate let shape: StateShape
    fileprivate let lastCase: UInt64
    fileprivate let moment: RuleEvaluator.ConditionHistory
  }

  /// The result of executing a step.
  struct StepResult {
    /// Hashes of state shapes, of actions in these shapes, and of consecutive cases.
    var covered: [UInt64] = []
    var verdict = SearchJudge.Verdict.clear
    /// Whether the step was possible.
    ///
    /// Steps that are avoided, and steps that the code can't decode, count as not possible.
    var isPossible = true
    /// The number of actions that were reduced, including those that the reducer sent.
    var actions = 0
    /// The sizes of inputs that are larger than those of all samples of the same action case.
    var larger: [LargestSampledInputs.InputSize] = []
    /// The reason why the code can't decode or replay the action, or `nil` if it can.
    var unread: String?
  }

  /// Creates a runner that starts at a checkpoint.
  init(
    _ engine: any FeatureEngine,
    _ header: LogEvent.Header,
    at checkpoint: LogEvent.Checkpoint,
    judge: SearchJudge,
    samples: LargestSampledInputs,
    recordedEffects: [JSON: [EffectDescription]] = [:],
    page: CrashProgressRecord?
  ) {
    self.header = header
    self.checkpoint = checkpoint
    self.judge = judge
    self.samples = samples
    self.page = page
    feature = SimulatedFeature(engine, at: checkpoint)
    feature.countActions(after: checkpoint.seq)
    feature.keepStandIns()
    state = feature.state.text
    shape = StateShape(of: state)
    watch = RuleEvaluator(judge, feature.state.json, after: checkpoint.seq)
    alive = checkpoint.effects.identities.compactMap { leaf, identity in
      guard let id = leaf.id, leaf.operation != .send else { return nil }
      return LiveEffect(id, identity, startedBy: EffectOrigin.cause(atCheckpoint: id))
    }
    start = Snapshot(
      feature: feature.snapshot(),
      alive: alive,
      state: state,
      shape: shape,
      lastCase: 0,
      moment: watch.moment
    )
    if !recordedEffects.isEmpty {
      feature.recordedEffects = { recordedEffects[$0.json] ?? [] }
    }
    feature.willReduce = { [unowned self] seq, action in willReduce(seq, action) }
    feature.didReduce = { [unowned self] reduced in didReduce(reduced) }
  }

  /// Returns a hash of an action's cases, and of the paths at which the current state contains the action's values.
  private func kind(of action: JSONText, _ values: StateShape) -> UInt64 {
    StateShape.hash(action.json.caseNames, shape.relation(to: values))
  }

  private func kind(of action: JSON) -> UInt64 {
    let text = JSONText(action)
    return kind(of: text, StateShape(of: text))
  }

  /// Returns a hash of an action's kind and of the state's shape.
  private static func signature(_ kind: UInt64, in shape: StateShape) -> UInt64 {
    StateShape.hash([], 1, kind, shape.hash)
  }

  /// Adds kinds of actions that are known to trap.
  func avoid(_ traps: KnownTraps) { avoided.formUnion(traps) }

  /// Registers that a step traps in the current state.
  func avoid(_ step: FuzzStep) {
    guard let action = step.action else { return }
    let kind = kind(of: action)
    avoided.add(Self.signature(kind, in: shape), kind)
  }

  /// Returns whether a step probably traps.
  ///
  /// This is the case if an action of its kind has trapped with the current state shape. It is also the case if the
  /// kind was never reduced with the current shape, and `KnownTraps` reports it as suspicious. If the runner is
  /// cautious, a trap with any shape is enough.
  private func isAvoided(_ step: FuzzStep) -> Bool {
    guard let action = step.action else { return false }
    let kind = kind(of: action)
    let signature = Self.signature(kind, in: shape)
    if avoided.signatures[signature] != nil { return true }
    guard !reduced.contains(signature) else { return false }
    return avoided.isSuspicious(kind, reduced: reducedKinds[kind] ?? 0)
      || isCautious && avoided.hasTrapped(kind)
  }

  /// Registers the size of a sample.
  ///
  /// - Returns: Whether the sample is larger than all earlier samples of its case.
  func recordMeasure(_ measure: LargestSampledInputs.InputSize) -> Bool {
    samples.recordMeasure(measure)
  }

  /// The reason why the current state can't be restored from a snapshot, or `nil` if it can.
  var obstacle: SnapshotObstacle? { feature.obstacle }

  /// The current state as JSON text.
  var stateNow: JSONText { state }

  /// Hashes of the parts of the current state's shape.
  var parts: [UInt64] { shape.parts }

  /// A snapshot of the current position.
  var position: Snapshot {
    Snapshot(
      feature: feature.snapshot(),
      alive: alive,
      state: state,
      shape: shape,
      lastCase: lastCase,
      moment: watch.moment
    )
  }

  /// Returns to a position, or to the checkpoint if `position` is `nil`.
  func go(to position: Snapshot? = nil) {
    let position = position ?? start
    feature.restore(position.feature)
    (alive, state, shape) = (position.alive, position.state, position.shape)
    lastCase = position.lastCase
    watch.go(to: position.moment)
  }

  /// The effects that are running, and therefore can send actions.
  var answering: [FuzzStep.RunningEffectReference] {
    var places: [EffectOrigin: Int] = [:]
    return alive.compactMap { effect in
      let place = places[effect.source, default: 0]
      places[effect.source] = place + 1
      guard isAnswering(effect.id) else { return nil }
      return FuzzStep.RunningEffectReference(
        source: effect.source,
        elements: effect.elements,
        place: place
      )
    }
  }

  private func isAnswering(_ id: EffectID) -> Bool {
    feature.effects.isAlive(id) && !feature.effects.isAwaitingStart(id)
  }

  /// Executes a step.
  ///
  /// - Parameters:
  ///   - step: The step to execute.
  ///   - number: The number of the step in its run, which is written to the page shared with the tool.
  /// - Returns: The verdict on the step, and what the step covered.
  func make(_ step: FuzzStep, number: Int) -> StepResult {
    made = StepResult()
    watch.startStep([], feature.state.json)
    guard let input = input(for: step) else {
      made.isPossible = false
      return made
    }
    if !avoided.isEmpty, isAvoided(step) {
      made.isPossible = false
      return made
    }
    // The position is stored to undo actions that the user could not have performed.
    let before = step.isFromUser ? position : nil
    page?.record(step: number, at: 1)
    var arrival = SimulatedFeature.InputResults()
    feature.apply(input, &arrival)
    feature.drain(&arrival)
    startWaiting()
    page?.leaveStep()
    settle()
    if let finding = arrival.findings.first(where: {
      $0.code == .undecodable || $0.code == .notReplayable
    }) {
      made.isPossible = false
      made.unread = finding.message ?? finding.subject
      return made
    }
    // Reads that no log contains are answered by stand-ins, so they are not faults.
    let faults = arrival.findings.filter { $0.code != .unrecordedRead }
    let found = judge.verdict(on: faults, isFromUser: step.isFromUser)
    if found == .unclear, let before {
      go(to: before)
      made = StepResult()
      made.isPossible = false
      return made
    }
    made.verdict = watch.verdict.isClear ? found : watch.verdict
    made.actions = arrival.actions
    return made
  }

  /// Converts a step to an input for the feature, or returns `nil` if the step is not possible.
  private func input(for step: FuzzStep) -> SimulatedFeature.SimulatedInput? {
    switch step {
    case .user(let action): return arriving(action, from: .view)
    case .answer(let name, let action, let via):
      guard let index = index(of: name), isAnswering(alive[index].id) else { return nil }
      if via == nil { alive[index].sent += 1 }
      let own = action.addressed(to: alive[index].elements, insteadOf: name.elements)
      return arriving(own, from: .effect(alive[index].id, via: via))
    case .finish(let name):
      guard let index = index(of: name), feature.effects.isRunning(alive[index].id),
        !feature.effects.isAwaitingStart(alive[index].id)
      else { return nil }
      let effect = alive.remove(at: index)
      let turn = LogEvent.Effect(id: effect.id, event: .finished(sent: effect.sent), at: 0)
      events?.append(.effect(turn))
      return .turn(turn)
    }
  }

  private func arriving(
    _ action: JSON,
    from origin: LogEvent.Origin
  ) -> SimulatedFeature.SimulatedInput {
    var arriving = SimulatedFeature.ArrivingAction(
      seq: feature.nextAction,
      origin: origin,
      action: JSONText(action)
    )
    arriving.keepsStandIns = true
    return .action(arriving)
  }

  private func index(of name: FuzzStep.RunningEffectReference) -> Int? {
    var place = 0
    for (index, effect) in alive.enumerated() where effect.source == name.source {
      if place == name.place { return index }
      place += 1
    }
    return nil
  }

  private func willReduce(_ seq: Int, _ action: SimulatedFeature.ArrivingAction) {
    guard events != nil else { return }
    events?.append(
      .action(LogEvent.Action(seq: seq, at: 0, origin: action.origin, logged: action.action))
    )
  }

  private func didReduce(_ reduced: SimulatedFeature.ReducedAction) {
    if events != nil {
      for var read in reduced.outcome.reads {
        read.seq = reduced.seq
        events?.append(.read(read))
      }
      // The patch replaces the entire state. A replay of these events writes a smaller patch.
      let patch = JSON.Patch([.replace(JSON.Pointer(), reduced.state.json)])
      let effects = reduced.outcome.effects
      events?.append(.change(LogEvent.Change(seq: reduced.seq, patch: patch, effects: effects)))
    }
    if !reduced.outcome.effects.isEmpty {
      let cause = Notation().casePath(reduced.action.json)
      for (leaf, identity) in reduced.outcome.effects.identities where leaf.operation == .run {
        if let id = leaf.id { alive.append(LiveEffect(id, identity, startedBy: cause)) }
      }
    }
    let cases = StateShape.hash(reduced.action.json.caseNames)
    let values = StateShape(of: reduced.action)
    let kind = kind(of: reduced.action, values)
    if let measure = samples.larger(cases, shape, values) { made.larger.append(measure) }
    let step = Self.signature(kind, in: shape)
    if self.reduced.insert(step).inserted { reducedKinds[kind, default: 0] += 1 }
    state = reduced.state.text
    shape = StateShape(of: state)
    made.covered += [shape.hash, step, StateShape.hash([], 2, cases, lastCase)]
    lastCase = cases
    if watch.isNeeded { watch.inspect(reduced) }
  }

  /// Starts effects whose predecessors in a concatenation have ended.
  private func startWaiting() {
    var arrival = SimulatedFeature.InputResults()
    for id in feature.effects.awaitingStart where feature.effects.isRunning(id) {
      let turn = LogEvent.Effect(id: id, event: .started, at: 0)
      events?.append(.effect(turn))
      feature.apply(.turn(turn), &arrival)
    }
  }

  /// Removes the ended and canceled effects from `alive`.
  ///
  /// Effects that wait for others remain.
  private func settle() {
    let effects = feature.effects
    alive.removeAll { !effects.isAlive($0.id) && !effects.isWaiting($0.id) }
  }
}

extension FuzzRunner {
  /// Returns the events of a sequence.
  ///
  /// A replay of these events creates a complete log.
  ///
  /// - Parameters:
  ///   - steps: The steps of the sequence.
  ///   - isTrapping: Whether the last step traps. If so, its action is not reduced.
  /// - Returns: The header, the checkpoint, and the events of each step.
  func events(of steps: [FuzzStep], isTrapping: Bool) -> [LogEvent] {
    events = [.header(header), .checkpoint(checkpoint)]
    defer { events = nil }
    go()
    for (index, step) in steps.enumerated() {
      guard isTrapping, index == steps.count - 1 else {
        _ = make(step, number: index)
        continue
      }
      if case .action(let action)? = input(for: step) {
        willReduce(feature.nextAction, action)
      }
    }
    // A log that ends with a trap has no `end` event.
    if !isTrapping {
      events?.append(.end(LogEvent.End(seq: feature.nextAction - 1, reason: "closed")))
    }
    return events ?? []
  }
}
