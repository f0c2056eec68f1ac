import ActionLog

/// A feature in memory, with the effects that would be alive: it takes actions and turns of effects in any order, and goes back.
///
/// It does what a `ReplaySession` does with a log, without the log: no event is made, no patch is written, nothing is compared.
/// A search that has found something has it confirmed by a replay. All calls come from within `FeatureEngine.withContext`.
package final class SimulatedFeature {
  private let walk: EngineWalk
  private let effectsWalk: EffectsWalk
  private let numbers: ProducedNumbers
  /// The last action, where actions are counted as they come; `nil` where they keep the numbers of a log.
  private var count: Int?
  /// Called before each action is reduced, with its number.
  package var willReduce: ((Int, Arriving) -> Void)?
  /// Called before the feature's code runs, which is not for steps that are remembered.
  package var willRunCode: (() -> Void)? {
    get { walk.willMakeStep }
    set { walk.willMakeStep = newValue }
  }
  /// Whether nothing matters that comes after an action with these findings, in a step that the user makes or another one.
  package var isDeadEnd: (([LogEvent.Finding], _ isUsers: Bool) -> Bool)?
  /// Called after each action with its context, when someone looks at states.
  package var didReduce: ((Reduced) -> Void)?

  /// An action from outside, or a turn of an effect.
  package enum SimulatedInput {
    case action(Arriving)
    case turn(LogEvent.Effect)
  }

  /// An action from outside the reducer.
  package struct Arriving {
    /// Its number: effects are named after it, so it is the same wherever the action comes.
    package var seq: Int
    package var origin: LogEvent.Origin
    package var action: JSONText
    package var reads: [LogEvent.Read] = []
    package var shared: JSON?
    /// Whether values stand in for reads that have no answer, without being a reason to stop.
    package var keepsStandIns = false
    /// Turns of effects while the reducer runs.
    package var turns: [LogEvent.Effect] = []

    package init(seq: Int, origin: LogEvent.Origin, action: JSONText) {
      (self.seq, self.origin, self.action) = (seq, origin, action)
    }
  }

  /// What became of one action.
  package struct Reduced {
    package let seq: Int
    package let origin: LogEvent.Origin
    package let action: JSONText
    package let outcome: StepOutcome
    /// The state after it.
    package let state: EngineState
  }

  /// What came of an input.
  package struct Arrival {
    /// The effects that its actions returned, of each action that returned any.
    package var started: [StartedEffects] = []
    package var findings: [LogEvent.Finding] = []
    /// The reads of its actions.
    package var reads: [LogEvent.Read] = []
    /// How many actions were reduced.
    package var actions = 0
    /// Whether nothing matters that comes then: the rest of the input was left out.
    package fileprivate(set) var isDeadEnd = false
    package let isUsers: Bool

    /// - Parameter isUsers: Whether the input is of a step that the user makes, for which some findings have another meaning.
    package init(isUsers: Bool = false) { self.isUsers = isUsers }
  }

  /// Where a feature was.
  package struct Snapshot {
    fileprivate let state: EngineState
    fileprivate let effects: EffectsState
    fileprivate let count: Int?

    /// How many bytes it takes beside what is remembered anyway, about.
    package var size: Int { 128 + state.ownSize + effects.ownSize }
  }

  /// A feature at a checkpoint.
  ///
  /// - Parameters:
  ///   - engine: The engine, which has loaded the checkpoint.
  ///   - checkpoint: The checkpoint.
  ///   - sends: The numbers that the actions of `send` effects have in the log.
  ///   - latecomers: The effects of which it matters that their operations have returned, for they send actions after that;
  ///     `nil` for all.
  ///   - memory: How many bytes may be used to remember what steps did, about: none where the same steps do not come again.
  package init(
    _ engine: any FeatureEngine,
    at checkpoint: LogEvent.Checkpoint,
    sends: [EffectID: Int] = [:],
    latecomers: Set<EffectID>? = nil,
    memory: Int = 0
  ) {
    walk = EngineWalk(engine, memory: memory / 4 * 3)
    effectsWalk = EffectsWalk(at: checkpoint, latecomers: latecomers, memory: memory / 4)
    numbers = ProducedNumbers(sends)
  }
}

extension SimulatedFeature {
  /// The feature as it is now, to go back to.
  package func snapshot() -> Snapshot {
    walk.saveSnapshot()
    return Snapshot(state: walk.here, effects: effectsWalk.here, count: count)
  }

  /// Goes back.
  package func restore(_ snapshot: Snapshot) {
    walk.go(to: snapshot.state)
    effectsWalk.go(to: snapshot.effects)
    count = snapshot.count
  }

  /// Numbers actions from now on as they come, as a store does.
  package func countActions(after seq: Int) { count = seq }

  /// The number of the next action, where actions are counted.
  package var nextAction: Int { (count ?? 0) + 1 }

  /// Why it cannot go back from the state of now.
  package var obstacle: SnapshotObstacle? { walk.obstacle }

  /// The state.
  package var state: EngineState { walk.here }

  /// The effects.
  package var effects: EffectsState { effectsWalk.here }

  /// Calls a function in the context of the feature.
  package func withContext(_ body: () throws -> Void) rethrows { try walk.withContext(body) }

  /// Takes an input, and all actions that the reducer sends itself after it.
  ///
  /// - Parameters:
  ///   - input: The input.
  ///   - arrival: Gets what came of it.
  package func apply(_ input: SimulatedInput, _ arrival: inout Arrival) {
    switch input {
    case .turn(let turn): apply(turn)
    case .action(let action): apply(action, &arrival)
    }
  }

  /// Whether it is remembered that an input is a dead end here.
  package func isKnownDeadEnd(_ input: SimulatedInput) -> Bool {
    guard case .action(let action) = input, count == nil, ownEffect(of: action) == nil else {
      return false
    }
    return action.turns.isEmpty && walk.isDeadEnd(.action(seq: action.seq, .outside))
  }

  /// The effect of an action that the reducer has sent itself; `nil` for any other action.
  private func ownEffect(of action: Arriving) -> EffectID? {
    guard let id = action.origin.directEffect, effects.isSend(id) || numbers.isKnown(id) else {
      return nil
    }
    return id
  }

  /// Reduces the actions that the reducer has sent and that wait.
  package func drain(_ arrival: inout Arrival) {
    while !arrival.isDeadEnd, let sending = effectsWalk.send() { produce(sending, &arrival) }
  }

  private func apply(_ action: Arriving, _ arrival: inout Arrival) {
    if let id = ownEffect(of: action) {
      // The reducer's own turn, for which the log has the reads; what it has sent before comes first.
      guard effects.hasProduced(id) else { return }
      var isReached = false
      while !isReached, !arrival.isDeadEnd, let sending = effectsWalk.send() {
        isReached = sending.id == id
        produce(sending, &arrival, isReached ? action : nil)
      }
      return
    }
    let seq = count.map { $0 + 1 } ?? action.seq
    let findings = effects.findings(onArrivalFrom: action.origin, as: seq)
    if !findings.isEmpty { arrival.findings += findings }
    reduce(.recorded(action.action), .outside, action, &arrival)
  }

  private func produce(
    _ sending: EffectsWalk.Sending,
    _ arrival: inout Arrival,
    _ recorded: Arriving? = nil
  ) {
    let (id, sent) = (sending.id, sending.sent)
    var action = Arriving(
      seq: count == nil ? numbers.number(of: id) : 0,
      origin: .effect(id),
      action: sent.action
    )
    action.reads = recorded?.reads ?? []
    action.turns = recorded?.turns ?? []
    action.keepsStandIns = recorded?.keepsStandIns ?? numbers.keepsStandIns
    reduce(
      sent.isFromCheckpoint ? .recorded(sent.action) : .produced(id),
      .reducer(
        isLogged: recorded != nil,
        isFromCheckpoint: sent.isFromCheckpoint,
        isUsers: arrival.isUsers
      ),
      action,
      &arrival
    )
  }

  private func reduce(
    _ logged: StepInput.Logged,
    _ source: EngineWalk.ActionSource,
    _ action: Arriving,
    _ arrival: inout Arrival
  ) {
    if let count { self.count = count + 1 }
    let seq = count ?? action.seq
    for turn in action.turns { apply(turn) }
    willReduce?(seq, action)
    arrival.actions += 1
    do {
      // Where actions are counted, the same number stands for many.
      let name = count == nil ? EngineWalk.TransitionID.action(seq: seq, source) : nil
      let isUsers = arrival.isUsers
      func input() -> StepInput {
        var input = StepInput(seq: seq, logged: logged, reads: action.reads)
        input.shared = action.shared
        input.keepsStandIns = action.keepsStandIns
        input.leavesOutPatch = true
        return input
      }
      let made = try walk.makeTransition(
        named: name,
        endingWith: { isDeadEnd?($0, isUsers) ?? false },
        input
      )
      let outcome = made.outcome
      if !outcome.findings.isEmpty { arrival.findings += outcome.findings }
      if !outcome.reads.isEmpty { arrival.reads += outcome.reads }
      if made.isDeadEnd {
        arrival.isDeadEnd = true
        return
      }
      if let started = made.started {
        arrival.started.append(started)
        forgetActions(of: effectsWalk.start(started, of: seq))
      }
      guard let didReduce else { return }
      didReduce(
        Reduced(
          seq: seq,
          origin: action.origin,
          action: action.action,
          outcome: outcome,
          state: walk.here
        )
      )
    } catch {
      let finding = LogEvent.Finding(
        seq: seq,
        code: .undecodable,
        subject: "",
        message: "\(error)"
      )
      arrival.findings.append(finding)
      arrival.isDeadEnd = isDeadEnd?([finding], arrival.isUsers) ?? false
    }
  }

  private func apply(_ effect: LogEvent.Effect) {
    if case .cancelled(by: .action, _) = effect.event { return }
    forgetActions(of: effectsWalk.apply(effect))
  }

  private func forgetActions(of sends: [EffectID]) {
    if !sends.isEmpty { walk.forgetActions(of: sends) }
  }
}

extension SimulatedFeature {
  /// Whether actions that the reducer sends itself, and that the log does not have, get values for what they read.
  package func keepStandIns() { numbers.keepsStandIns = true }
}

/// The numbers of the actions that reducers send themselves: those of the log, and for others new ones, which depend on the
/// effect alone and not on the order in which they are met.
private final class ProducedNumbers {
  private var numbers: [EffectID: Int]
  private var next: Int
  var keepsStandIns = false

  init(_ numbers: [EffectID: Int]) {
    self.numbers = numbers
    next = 1 << 40
  }

  /// Whether the log has the action of an effect.
  func isKnown(_ id: EffectID) -> Bool { numbers[id] != nil }

  func number(of id: EffectID) -> Int {
    if let number = numbers[id] { return number }
    next += 1
    numbers[id] = next
    return next
  }
}
