import ActionLog

/// A model of a feature's effects during a replay, in which no effect runs.
///
/// The input is recorded effect events, such as the end of an effect or a cancellation from outside. The output is the
/// consequences of these events: effects that start, send an action, or are canceled. The model computes them with the
/// schedule that live stores use.
package struct SimulatedEffects {
  /// An action that a `send` effect sends.
  package struct SendEffectAction {
    var action: JSONText
    /// Whether the effect's description comes from the log and not from the engine, so that the engine does not have
    /// its action.
    var isFromCheckpoint = false
  }

  /// An effect that an action has canceled, with the action's number.
  package struct CancelledEffect {
    fileprivate let id: EffectID
    fileprivate let action: Int

    func event(at: Int) -> LogEvent.Effect {
      LogEvent.Effect(id: id, event: .cancelled(by: .action(seq: action)), at: at)
    }
  }

  private var effects: LoggedEffects
  private(set) var sends: [EffectID: SendEffectAction] = [:]
  /// The `send` effects whose actions wait to be reduced, in first-in, first-out order.
  private var produced: [EffectID] = []
  private var producedStart = 0
  /// The number of actions that each running effect has sent.
  private var sent: [EffectID: Int] = [:]
  /// The effects whose operations have returned, and that may still send actions.
  package private(set) var completed: Set<EffectID> = []
  /// The effects whose predecessor in a concatenation has ended, but whose start event has not occurred in the log yet.
  package private(set) var awaitingStart: Set<EffectID> = []
  /// The number of the last action before the start of the replay.
  private var start = 0
  /// The effects that actions have returned, or `nil` if they are not tracked.
  private var started: Set<EffectID>?
  /// The effects that may send actions after their operations have returned, or `nil` for all effects.
  private let latecomers: Set<EffectID>?
  /// The consequences of the last step outside this model, or `nil` if the model contains the effects of all actions.
  private var consequences: [Consequence]?

  /// A consequence that a step of these effects has for the queue of sent actions or for effects of other actions.
  enum Consequence: Sendable {
    /// An action that one of these effects sends joins the queue.
    ///
    /// The value is the index of the cancellation that caused this among those that the step applies, or 0 if none did.
    case sends(cancellation: Int)
    /// The step cancels effects of other actions.
    ///
    /// The search applies all cancellations of a step before their consequences.
    case cancels(LoggedEffects.Cancellation)
  }

  /// Creates a model without effects.
  ///
  /// - Parameters:
  ///   - areOfOneAction: Whether the effects of other actions are stored elsewhere. If so, `consumeConsequences()` returns
  ///     the consequences for them.
  ///   - latecomers: The effects that may send actions after their operations have returned, or `nil` for all effects.
  package init(areOfOneAction: Bool = false, latecomers: Set<EffectID>? = nil) {
    effects = LoggedEffects(areOneOfSeveral: areOfOneAction)
    consequences = areOfOneAction ? [] : nil
    self.latecomers = latecomers
  }
}

extension SimulatedEffects {
  /// The running effects that are not canceled.
  package var alive: [LoggedEffects.Leaf] { effects.alive }

  /// The effects that have not started, because preceding effects have not ended.
  package var waiting: [EffectID] { effects.waiting }

  /// Whether no effect of the feature is running or waiting, and no sent action is waiting.
  ///
  /// Effects that the library has added are ignored, because they end only when they are canceled.
  var isIdle: Bool {
    !hasProduced && effects.waiting.isEmpty
      && effects.pending.allSatisfy { if case .added = $0 { true } else { false } }
  }

  /// Returns whether an effect has started and not returned, even if it is canceled.
  package func isRunning(_ id: EffectID) -> Bool { effects.isRunning(id) }

  /// Returns whether an effect is running and not canceled.
  package func isAlive(_ id: EffectID) -> Bool { effects.isAlive(id) }

  /// The approximate number of nodes in the effect trees, as a measure of memory.
  var count: Int { effects.count + sends.count + completed.count }

  /// The effects that a checkpoint would list at this point, each with whether it was canceled.
  var checkpointed: [EffectID: Bool] {
    var all: [EffectID: Bool] = [:]
    for id in effects.waiting { all[id] = false }
    for id in waitingToSend { all[id] = false }
    effects.forEachRunning { leaf, isCancelled in
      if case .own(let id) = leaf { all[id] = isCancelled }
    }
    return all
  }

  /// A hash of the running and waiting effects and their continuations, independent of the order in which they started.
  var scheduleHash: Int { effects.scheduleHash }

  /// Calls a function with each running effect, and whether it was canceled, in no particular order.
  func forEachRunning(_ body: (LoggedEffects.Leaf, _ isCancelled: Bool) -> Void) {
    effects.forEachRunning(body)
  }

  /// Adds the effects that a checkpoint lists, before the replay starts there.
  package mutating func load(_ checkpoint: LogEvent.Checkpoint) {
    for effect in checkpoint.effects { resume(effect, at: checkpoint) }
    start = checkpoint.seq
  }

  /// Adds an effect that is alive at a checkpoint.
  mutating func resume(_ effect: EffectDescription, at checkpoint: LogEvent.Checkpoint) {
    start = checkpoint.seq
    register(effect, isFromCheckpoint: true)
    for step in effects.resume(effect, at: checkpoint) {
      // The reducer had sent the action, but the store had not yet handled it.
      if case .send(let id, _) = step { send(id, 0) }
    }
  }

  /// Assigns the log's cancellation IDs to effects before they start.
  ///
  /// - Parameters:
  ///   - effects: The effects that an action returned in the replay.
  ///   - recorded: The recorded effects of the action, or `nil` if the recording lacks the action.
  /// - Returns: The effects with the log's IDs. Library effects are omitted if the recording has a different number of
  ///   them. Recorded cancellations for children that only the actions before the replay have seen are added.
  mutating func named(
    _ effects: [EffectDescription],
    like recorded: [EffectDescription]?
  ) -> [EffectDescription] {
    self.effects.named(effects, like: recorded, after: start)
  }

  /// Adds the running code's cancellation IDs to recorded descriptions, where the replay has named these IDs.
  func identified(_ effects: [EffectDescription]) -> [EffectDescription] {
    self.effects.identified(effects)
  }

  /// Adopts the numbers of a checkpoint's cancellation IDs, because each checkpoint renumbers the IDs of its effects.
  mutating func adoptNumbers(of effects: [EffectDescription]) {
    self.effects.adoptNumbers(of: effects)
  }

  /// Starts the effects that an action returned.
  ///
  /// - Parameters:
  ///   - effects: The descriptions of the effects.
  ///   - seq: The number of the action.
  ///   - areDescribed: Whether the engine has described the effects and therefore has the actions that they send.
  /// - Returns: The effects that actions have canceled as a result.
  package mutating func start(
    _ effects: [EffectDescription],
    of seq: Int,
    areDescribed: Bool = true
  ) -> [CancelledEffect] {
    guard !effects.isEmpty else { return [] }
    for effect in effects { register(effect, isFromCheckpoint: !areDescribed) }
    return carryOut(self.effects.start(effects, of: seq))
  }

  /// Registers the leaves of an effect tree.
  private mutating func register(_ effect: EffectDescription, isFromCheckpoint: Bool) {
    for part in effect.effects { register(part, isFromCheckpoint: isFromCheckpoint) }
    guard let id = effect.id else { return }
    started?.insert(id)
    guard effect.operation == .send else { return }
    sends[id] = SendEffectAction(
      action: effect.loggedAction ?? JSONText(.null),
      isFromCheckpoint: isFromCheckpoint
    )
  }

  /// Starts to track which effects actions return.
  mutating func trackStarted() { started = [] }

  /// Returns whether an action has returned this effect, before or during the replay.
  ///
  /// Always `true` if started effects are not tracked.
  func hasStarted(_ id: EffectID) -> Bool { isOlder(id) || started?.contains(id) != false }

  private mutating func carryOut(
    _ steps: [LoggedEffects.EffectTransition],
    because cancellation: Int = 0
  ) -> [CancelledEffect] {
    var cancelled: [CancelledEffect] = []
    for step in steps {
      switch step {
      case .run(let id, let isLater): if isLater { awaitingStart.insert(id) }
      case .send(let id, let isLater):
        send(id, cancellation)
        if isLater { awaitingStart.insert(id) }
      case .cancel(let id, by: let action?):
        cancelled.append(CancelledEffect(id: id, action: action))
      case .cancelElsewhere(let cancellation): consequences?.append(.cancels(cancellation))
      case .cancel, .end: break
      }
    }
    return cancelled
  }

  private mutating func send(_ id: EffectID, _ cancellation: Int) {
    produced.append(id)
    consequences?.append(.sends(cancellation: cancellation))
  }
}

extension SimulatedEffects {
  /// Applies cancellations that effects of another action cause.
  mutating func cancel(_ cancellations: [LoggedEffects.Cancellation]) {
    for (index, steps) in effects.cancel(cancellations).enumerated() {
      _ = carryOut(steps, because: index)
    }
  }

  /// The combined bit marks of the cancellation IDs by which these effects can be canceled.
  var cancellationMarks: UInt64 { effects.cancellationMarks }

  /// Removes and returns the consequences of the last step for the queue and for effects of other actions, in order.
  mutating func consumeConsequences() -> [Consequence] {
    defer { consequences = [] }
    return consequences ?? []
  }

  /// Whether the model has no data that a later step could depend on.
  var isSpent: Bool { count == 0 && awaitingStart.isEmpty && !hasProduced }
}

extension SimulatedEffects {
  /// Returns whether an effect is a `send` effect whose action has not been processed, even if the effect is canceled.
  package func isSend(_ id: EffectID) -> Bool { sends[id] != nil }

  /// Removes a `send` effect, and returns the action that it sends.
  package mutating func removeSend(by id: EffectID) -> SendEffectAction {
    sends.removeValue(forKey: id) ?? SendEffectAction(action: JSONText(.null))
  }

  /// Returns whether an effect was started by an action before the start of the replay.
  private func isOlder(_ id: EffectID) -> Bool { id.seq <= start }

  /// Whether any sent action is waiting to be reduced.
  var hasProduced: Bool { producedStart < produced.count }

  /// Returns whether the action of a `send` effect is waiting to be reduced.
  func hasProduced(_ id: EffectID) -> Bool { waitingToSend.contains(id) }

  /// The `send` effects whose actions are waiting to be reduced, in order.
  var waitingToSend: ArraySlice<EffectID> { produced[producedStart...] }

  /// Removes and returns the `send` effects that were canceled before their actions were processed.
  mutating func consumeDropped() -> [EffectID] {
    guard !sends.isEmpty else { return [] }
    let waiting = Set(effects.waiting)
    let dropped = sends.keys.filter { !waiting.contains($0) && !hasProduced($0) }
    for id in dropped { sends[id] = nil }
    return dropped.sorted { ($0.seq, $0.index) < ($1.seq, $1.index) }
  }

  /// Removes actions from the queue, up to and including the action of an effect.
  ///
  /// - Returns: The effects whose actions were removed, in order. The result is empty if the effect's action is not
  ///   waiting.
  mutating func nextProduced(through id: EffectID) -> [EffectID] {
    guard let index = waitingToSend.firstIndex(of: id) else { return [] }
    defer { producedStart = index + 1 }
    return Array(produced[producedStart...index])
  }

  /// Removes the next waiting action from the queue.
  ///
  /// - Returns: The effect that sends the action, or `nil` if no action is waiting.
  package mutating func nextProduced() -> EffectID? {
    guard hasProduced else { return nil }
    defer {
      producedStart += 1
      if !hasProduced {
        produced.removeAll(keepingCapacity: true)
        producedStart = 0
      }
    }
    return produced[producedStart]
  }
}

extension SimulatedEffects {
  /// Applies a recorded effect event from outside the reducer.
  ///
  /// - Returns: The effects that are canceled as a result, and a finding if the event contradicts the previous events.
  package mutating func apply(
    _ effect: LogEvent.Effect,
    at seq: Int
  ) -> (cancelled: [CancelledEffect], finding: LogEvent.Finding?) {
    let id = effect.id
    func finding(_ problem: Wording.EffectInconsistency) -> LogEvent.Finding {
      LogEvent.Finding(
        seq: seq,
        code: .brokenLog,
        subject: id.description,
        message: Wording.describe(problem, id)
      )
    }
    // A `send` effect never runs, so its start is the only event of it.
    if case .started = effect.event, isSend(id) {
      return ([], awaitingStart.remove(id) == nil ? finding(.startedTwice) : nil)
    }
    guard effects.isRunning(id) else { return ([], finding(.notRunning(effect.event))) }
    switch effect.event {
    case .started:
      return ([], awaitingStart.remove(id) == nil ? finding(.startedTwice) : nil)
    case .finished(let count):
      if latecomers?.contains(id) != false { completed.insert(id) }
      let counted = sent.removeValue(forKey: id) ?? 0
      let wasAwaited = awaitingStart.remove(id) != nil
      let cancelled = carryOut(effects.finish(id))
      if wasAwaited { return (cancelled, finding(.notStarted)) }
      // For an effect from the checkpoint, the log lacks the actions that it sent before the checkpoint.
      guard counted == count || isOlder(id) else {
        return (cancelled, finding(.sent(recorded: count, counted: counted)))
      }
      return (cancelled, nil)
    case .failed:
      sent[id] = nil
      return (carryOut(effects.finish(id)), nil)
    case .cancelled(by: .action, _):
      return ([], nil)
    case .cancelled(_, let dropping):
      return (carryOut(effects.cancel(id, dropping: dropping)), nil)
    }
  }

  /// Returns whether a recorded effect event is possible.
  ///
  /// The effect must be running, or must be about to start. An effect that cancels it must have run.
  func canFollow(_ effect: LogEvent.Effect) -> Bool {
    switch effect.event {
    case .started: return awaitingStart.contains(effect.id)
    case .cancelled(by: .effect(let cause), _):
      guard effects.isRunning(cause) || completed.contains(cause) else { return false }
    case .finished, .failed, .cancelled: break
    }
    return effects.isRunning(effect.id)
  }

  /// Returns a finding if an effect event can't occur between an action and its change.
  ///
  /// A reducer can cancel a running effect by a function call. No effect can start or return while the reducer occupies
  /// the thread.
  static func finding(on effect: LogEvent.Effect, within seq: Int) -> LogEvent.Finding? {
    if case .cancelled = effect.event { return nil }
    return LogEvent.Finding(
      seq: seq,
      code: .brokenLog,
      subject: effect.id.description,
      message: Wording.describe(.within(effect.event, seq), effect.id)
    )
  }

  /// Records that an action arrives from outside the reducer.
  ///
  /// - Returns: The findings about the origin of the action.
  package mutating func arrive(
    from origin: LogEvent.Origin,
    as seq: Int
  ) -> [LogEvent.Finding] {
    let findings = findings(onArrivalFrom: origin, as: seq)
    if case .effect(let id, nil) = origin, findings.isEmpty, effects.isAlive(id) {
      sent[id, default: 0] += 1
    }
    return findings
  }

  /// Returns the findings about the origin of an action that arrives from outside the reducer.
  func findings(
    onArrivalFrom origin: LogEvent.Origin,
    as seq: Int
  ) -> [LogEvent.Finding] {
    switch origin {
    case .view, .parent: return []
    case .reentrant(let cause):
      guard cause >= seq else { return [] }
      return [
        LogEvent.Finding(
          seq: seq,
          code: .brokenLog,
          subject: "origin",
          message: Wording.sentByLaterAction(cause)
        )
      ]
    // The library may send an action for an effect that has ended.
    case .effect(let id, .some) where id.seq < seq: return []
    // An operation may store its `send` argument, and other code can then call it after the operation has returned.
    // Stores allow this. The log contains the number of actions that were sent before the effect ended, so an action
    // that was moved past the end is still found.
    case .effect(let id, nil) where completed.contains(id): return []
    case .effect(let id, _):
      guard effects.isAlive(id), !awaitingStart.contains(id) else {
        return [
          LogEvent.Finding(
            seq: seq,
            code: .deadEffect,
            subject: Wording.name(id),
            message: Wording.deadEffect(id, state(of: id))
          )
        ]
      }
      return []
    }
  }

  /// Returns the reason why an effect can't send an action.
  func state(of id: EffectID) -> Wording.DeadEffectReason {
    if awaitingStart.contains(id) { return .notStarted }
    if effects.isRunning(id) { return .cancelled }
    return .notRunning
  }
}
