import ActionLog
import LogTools
import ReplayEngine
import ReplayHosts

/// Runs sequences of a fuzzer in memory: from a snapshot on, with a look at what is new.
final class FuzzRunner {
  private let feature: SimulatedFeature
  private let header: LogEvent.Header
  private let checkpoint: LogEvent.Checkpoint
  private let page: ReplayProgress?
  private let judge: SearchJudge
  private let watch: StateWatch
  private let start: Position
  private var alive: [Alive]
  /// The state, its shape, and the cases of the last action: between two steps.
  private var state: JSONText
  private var shape: StateShape
  private var lastCase: UInt64 = 0
  /// What the step that is being made has led to.
  private var made = Made()
  /// Where events are kept, when the sequence is to become a log.
  private var events: [LogEvent]?
  /// What is known of traps.
  private(set) var avoided = KnownTraps()
  /// Whether actions of a kind that has trapped are made only where they have not.
  var isCautious = false
  /// The actions that were reduced, by their kind and the shape of the state before.
  private var reduced: Set<UInt64> = []
  /// In how many shapes actions of a kind were reduced.
  private var reducedKinds: [UInt64: Int] = [:]
  /// The sequences that are kept as samples.
  private var samples: FuzzSamples

  /// An effect that is alive.
  fileprivate struct Alive {
    let id: EffectID
    let source: EffectSource
    let elements: [JSON]
    var sent = 0

    init(_ id: EffectID, _ identity: EffectIdentity, startedBy cause: String) {
      self.id = id
      source = EffectSource(identity, startedBy: cause)
      elements = identity.elements
    }
  }

  /// Where a run has been.
  struct Position {
    fileprivate let feature: SimulatedFeature.Snapshot
    fileprivate let alive: [Alive]
    fileprivate let state: JSONText
    fileprivate let shape: StateShape
    fileprivate let lastCase: UInt64
    fileprivate let moment: StateWatch.Moment
  }

  /// What came of a step.
  struct Made {
    /// What was covered: numbers for shapes, and for cases in shapes.
    var covered: [UInt64] = []
    var verdict = SearchJudge.Verdict.clear
    /// Whether the step was possible.
    var isPossible = true
    /// How many actions were reduced.
    var actions = 0
    /// The actions that were reduced with more values than in any sample.
    var larger: [FuzzSamples.Measure] = []
    /// Why the code cannot read the action; `nil` where it can.
    var unread: String?
  }

  /// A runner at the checkpoint of a log.
  init(
    _ engine: any FeatureEngine,
    _ header: LogEvent.Header,
    at checkpoint: LogEvent.Checkpoint,
    judge: SearchJudge,
    samples: FuzzSamples,
    page: ReplayProgress?
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
    watch = StateWatch(judge, feature.state.json, after: checkpoint.seq)
    alive = checkpoint.effects.identities.compactMap { leaf, identity in
      guard let id = leaf.id, leaf.operation != .send else { return nil }
      return Alive(id, identity, startedBy: EffectSource.cause(atCheckpoint: id))
    }
    start = Position(
      feature: feature.snapshot(),
      alive: alive,
      state: state,
      shape: shape,
      lastCase: 0,
      moment: watch.moment
    )
    feature.willReduce = { [unowned self] seq, action in willReduce(seq, action) }
    feature.didReduce = { [unowned self] reduced in didReduce(reduced) }
  }

  /// What stands for an action in the state of now: its cases, and where the state holds its values.
  private func kind(of action: JSONText, _ values: StateShape) -> UInt64 {
    StateShape.hash(action.json.caseNames, shape.relation(to: values))
  }

  private func kind(of action: JSON) -> UInt64 {
    let text = JSONText(action)
    return kind(of: text, StateShape(of: text))
  }

  /// What stands for an action of a kind in a state of a shape.
  private static func signature(_ kind: UInt64, in shape: StateShape) -> UInt64 {
    StateShape.hash([], 1, kind, shape.hash)
  }

  /// Notes that steps end the process.
  func avoid(_ traps: KnownTraps) { avoided.formUnion(traps) }

  /// Notes that a step ends the process here.
  func avoid(_ step: FuzzStep) {
    guard let action = step.action else { return }
    let kind = kind(of: action)
    avoided.add(Self.signature(kind, in: shape), kind)
  }

  /// Whether a step is known to end the process: an action of its kind did so in a state of this shape, or in several, and was
  /// never reduced in one of this shape.
  private func isAvoided(_ step: FuzzStep) -> Bool {
    guard let action = step.action else { return false }
    let kind = kind(of: action)
    let signature = Self.signature(kind, in: shape)
    if avoided.signatures[signature] != nil { return true }
    guard !reduced.contains(signature) else { return false }
    return avoided.isSuspicious(kind, reduced: reducedKinds[kind] ?? 0)
      || isCautious && avoided.hasTrapped(kind)
  }

  /// Notes that a sequence is kept as a sample.
  ///
  /// - Returns: Whether no other one of its case is as large.
  func recordMeasure(_ measure: FuzzSamples.Measure) -> Bool { samples.recordMeasure(measure) }

  /// The state.
  var stateNow: JSONText { state }

  /// The parts of the shape of the state.
  var parts: [UInt64] { shape.parts }

  /// Where the run is.
  var position: Position {
    Position(
      feature: feature.snapshot(),
      alive: alive,
      state: state,
      shape: shape,
      lastCase: lastCase,
      moment: watch.moment
    )
  }

  /// Goes to a place of an earlier run; to the start by default.
  func go(to position: Position? = nil) {
    let position = position ?? start
    feature.restore(position.feature)
    (alive, state, shape) = (position.alive, position.state, position.shape)
    lastCase = position.lastCase
    watch.go(to: position.moment)
  }

  /// The effects that can answer, by source.
  var answering: [FuzzStep.EffectName] {
    var places: [EffectSource: Int] = [:]
    return alive.compactMap { effect in
      let place = places[effect.source, default: 0]
      places[effect.source] = place + 1
      guard isAnswering(effect.id) else { return nil }
      return FuzzStep.EffectName(source: effect.source, elements: effect.elements, place: place)
    }
  }

  private func isAnswering(_ id: EffectID) -> Bool {
    feature.effects.isAlive(id) && !feature.effects.isAwaitingStart(id)
  }

  /// Makes a step.
  ///
  /// - Parameters:
  ///   - step: The step.
  ///   - number: How many steps came before it, for the page.
  /// - Returns: What came of it.
  func make(_ step: FuzzStep, number: Int) -> Made {
    made = Made()
    watch.startStep([], feature.state.json)
    guard let input = input(for: step) else {
      made.isPossible = false
      return made
    }
    if !avoided.isEmpty, isAvoided(step) {
      made.isPossible = false
      return made
    }
    // What the user cannot have done is taken back.
    let before = step.isUsers ? position : nil
    page?.record(step: number, at: 1)
    var arrival = SimulatedFeature.Arrival()
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
    // Values stand in for what was not read when the logs were recorded.
    let faults = arrival.findings.filter { $0.code != .unrecordedRead }
    let found = judge.verdict(on: faults, isUsers: step.isUsers)
    if found == .unclear, let before {
      go(to: before)
      made = Made()
      made.isPossible = false
      return made
    }
    made.verdict = watch.verdict.isClear ? found : watch.verdict
    made.actions = arrival.actions
    return made
  }

  /// What a step gives the feature; `nil` where it is not possible.
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
    var arriving = SimulatedFeature.Arriving(
      seq: feature.nextAction,
      origin: origin,
      action: JSONText(action)
    )
    arriving.keepsStandIns = true
    return .action(arriving)
  }

  private func index(of name: FuzzStep.EffectName) -> Int? {
    var place = 0
    for (index, effect) in alive.enumerated() where effect.source == name.source {
      if place == name.place { return index }
      place += 1
    }
    return nil
  }

  private func willReduce(_ seq: Int, _ action: SimulatedFeature.Arriving) {
    guard events != nil else { return }
    events?.append(
      .action(LogEvent.Action(seq: seq, at: 0, origin: action.origin, logged: action.action))
    )
  }

  private func didReduce(_ reduced: SimulatedFeature.Reduced) {
    if events != nil {
      for var read in reduced.outcome.reads {
        read.seq = reduced.seq
        events?.append(.read(read))
      }
      // A replay says more briefly what it changes; turns of effects come after it.
      let patch = JSON.Patch([.replace(JSON.Pointer(), reduced.state.json)])
      let effects = reduced.outcome.effects
      events?.append(.change(LogEvent.Change(seq: reduced.seq, patch: patch, effects: effects)))
    }
    if !reduced.outcome.effects.isEmpty {
      let cause = Notation().casePath(reduced.action.json)
      for (leaf, identity) in reduced.outcome.effects.identities where leaf.operation == .run {
        if let id = leaf.id { alive.append(Alive(id, identity, startedBy: cause)) }
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

  /// Lets the effects begin that waited for others.
  private func startWaiting() {
    var arrival = SimulatedFeature.Arrival()
    for id in feature.effects.awaitingStart where feature.effects.isRunning(id) {
      let turn = LogEvent.Effect(id: id, event: .started, at: 0)
      events?.append(.effect(turn))
      feature.apply(.turn(turn), &arrival)
    }
  }

  /// Forgets the effects that have ended; those that wait for others stay.
  private func settle() {
    let effects = feature.effects
    alive.removeAll { !effects.isAlive($0.id) && !effects.isWaiting($0.id) }
  }
}

extension FuzzRunner {
  /// The events of a sequence, for a replay to make a log of.
  ///
  /// - Parameters:
  ///   - steps: The steps.
  ///   - isTrapping: Whether the last one ends the process, so that it is only written.
  /// - Returns: The header, the checkpoint, actions and turns.
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
    // A log that ends within an action has no end.
    if !isTrapping {
      events?.append(.end(LogEvent.End(seq: feature.nextAction - 1, reason: "closed")))
    }
    return events ?? []
  }
}
