import ActionLog

/// A feature in memory with simulated effects, which accepts actions and effect events in any order and can be
/// restored.
///
/// It behaves like a `ReplaySession` without a log: it creates no events, writes no patches, and compares nothing. A
/// search confirms its results with a replay. All calls must be made within `FeatureEngine.withContext`.
package final class SimulatedFeature {
  private let machine: EngineStateMachine
  private let effectsMachine: EffectsStateMachine
  private let numbers: ProducedActionNumbers
  /// The number of the last action if actions are counted, or `nil` if they keep their numbers from a log.
  private var count: Int?
  /// A closure that is called with each action and its number before the action is reduced.
  package var willReduce: ((Int, ArrivingAction) -> Void)?
  /// A closure that returns the effects that logs contain for an action, or `nil` if each action has its own ones.
  package var recordedEffects: ((JSONText) -> [EffectDescription])?
  /// A closure that is called before the engine performs a step, but not for cached steps.
  package var willRunCode: (() -> Void)? {
    get { machine.willMakeStep }
    set { machine.willMakeStep = newValue }
  }
  /// A closure that returns whether the findings of an action end the search.
  package var isDeadEnd: (([LogEvent.Finding], _ isFromUser: Bool) -> Bool)?
  /// A closure that is called with each reduced action and its result, or `nil` if states are not inspected.
  package var didReduce: ((ReducedAction) -> Void)?

  /// An input of the feature: an action, or an effect event.
  package enum SimulatedInput {
    case action(ArrivingAction)
    case turn(LogEvent.Effect)
  }

  /// An action that arrives from outside the reducer, or that the reducer sends itself.
  package struct ArrivingAction {
    /// The sequence number of the action, which is ignored if the feature counts actions.
    ///
    /// The IDs of the action's effects begin with this number, so the number does not depend on the order of inputs.
    package var seq: Int
    package var origin: LogEvent.Origin
    package var action: JSONText
    package var reads: [LogEvent.Read] = []
    package var shared: JSON?
    /// Whether stand-ins answer missing reads, so that these reads don't end the search.
    package var keepsStandIns = false
    /// The effects that the log contains for the action.
    package var recordedEffects: [EffectDescription] = []
    /// The effect events that occur while the reducer runs.
    package var turns: [LogEvent.Effect] = []

    package init(seq: Int, origin: LogEvent.Origin, action: JSONText) {
      (self.seq, self.origin, self.action) = (seq, origin, action)
    }
  }

  /// A reduced action and its result.
  package struct ReducedAction {
    package let seq: Int
    package let origin: LogEvent.Origin
    package let action: JSONText
    package let outcome: StepOutcome
    /// The state of the engine after the action.
    package let state: EngineState
  }

  /// The accumulated result of applying inputs.
  package struct InputResults {
    /// The effects that the reduced actions have returned, with one entry per action that returned any.
    package var started: [StartedEffects] = []
    package var findings: [LogEvent.Finding] = []
    /// The reads that the reduced actions made.
    package var reads: [LogEvent.Read] = []
    /// The number of reduced actions.
    package var actions = 0
    /// Whether an action has ended the search, so that the remaining part of its input was skipped.
    package fileprivate(set) var isDeadEnd = false
    package let isFromUser: Bool

    /// Creates an empty result.
    ///
    /// - Parameter isFromUser: Whether the user performs the inputs. This changes the meaning of some findings.
    package init(isFromUser: Bool = false) { self.isFromUser = isFromUser }
  }

  /// A snapshot of the feature's state, its effects, and the action count.
  package struct Snapshot {
    fileprivate let state: EngineState
    fileprivate let effects: EffectsState
    fileprivate let count: Int?

    /// The approximate size in bytes, without data that is already cached.
    package var size: Int { 128 + state.ownSize + effects.ownSize }
  }

  /// Creates a feature at a checkpoint.
  ///
  /// - Parameters:
  ///   - engine: The engine, which has loaded the checkpoint.
  ///   - checkpoint: The checkpoint, which lists the effects that are alive.
  ///   - sends: The numbers that the log gives to the actions of `send` effects.
  ///   - latecomers: The effects that may send actions after their operations have returned, or `nil` for all effects.
  ///   - memory: The approximate capacity of the step cache in bytes. Use 0 if steps are not repeated.
  package init(
    _ engine: any FeatureEngine,
    at checkpoint: LogEvent.Checkpoint,
    sends: [EffectID: Int] = [:],
    latecomers: Set<EffectID>? = nil,
    memory: Int = 0
  ) {
    machine = EngineStateMachine(engine, memory: memory / 4 * 3)
    effectsMachine = EffectsStateMachine(at: checkpoint, latecomers: latecomers, memory: memory / 4)
    numbers = ProducedActionNumbers(sends)
  }
}

extension SimulatedFeature {
  /// Takes a snapshot of the current state.
  package func snapshot() -> Snapshot {
    machine.saveSnapshot()
    return Snapshot(state: machine.here, effects: effectsMachine.here, count: count)
  }

  /// Restores a snapshot that was taken of this feature.
  package func restore(_ snapshot: Snapshot) {
    machine.go(to: snapshot.state)
    effectsMachine.go(to: snapshot.effects)
    count = snapshot.count
  }

  /// Numbers the following actions consecutively from `seq + 1`, as a store does.
  package func countActions(after seq: Int) { count = seq }

  /// The number that the next action receives, if actions are counted.
  package var nextAction: Int { (count ?? 0) + 1 }

  /// The reason why the current state can't be restored, or `nil` if it can.
  package var obstacle: SnapshotObstacle? { machine.obstacle }

  /// The current state of the engine.
  package var state: EngineState { machine.here }

  /// The current state of the effects.
  package var effects: EffectsState { effectsMachine.here }

  /// Calls a function in the engine's context.
  package func withContext(_ body: () throws -> Void) rethrows { try machine.withContext(body) }

  /// Processes an action or an effect event.
  ///
  /// - Parameters:
  ///   - input: The action or effect event.
  ///   - arrival: The accumulated result, to which the results of the input are added.
  package func apply(_ input: SimulatedInput, _ arrival: inout InputResults) {
    switch input {
    case .turn(let turn): apply(turn)
    case .action(let action): apply(action, &arrival)
    }
  }

  /// Returns whether the cache shows that the input ends the search in the current state.
  package func isKnownDeadEnd(_ input: SimulatedInput) -> Bool {
    guard case .action(let action) = input, count == nil, ownEffect(of: action) == nil else {
      return false
    }
    return action.turns.isEmpty && machine.isDeadEnd(.action(seq: action.seq, .outside))
  }

  /// Returns the `send` effect that an action comes from, or `nil` for actions from outside the reducer.
  private func ownEffect(of action: ArrivingAction) -> EffectID? {
    guard let id = action.origin.directEffect, effects.isSend(id) || numbers.isKnown(id) else {
      return nil
    }
    return id
  }

  /// Reduces the actions that the reducer has sent and that are waiting, until none is left.
  package func drain(_ arrival: inout InputResults) {
    while !arrival.isDeadEnd, let sending = effectsMachine.send() { produce(sending, &arrival) }
  }

  private func apply(_ action: ArrivingAction, _ arrival: inout InputResults) {
    if let id = ownEffect(of: action) {
      // The reducer sent this action itself, and the log contains its reads. Actions that were sent before it are
      // reduced first.
      guard effects.hasProduced(id) else { return }
      var isReached = false
      while !isReached, !arrival.isDeadEnd, let sending = effectsMachine.send() {
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
    _ sending: EffectsStateMachine.PendingSend,
    _ arrival: inout InputResults,
    _ recorded: ArrivingAction? = nil
  ) {
    let (id, sent) = (sending.id, sending.sent)
    var action = ArrivingAction(
      seq: count == nil ? numbers.number(of: id) : 0,
      origin: .effect(id),
      action: sent.action
    )
    action.reads = recorded?.reads ?? []
    action.turns = recorded?.turns ?? []
    action.recordedEffects = recorded?.recordedEffects ?? []
    action.keepsStandIns = recorded?.keepsStandIns ?? numbers.keepsStandIns
    reduce(
      sent.isFromCheckpoint ? .recorded(sent.action) : .produced(id),
      .reducer(
        isLogged: recorded != nil,
        isFromCheckpoint: sent.isFromCheckpoint,
        isFromUser: arrival.isFromUser
      ),
      action,
      &arrival
    )
  }

  private func reduce(
    _ logged: StepInput.LoggedAction,
    _ source: EngineStateMachine.ActionSource,
    _ action: ArrivingAction,
    _ arrival: inout InputResults
  ) {
    if let count { self.count = count + 1 }
    let seq = count ?? action.seq
    for turn in action.turns { apply(turn) }
    willReduce?(seq, action)
    arrival.actions += 1
    do {
      // If actions are counted, different actions may have the same number, so steps are not cached.
      let name = count == nil ? EngineStateMachine.TransitionID.action(seq: seq, source) : nil
      let isFromUser = arrival.isFromUser
      func input() -> StepInput {
        var input = StepInput(seq: seq, logged: logged, reads: action.reads)
        input.shared = action.shared
        input.keepsStandIns = action.keepsStandIns
        input.leavesOutPatch = true
        input.recordedEffects = recordedEffects?(action.action) ?? action.recordedEffects
        return input
      }
      let made = try machine.makeTransition(
        named: name,
        endingWith: { isDeadEnd?($0, isFromUser) ?? false },
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
        forgetActions(of: effectsMachine.start(started, of: seq))
      }
      guard let didReduce else { return }
      didReduce(
        ReducedAction(
          seq: seq,
          origin: action.origin,
          action: action.action,
          outcome: outcome,
          state: machine.here
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
      arrival.isDeadEnd = isDeadEnd?([finding], arrival.isFromUser) ?? false
    }
  }

  private func apply(_ effect: LogEvent.Effect) {
    if case .cancelled(by: .action, _) = effect.event { return }
    forgetActions(of: effectsMachine.apply(effect))
  }

  private func forgetActions(of sends: [EffectID]) {
    if !sends.isEmpty { machine.forgetActions(of: sends) }
  }
}

extension SimulatedFeature {
  /// Lets stand-ins answer the reads of actions that the reducer sends itself but the log lacks.
  package func keepStandIns() { numbers.keepsStandIns = true }
}

/// The numbers of actions that the reducer sends itself.
///
/// An action in the log keeps its number. Another action gets a new number when its effect first sends it, and keeps
/// it.
private final class ProducedActionNumbers {
  private var numbers: [EffectID: Int]
  private var next: Int
  var keepsStandIns = false

  init(_ numbers: [EffectID: Int]) {
    self.numbers = numbers
    next = 1 << 40
  }

  /// Returns whether an effect's action already has a number.
  func isKnown(_ id: EffectID) -> Bool { numbers[id] != nil }

  func number(of id: EffectID) -> Int {
    if let number = numbers[id] { return number }
    next += 1
    numbers[id] = next
    return next
  }
}
