import ActionLog

/// The state of the effects that one action has returned, during a search.
///
/// A search tracks the effects of each action separately, because an action can change the effects of other actions
/// only by canceling them. The number of distinct states is therefore small, regardless of the order of steps. Each
/// state caches the outcomes of its steps.
final class ActionEffectsState {
  /// The state of the action's effects after a step.
  enum NextEffects {
    /// The step has not changed the state.
    ///
    /// The same state is not stored, because a state that is referenced by its own cached steps would never be freed.
    case same
    case changed(ActionEffectsState)
    /// The action has no effects left.
    case gone
  }

  /// A consequence that a step of these effects has for the queue of sent actions or for effects of other actions.
  enum Consequence: Hashable {
    /// An action that one of these effects sends joins the queue.
    ///
    /// The value is the index of the cancellation that caused this among those that the step applies, or 0 if none did.
    case sends(cancellation: Int)
    /// The cancellation with this index, in the outcome's `cancellations`, cancels effects of other actions.
    case cancels(cancellation: Int)
  }

  /// The cancellations that one step causes.
  ///
  /// Steps with equal cancellations share one instance, unless the cache is full.
  final class Cancellations {
    let all: [LoggedEffects.Cancellation]
    /// The combined bit marks of the cancellation IDs.
    ///
    /// An effect with none of these marks can't be canceled by these cancellations.
    let marks: UInt64

    fileprivate init(_ all: [LoggedEffects.Cancellation]) {
      self.all = all
      marks = all.reduce(0) { $0 | $1.mark }
    }
  }

  /// The outcome of a step for the effects of one action.
  final class TransitionResult {
    let next: NextEffects
    /// The cancellations that may reach effects of other actions, or `nil` if there are none.
    let cancellations: Cancellations?
    /// The consequences for the queue and for effects of other actions, in order.
    let consequences: [Consequence]
    /// The `send` effects whose actions will never be processed.
    let dropped: [EffectID]
    /// The action that the step hands over to the reducer, or `nil` if it hands over none.
    let sending: EffectsStateMachine.PendingSend?

    fileprivate init(
      _ next: NextEffects,
      _ cancellations: Cancellations?,
      _ consequences: [Consequence],
      dropped: [EffectID],
      _ sending: EffectsStateMachine.PendingSend?
    ) {
      self.next = next
      self.cancellations = cancellations
      self.consequences = consequences
      self.dropped = dropped
      self.sending = sending
    }
  }

  private struct EffectEventKey: Hashable {
    let id: EffectID
    let event: LogEvent.Effect.Event

    // Few events have the same effect index.
    func hash(into hasher: inout Hasher) { hasher.combine(id.index) }
  }

  fileprivate let effects: SimulatedEffects
  /// A digest of all data that later steps depend on, independent of the order in which effects started.
  let digest: Digest
  /// A digest of only the running and waiting effects.
  let standing: Digest
  /// The status of each effect that has an ID in the log, with the effect's index among those of the action.
  private let statuses: [(index: Int, status: EffectStatus)]
  private let cancellationMarks: UInt64
  /// Whether the state is cached, so that other search states share it.
  fileprivate(set) var isRemembered = false
  /// The cached outcomes of effect events, by event.
  private var turns: [EffectEventKey: TransitionResult] = [:]
  private var sending: TransitionResult?
  private var cancelled: [ObjectIdentifier: TransitionResult] = [:]

  init(_ effects: SimulatedEffects) {
    self.effects = effects
    digest = effects.digest
    let waiting = effects.waiting
    standing = effects.standing(waiting)
    statuses = effects.statuses(waiting)
    cancellationMarks = effects.cancellationMarks
  }

  /// The approximate size of this state in bytes.
  private var size: Int { 1024 + effects.count * 512 }

  /// The approximate size in bytes, or 0 if the state is cached and therefore counted by the cache.
  var ownSize: Int { isRemembered ? 0 : size }
}

extension ActionEffectsState {
  /// Starts the effects that an action has returned.
  ///
  /// - Parameters:
  ///   - started: The effects to start.
  ///   - seq: The number of the action.
  ///   - latecomers: The effects that may send actions after their operations have returned, or `nil` for all effects.
  ///   - memory: The cache in which equal states and outcomes are shared.
  /// - Returns: The outcome of the start, which contains the state of the effects.
  static func start(
    _ started: StartedEffects,
    of seq: Int,
    latecomers: Set<EffectID>?,
    _ memory: StateCache
  ) -> TransitionResult {
    var effects = SimulatedEffects(areOfOneAction: true, latecomers: latecomers)
    _ = effects.start(started.descriptions, of: seq)
    return memory.same(as: outcome(of: &effects, memory), ofStartBy: seq)
  }

  /// Returns the outcome of applying an effect event.
  func after(_ turn: LogEvent.Effect, _ memory: StateCache) -> TransitionResult {
    let name = EffectEventKey(id: turn.id, event: turn.event)
    if let known = turns[name] { return known }
    var effects = effects
    _ = effects.apply(turn, at: turn.id.seq)
    let outcome = Self.outcome(of: &effects, memory, after: self)
    if memory.reserve(256) { turns[name] = outcome }
    return outcome
  }

  /// Returns the outcome of handing over the first waiting action to the reducer.
  func afterSend(_ memory: StateCache) -> TransitionResult {
    if let sending { return sending }
    var effects = effects
    let sent = effects.nextProduced()
      .map { EffectsStateMachine.PendingSend(id: $0, sent: effects.removeSend(by: $0)) }
    let outcome = Self.outcome(of: &effects, memory, after: self, sent)
    if memory.reserve(256) { sending = outcome }
    return outcome
  }

  /// Returns the outcome of cancellations that a step of another action's effects causes.
  ///
  /// - Returns: The outcome, or `nil` if the marks show that the cancellations don't reach these effects.
  func after(_ cancellations: Cancellations, _ memory: StateCache) -> TransitionResult? {
    guard cancellations.marks & cancellationMarks != 0 else { return nil }
    let name = ObjectIdentifier(cancellations)
    if let known = cancelled[name] { return known }
    var effects = effects
    effects.cancel(cancellations.all)
    let outcome = Self.outcome(of: &effects, memory, after: self)
    // A cached outcome also retains its cancellations, so that their object identity stays valid as a key.
    if memory.reserve(256) { cancelled[name] = outcome }
    return outcome
  }

  private static func outcome(
    of effects: inout SimulatedEffects,
    _ memory: StateCache,
    after before: ActionEffectsState? = nil,
    _ sending: EffectsStateMachine.PendingSend? = nil
  ) -> TransitionResult {
    let dropped = effects.consumeDropped()
    var cancellations: [LoggedEffects.Cancellation] = []
    let consequences = effects.consumeConsequences().map { consequence -> Consequence in
      switch consequence {
      case .sends(let cancellation): return .sends(cancellation: cancellation)
      case .cancels(let cancellation):
        cancellations.append(cancellation)
        return .cancels(cancellation: cancellations.count - 1)
      }
    }
    var next = NextEffects.gone
    if !effects.isSpent {
      let after = ActionEffectsState(effects)
      next = after.digest == before?.digest ? .same : .changed(memory.same(as: after))
    }
    return TransitionResult(
      next,
      cancellations.isEmpty ? nil : memory.same(as: cancellations),
      consequences,
      dropped: dropped,
      sending
    )
  }

  /// A cache that shares equal states, cancellations, and start outcomes.
  final class StateCache {
    /// The properties that identify the outcome of starting effects.
    private struct StartKey: Hashable {
      let seq: Int
      /// The digest of the effects after the start, or `nil` if none are left.
      let effects: Digest?
      let cancellations: ObjectIdentifier?
      let consequences: [Consequence]
      let dropped: [EffectID]
    }

    private var states: [Digest: ActionEffectsState] = [:]
    private var starts: [StartKey: TransitionResult] = [:]
    private var cancellations: [[LoggedEffects.Cancellation]: Cancellations] = [:]
    /// The remaining capacity in bytes, which may become negative.
    private var room: Int

    /// Creates an empty cache.
    ///
    /// - Parameter room: The approximate capacity in bytes.
    init(room: Int) { self.room = room }

    /// Reserves capacity in the cache.
    ///
    /// - Parameter bytes: The approximate number of bytes to reserve.
    /// - Returns: Whether the cache had capacity left.
    func reserve(_ bytes: Int) -> Bool {
      guard room > 0 else { return false }
      room -= bytes
      return true
    }

    /// Returns the cached state that equals the given state, or the given state if the cache has none.
    fileprivate func same(as state: ActionEffectsState) -> ActionEffectsState {
      if let known = states[state.digest] { return known }
      if reserve(state.size) {
        state.isRemembered = true
        states[state.digest] = state
      }
      return state
    }

    /// Returns the cached object for equal cancellations, or a new one.
    fileprivate func same(as all: [LoggedEffects.Cancellation]) -> Cancellations {
      if let known = cancellations[all] { return known }
      let new = Cancellations(all)
      if reserve(256) { cancellations[all] = new }
      return new
    }

    /// Returns the cached outcome that equals the outcome of a start, or the given outcome if the cache has none.
    fileprivate func same(as outcome: TransitionResult, ofStartBy seq: Int) -> TransitionResult {
      var effects: Digest?
      if case .changed(let after) = outcome.next { effects = after.digest }
      let start = StartKey(
        seq: seq,
        effects: effects,
        cancellations: outcome.cancellations.map { ObjectIdentifier($0) },
        consequences: outcome.consequences,
        dropped: outcome.dropped
      )
      if let known = starts[start] { return known }
      if reserve(256) { starts[start] = outcome }
      return outcome
    }
  }
}

extension ActionEffectsState {
  /// Returns the status of an effect, which is empty if the effect is not tracked.
  func status(of id: EffectID) -> EffectStatus {
    for (index, status) in statuses where index == id.index { return status }
    return []
  }

  /// The effects whose predecessor in a concatenation has ended, but whose start event has not occurred in the log yet.
  var awaitingStart: Set<EffectID> { effects.awaitingStart }

  /// Returns whether an effect is a `send` effect whose action has not been processed, even if the effect is canceled.
  func isSend(_ id: EffectID) -> Bool { effects.isSend(id) }

  /// Returns whether the action of a `send` effect is waiting to be reduced.
  func hasProduced(_ id: EffectID) -> Bool { effects.hasProduced(id) }

  /// Returns the findings about the origin of an action that arrives from outside the reducer.
  func findings(onArrivalFrom origin: LogEvent.Origin, as seq: Int) -> [LogEvent.Finding] {
    effects.findings(onArrivalFrom: origin, as: seq)
  }
}

/// The status of an effect in a search.
package struct EffectStatus: OptionSet, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The effect has started and has not returned, although it may be canceled.
  package static let isRunning = EffectStatus(rawValue: 1)
  /// The effect has started and has not returned, and it is not canceled.
  package static let isAlive = EffectStatus(rawValue: 2)
  /// The effect has not started, because preceding effects have not ended.
  package static let isWaiting = EffectStatus(rawValue: 4)
  /// The effect's predecessor has ended, but the effect's start event has not occurred in the log yet.
  package static let isAwaitingStart = EffectStatus(rawValue: 8)
  /// The effect has returned but may still send actions.
  package static let hasCompleted = EffectStatus(rawValue: 16)
}

extension SimulatedEffects {
  /// A digest of all data that later steps depend on, independent of the order in which effects started.
  fileprivate var digest: Digest {
    var digest = Digest()
    digest.add(Digest((scheduleHash, count, 1)))
    for id in completed { digest.add(Digest((id.seq, id.index, 2))) }
    for id in awaitingStart { digest.add(Digest((id.seq, id.index, 3))) }
    for (id, sent) in sends {
      var action = Digest([sent.action])
      action.add(Digest((id.seq, id.index, sent.isFromCheckpoint ? 5 : 4)))
      digest.add(action.mixed)
    }
    for (place, id) in waitingToSend.enumerated() {
      var waiting = Digest((id.seq, id.index, 6))
      waiting.add(Digest((place, 0, 7)))
      digest.add(waiting.mixed)
    }
    return digest.mixed
  }

  /// Returns a digest of the running and waiting effects.
  fileprivate func standing(_ waiting: [EffectID]) -> Digest {
    var digest = Digest()
    forEachRunning { leaf, isCancelled in
      switch leaf {
      case .own(let id): digest.add(Digest((id.seq, id.index, isCancelled ? 1 : 0)))
      case .added: digest.add(Digest((0, 0, isCancelled ? 3 : 2)))
      }
    }
    for id in waiting { digest.add(Digest((id.seq, id.index, 4))) }
    return digest
  }

  /// Returns the status of each effect that has an ID in the log, with the effect's index among those of the action.
  ///
  /// The result is a list, because a log may contain arbitrarily large indexes.
  fileprivate func statuses(
    _ waiting: [EffectID]
  ) -> [(index: Int, status: EffectStatus)] {
    var statuses: [Int: EffectStatus] = [:]
    func insertStatus(_ status: EffectStatus, _ id: EffectID) {
      statuses[id.index, default: []].insert(status)
    }
    forEachRunning { leaf, isCancelled in
      guard case .own(let id) = leaf else { return }
      insertStatus(isCancelled ? .isRunning : [.isRunning, .isAlive], id)
    }
    for id in waiting { insertStatus(.isWaiting, id) }
    for id in awaitingStart { insertStatus(.isAwaitingStart, id) }
    for id in completed { insertStatus(.hasCompleted, id) }
    return statuses.map { ($0, $1) }
  }
}
