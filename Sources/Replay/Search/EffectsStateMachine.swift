import ActionLog

/// The effects that an action has returned in a search.
package final class StartedEffects {
  /// The descriptions of the effects, at least one.
  package let descriptions: [EffectDescription]
  /// The IDs of the effects, as far as the log gives them one.
  package let ids: [EffectID]
  /// The identities of the effects, in the same order as `ids`.
  package let identities: [EffectIdentity]
  /// The number of the action that most recently started these effects, and the outcome, or `nil` if none did.
  fileprivate var start: (seq: Int, outcome: ActionEffectsState.TransitionResult)?

  /// Creates the started effects, or returns `nil` if there are no descriptions.
  init?(_ descriptions: [EffectDescription]) {
    guard !descriptions.isEmpty else { return nil }
    self.descriptions = descriptions
    let named = descriptions.identities
    ids = named.compactMap(\.leaf.id)
    identities = named.map(\.identity)
  }
}

/// The effects of a feature as a state machine that a search controls.
///
/// A step's result depends only on the state of the effects, and many orders of steps lead to the same state. The
/// number of states is therefore far lower than the number of orders.
final class EffectsStateMachine {
  /// A `send` effect and the action that it sends.
  struct PendingSend {
    let id: EffectID
    let sent: SimulatedEffects.SendEffectAction
  }

  /// The properties that identify a transition from a state.
  struct TransitionKey: Hashable {
    /// The identity of the cached outcome for the action's effects.
    let outcome: ObjectIdentifier
    let seq: Int
  }

  /// The result of a cached transition.
  struct CachedTransition {
    /// The outcome, which is retained because the identity of the object is part of the transition's key.
    fileprivate let outcome: ActionEffectsState.TransitionResult
    /// The index of the resulting state in the cache.
    fileprivate let state: Int
    /// The `send` effects whose actions will never be processed.
    fileprivate let dropped: [EffectID]
  }

  private(set) var here: EffectsState
  private let latecomers: Set<EffectID>?
  private let memory: ActionEffectsState.StateCache
  /// The cached states.
  private var states: [EffectsState] = []
  private var numbers: [Digest: Int] = [:]

  /// Creates a state machine that starts with the effects that are alive at a checkpoint.
  ///
  /// - Parameters:
  ///   - checkpoint: The checkpoint, which lists the effects.
  ///   - latecomers: The effects that may send actions after their operations have returned, or `nil` for all effects.
  ///   - memory: The approximate capacity of the step cache in bytes.
  init(
    at checkpoint: LogEvent.Checkpoint,
    latecomers: Set<EffectID>?,
    memory: Int
  ) {
    self.latecomers = latecomers
    self.memory = ActionEffectsState.StateCache(room: memory)
    var alive: [Int: SimulatedEffects] = [:]
    var queue: [Int] = []
    for effect in checkpoint.effects {
      let seq = effect.action(at: checkpoint)
      var effects =
        alive[seq] ?? SimulatedEffects(areOfOneAction: true, latecomers: latecomers)
      effects.resume(effect, at: checkpoint)
      for case .sends in effects.consumeConsequences() { queue.append(seq) }
      alive[seq] = effects
    }
    here = EffectsState(alive.mapValues { ActionEffectsState($0) }, queue: queue)
  }

  /// Makes an earlier state the current one.
  func go(to state: EffectsState) { here = state }

  /// Starts the effects that an action has returned.
  ///
  /// - Parameters:
  ///   - started: The effects to start.
  ///   - seq: The number of the action.
  /// - Returns: The `send` effects whose actions will never be processed.
  func start(_ started: StartedEffects, of seq: Int) -> [EffectID] {
    // A cached result of the engine contains the same `StartedEffects` again, which stores the outcome of its start.
    if let start = started.start, start.seq == seq { return transition(start.outcome, of: seq) }
    let outcome = ActionEffectsState.start(started, of: seq, latecomers: latecomers, memory)
    if memory.reserve(256) { started.start = (seq, outcome) }
    return transition(outcome, of: seq)
  }

  /// Applies an effect event.
  ///
  /// - Returns: The `send` effects whose actions will never be processed.
  func apply(_ turn: LogEvent.Effect) -> [EffectID] {
    guard let effects = here.effects(of: turn.id.seq) else { return [] }
    return transition(effects.after(turn, memory), of: turn.id.seq)
  }

  /// Removes the next action that the reducer has sent itself from the queue, and returns the action.
  func send() -> PendingSend? {
    guard let seq = here.firstInQueue, let effects = here.effects(of: seq) else { return nil }
    let outcome = effects.afterSend(memory)
    _ = transition(outcome, of: seq, takesFirst: true)
    return outcome.sending
  }

  /// Applies the outcome of a step.
  ///
  /// - Parameters:
  ///   - outcome: The outcome for the effects of the action.
  ///   - seq: The number of the action.
  ///   - takesFirst: Whether the step removes the first action from the queue. The value is the same for all steps with
  ///     this outcome.
  /// - Returns: The `send` effects whose actions will never be processed.
  private func transition(
    _ outcome: ActionEffectsState.TransitionResult,
    of seq: Int,
    takesFirst: Bool = false
  ) -> [EffectID] {
    let name = TransitionKey(outcome: ObjectIdentifier(outcome), seq: seq)
    if let known = here.steps[name] {
      here = states[known.state]
      return known.dropped
    }
    var change = EffectsState.EffectsTransition(here, memory)
    if takesFirst { change.dequeueFirst() }
    change.carryOut(outcome, of: seq)
    let before = here
    // Most steps lead to a state that is already cached.
    if let known = numbers[change.digest] {
      here = states[known]
    } else {
      here = change.made()
      if memory.reserve(here.size) {
        here.number = states.count
        numbers[change.digest] = states.count
        states.append(here)
      }
    }
    if before.number != nil, let number = here.number, memory.reserve(128) {
      before.steps[name] = CachedTransition(
        outcome: outcome,
        state: number,
        dropped: change.dropped
      )
    }
    return change.dropped
  }
}
