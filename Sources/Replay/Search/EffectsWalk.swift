import ActionLog

/// The effects that a step has started.
package final class StartedEffects {
  /// Their descriptions; not empty.
  package let descriptions: [EffectDescription]
  /// The names of all effects among them that have one in the log.
  package let ids: [EffectID]
  /// What they do, and for which child, in the same order.
  package let identities: [EffectIdentity]
  /// What their start by an action led to, the last time; `nil` where that is not remembered.
  fileprivate var start: (seq: Int, outcome: ActionEffects.TransitionResult)?

  /// - Returns: `nil` for no effects.
  init?(_ descriptions: [EffectDescription]) {
    guard !descriptions.isEmpty else { return nil }
    self.descriptions = descriptions
    let named = descriptions.identities
    ids = named.compactMap(\.leaf.id)
    identities = named.map(\.identity)
  }
}

/// The effects of a feature, which go from state to state as a search asks for it.
///
/// They depend on the actions only through the effects that these return, so there are far fewer of their states than orders.
final class EffectsWalk {
  /// An action that the reducer sends itself.
  struct Sending {
    let id: EffectID
    let sent: SimulatedEffects.Sent
  }

  /// What tells a step from others that are made in the same state.
  struct TransitionKey: Hashable {
    /// What came of it for the effects of an action.
    let outcome: ObjectIdentifier
    let seq: Int
  }

  /// What came of a step.
  struct Reached {
    /// Keeps it alive, for it stands in the name of the step.
    fileprivate let outcome: ActionEffects.TransitionResult
    /// The number of the state that it led to.
    fileprivate let state: Int
    /// The `send` effects whose actions never come.
    fileprivate let dropped: [EffectID]
  }

  private(set) var here: EffectsState
  private let latecomers: Set<EffectID>?
  private let memory: ActionEffects.Memory
  /// The states that are remembered, by their numbers, and the numbers by their digests.
  private var states: [EffectsState] = []
  private var numbers: [Digest: Int] = [:]

  /// The effects that are alive at a checkpoint.
  ///
  /// - Parameters:
  ///   - checkpoint: The checkpoint.
  ///   - latecomers: The effects that may send actions after their operations have returned; `nil` for all.
  ///   - memory: How many bytes may be used to remember steps, about.
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

  /// Goes to a state of before.
  func go(to state: EffectsState) { here = state }

  /// Starts the effects that an action has returned.
  ///
  /// - Returns: The `send` effects whose actions never come.
  func start(_ started: StartedEffects, of seq: Int) -> [EffectID] {
    // An action that was reduced once, in whatever order, has the same effects.
    if let start = started.start, start.seq == seq { return transition(start.outcome, of: seq) }
    let outcome = ActionEffects.start(started, of: seq, latecomers: latecomers, memory)
    if memory.reserve(256) { started.start = (seq, outcome) }
    return transition(outcome, of: seq)
  }

  /// An effect takes its turn.
  ///
  /// - Returns: The `send` effects whose actions never come.
  func apply(_ turn: LogEvent.Effect) -> [EffectID] {
    guard let effects = here.effects(of: turn.id.seq) else { return [] }
    return transition(effects.after(turn, memory), of: turn.id.seq)
  }

  /// Takes the next action that the reducer has sent itself.
  func send() -> Sending? {
    guard let seq = here.firstInQueue, let effects = here.effects(of: seq) else { return nil }
    let outcome = effects.afterSend(memory)
    _ = transition(outcome, of: seq, takesFirst: true)
    return outcome.sending
  }

  /// Goes to where a step of the effects of an action leads.
  ///
  /// - Parameters:
  ///   - outcome: What came of the step for these effects.
  ///   - seq: The action.
  ///   - takesFirst: Whether the step takes the first action from the queue; this is so for all steps with this outcome or for none.
  /// - Returns: The `send` effects whose actions never come.
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
    // Most steps lead to where others have led.
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
      before.steps[name] = Reached(outcome: outcome, state: number, dropped: change.dropped)
    }
    return change.dropped
  }
}
