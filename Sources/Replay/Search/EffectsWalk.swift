import ActionLog

/// The effects that a step has started.
package final class StartedEffects {
  /// The descriptions of the effects.
  ///
  /// Never empty.
  package let descriptions: [EffectDescription]
  /// The IDs of all effects that have one in the log.
  package let ids: [EffectID]
  /// The identities of the effects, in the same order as `ids`.
  package let identities: [EffectIdentity]
  /// The cached outcome of their last start by an action, or `nil` if there is none.
  fileprivate var start: (seq: Int, outcome: ActionEffects.TransitionResult)?

  /// Creates the started effects.
  ///
  /// Returns `nil` if there are none.
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
/// The effects depend on actions only through the effects that these return. The number of states is therefore far
/// lower than the number of orders.
final class EffectsWalk {
  /// An action that the reducer sends itself.
  struct Sending {
    let id: EffectID
    let sent: SimulatedEffects.Sent
  }

  /// The identity of a step among those from the same state.
  struct TransitionKey: Hashable {
    /// The outcome for the effects of the action.
    let outcome: ObjectIdentifier
    let seq: Int
  }

  /// The result of a step.
  struct ReachedState {
    /// Retained, because the identity of the object is part of the step's identity.
    fileprivate let outcome: ActionEffects.TransitionResult
    /// The index of the resulting state.
    fileprivate let state: Int
    /// The `send` effects whose actions will never be processed.
    fileprivate let dropped: [EffectID]
  }

  private(set) var here: EffectsState
  private let latecomers: Set<EffectID>?
  private let memory: ActionEffects.Memory
  /// The cached states, and their indexes by digest.
  private var states: [EffectsState] = []
  private var numbers: [Digest: Int] = [:]

  /// Starts with the effects that are alive at a checkpoint.
  ///
  /// - Parameters:
  ///   - checkpoint: The checkpoint.
  ///   - latecomers: The effects that may send actions after their operations have returned, or `nil` for all effects.
  ///   - memory: The approximate capacity of the step cache in bytes.
  init(
    at checkpoint: LogEvent.Checkpoint,
    latecomers: Set<EffectID>?,
    memory: Int
  ) {
    self.latecomers = latecomers
    self.memory = ActionEffects.Memory(room: memory)
    var alive: [Int: SimulatedEffects] = [:]
    var queue: [Int] = []
    for effect in checkpoint.effects {
      let seq = effect.action(at: checkpoint)
      var effects =
        alive[seq] ?? SimulatedEffects(areOfOneAction: true, latecomers: latecomers)
      effects.resume(effect, at: checkpoint)
      for case .sends in effects.takeConsequences() { queue.append(seq) }
      alive[seq] = effects
    }
    here = EffectsState(alive.mapValues { ActionEffects($0) }, queue: queue)
  }

  /// Returns to an earlier state.
  func go(to state: EffectsState) { here = state }

  /// Starts the effects that an action has returned.
  ///
  /// - Returns: The `send` effects whose actions will never be processed.
  func start(_ started: StartedEffects, of seq: Int) -> [EffectID] {
    // An action that was reduced before, in any order, returns the same object, so the outcome is known.
    if let start = started.start, start.seq == seq { return transition(start.outcome, of: seq) }
    let outcome = ActionEffects.start(started, of: seq, latecomers: latecomers, memory)
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

  /// Removes and returns the next action that the reducer has sent itself.
  func send() -> Sending? {
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
  ///   - takesFirst: Whether the step removes the first action from the queue. This is the same for all steps with this
  ///     outcome.
  /// - Returns: The `send` effects whose actions will never be processed.
  private func transition(
    _ outcome: ActionEffects.TransitionResult,
    of seq: Int,
    takesFirst: Bool = false
  ) -> [EffectID] {
    let name = TransitionKey(outcome: ObjectIdentifier(outcome), seq: seq)
    if let known = here.steps[name] {
      here = states[known.state]
      return known.dropped
    }
    var change = EffectsState.EffectsTransition(here, memory)
    if takesFirst { change.takeFirst() }
    change.carryOut(outcome, of: seq)
    let before = here
    // Most steps lead to a state that other steps have already reached.
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
      before.steps[name] = ReachedState(outcome: outcome, state: number, dropped: change.dropped)
    }
    return change.dropped
  }
}
