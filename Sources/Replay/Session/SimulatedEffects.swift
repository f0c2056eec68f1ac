import ActionLog

/// The simulated effects of a replay.
///
/// None of them runs, but their status is tracked.
///
/// The input is recorded effect events, such as the end of an effect or a cancellation from outside. The output is
/// their consequences: effects that start, send or are canceled as a result. The schedule of live stores computes them.
package struct SimulatedEffects {
  /// The action of a `send` effect.
  package struct Sent {
    var action: JSONText
    /// Whether the effect comes from the checkpoint at the start of the replay, so that the engine does not have its
    /// action.
    var isFromCheckpoint = false
  }

  /// An effect that an action has canceled.
  package struct Cancelled {
    fileprivate let id: EffectID
    fileprivate let action: Int

    func event(at: Int) -> LogEvent.Effect {
      LogEvent.Effect(id: id, event: .cancelled(by: .action(seq: action)), at: at)
    }
  }

  private var effects: LoggedEffects
  private(set) var sends: [EffectID: Sent] = [:]
  /// The effects whose sent actions are waiting, in first-in, first-out order.
  private var produced: [EffectID] = []
  private var producedStart = 0
  /// The number of actions that each running effect has sent.
  private var sent: [EffectID: Int] = [:]
  /// The effects whose operation has returned.
  package private(set) var completed: Set<EffectID> = []
  /// The effects that follow another one and whose start event has not occurred in the log yet.
  package private(set) var awaitingStart: Set<EffectID> = []
  /// The last action before the start of the replay.
  private var start = 0
  /// The effects that actions have returned, or `nil` if they are not tracked.
  private var started: Set<EffectID>?
  /// The effects that may send actions after their operations have returned, or `nil` for all effects.
  private let latecomers: Set<EffectID>?
  /// The consequences of the last step for effects of other actions, or `nil` if this value contains all effects.
  private var consequences: [Consequence]?

  /// A consequence of a step beyond the effects of one action.
  enum Consequence: Sendable {
    /// An action of these effects joins the queue of sent actions, because of a cancellation of the step.
    case sends(cancellation: Int)
    /// The step cancels effects of other actions.
    ///
    /// All cancellations of a step are applied before their consequences.
    case cancels(LoggedEffects.Cancellation)
  }

  /// Creates an empty value.
  ///
  /// - Parameters:
  ///   - areOfOneAction: Whether the effects of other actions are stored elsewhere. If so, `takeConsequences()` returns
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

  /// Whether no effect of the feature runs or waits, and no sent action waits.
  ///
  /// Effects that the library has added do not count, because they only end on a cancellation.
  var isIdle: Bool {
    !hasProduced && effects.waiting.isEmpty
      && effects.pending.allSatisfy { if case .added = $0 { true } else { false } }
  }

  /// Whether an effect is running.
  ///
  /// It may be canceled.
  package func isRunning(_ id: EffectID) -> Bool { effects.isRunning(id) }

  /// Whether an effect is running and not canceled.
  package func isAlive(_ id: EffectID) -> Bool { effects.isAlive(id) }

  /// The approximate number of effects and parts of effects.
  var count: Int { effects.count + sends.count + completed.count }

  /// The effects that a checkpoint would list here, each with whether it was canceled.
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

  /// Starts with the effects that are alive at a checkpoint.
  package mutating func load(_ checkpoint: LogEvent.Checkpoint) {
    for effect in checkpoint.effects { resume(effect, at: checkpoint) }
    start = checkpoint.seq
  }

  /// Adds an effect that is alive at a checkpoint.
  mutating func resume(_ effect: EffectDescription, at checkpoint: LogEvent.Checkpoint) {
    start = checkpoint.seq
    register(effect, isFromCheckpoint: true)
    for step in effects.resume(effect, at: checkpoint) {
      // The reducer had sent the action, but not yet handled it.
      if case .send(let id, _) = step { send(id, 0) }
    }
  }

  /// Assigns the cancellation IDs of the log to effects before they start.
  ///
  /// - Parameters:
  ///   - effects: The effects that an action returned.
  ///   - recorded: The recorded effects of the action, or `nil` if the recording does not have it.
  /// - Returns: The effects, without those that the library added late.
  mutating func named(
    _ effects: [EffectDescription],
    like recorded: [EffectDescription]?
  ) -> [EffectDescription] {
    self.effects.named(effects, like: recorded)
  }

  /// Adds the IDs of the running code to descriptions of a log, if the code has created these IDs.
  func identified(_ effects: [EffectDescription]) -> [EffectDescription] {
    self.effects.identified(effects)
  }

  /// Adopts the numbers of a checkpoint, which numbers the IDs of its effects again.
  mutating func takeNames(of effects: [EffectDescription]) { self.effects.takeNames(of: effects) }

  /// Starts the effects that an action returned.
  ///
  /// - Parameters:
  ///   - effects: The descriptions of the effects.
  ///   - seq: The number of the action.
  ///   - areDescribed: Whether the engine has described the effects and therefore has the actions that they send.
  /// - Returns: The effects that were canceled.
  package mutating func start(
    _ effects: [EffectDescription],
    of seq: Int,
    areDescribed: Bool = true
  ) -> [Cancelled] {
    guard !effects.isEmpty else { return [] }
    for effect in effects { register(effect, isFromCheckpoint: !areDescribed) }
    return carryOut(self.effects.start(effects, of: seq))
  }

  /// Registers the leaves of an effect.
  private mutating func register(_ effect: EffectDescription, isFromCheckpoint: Bool) {
    for part in effect.effects { register(part, isFromCheckpoint: isFromCheckpoint) }
    guard let id = effect.id else { return }
    started?.insert(id)
    guard effect.operation == .send else { return }
    sends[id] = Sent(
      action: effect.loggedAction ?? JSONText(.null),
      isFromCheckpoint: isFromCheckpoint
    )
  }

  /// Starts to track which effects actions return.
  mutating func trackStarted() { started = [] }

  /// Whether an action has returned this effect, in the replay or before its start.
  func hasStarted(_ id: EffectID) -> Bool { isOlder(id) || started?.contains(id) != false }

  private mutating func carryOut(
    _ steps: [LoggedEffects.EffectTransition],
    because cancellation: Int = 0
  ) -> [Cancelled] {
    var cancelled: [Cancelled] = []
    for step in steps {
      switch step {
      case .run(let id, let isLater): if isLater { awaitingStart.insert(id) }
      case .send(let id, let isLater):
        send(id, cancellation)
        if isLater { awaitingStart.insert(id) }
      case .cancel(let id, by: let action?): cancelled.append(Cancelled(id: id, action: action))
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
  /// Applies cancellations by effects of another action.
  mutating func cancel(_ cancellations: [LoggedEffects.Cancellation]) {
    for (index, steps) in effects.cancel(cancellations).enumerated() {
      _ = carryOut(steps, because: index)
    }
  }

  /// The combined marks of the IDs under which effects can be canceled.
  var cancellationMarks: UInt64 { effects.cancellationMarks }

  /// Removes and returns the consequences of the last step for effects of other actions, in order.
  mutating func takeConsequences() -> [Consequence] {
    defer { consequences = [] }
    return consequences ?? []
  }

  /// Whether no effect is left that a later step could depend on.
  var isSpent: Bool { count == 0 && awaitingStart.isEmpty && !hasProduced }
}

extension SimulatedEffects {
  /// Whether an effect, alive or not, is a `send` effect.
  package func isSend(_ id: EffectID) -> Bool { sends[id] != nil }

  /// Removes and returns the action of a `send` effect.
  package mutating func takeSent(by id: EffectID) -> Sent {
    sends.removeValue(forKey: id) ?? Sent(action: JSONText(.null))
  }

  /// Whether an effect was alive before the start of the replay.
  private func isOlder(_ id: EffectID) -> Bool { id.seq <= start }

  /// Whether a sent action is waiting.
  var hasProduced: Bool { producedStart < produced.count }

  /// Whether the action of an effect is waiting.
  func hasProduced(_ id: EffectID) -> Bool { waitingToSend.contains(id) }

  /// The effects whose sent actions are waiting, in order.
  var waitingToSend: ArraySlice<EffectID> { produced[producedStart...] }

  /// Removes and returns the `send` effects that were canceled before their actions were processed.
  mutating func takeDropped() -> [EffectID] {
    guard !sends.isEmpty else { return [] }
    let waiting = Set(effects.waiting)
    let dropped = sends.keys.filter { !waiting.contains($0) && !hasProduced($0) }
    for id in dropped { sends[id] = nil }
    return dropped.sorted { ($0.seq, $0.index) < ($1.seq, $1.index) }
  }

  /// Removes the waiting actions up to that of an effect.
  ///
  /// - Returns: The effects that send them. Empty if the effect's action is not waiting.
  mutating func nextProduced(through id: EffectID) -> [EffectID] {
    guard let index = waitingToSend.firstIndex(of: id) else { return [] }
    defer { producedStart = index + 1 }
    return Array(produced[producedStart...index])
  }

  /// Removes the next waiting action.
  ///
  /// - Returns: The effect that sends it.
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
  /// - Returns: The effects that are canceled as a result, and a finding if the event contradicts the log.
  package mutating func apply(
    _ effect: LogEvent.Effect,
    at seq: Int
  ) -> (cancelled: [Cancelled], finding: LogEvent.Finding?) {
    let id = effect.id
    func finding(_ problem: Wording.EffectInconsistency) -> LogEvent.Finding {
      LogEvent.Finding(
        seq: seq,
        code: .brokenLog,
        subject: id.description,
        message: Wording.describe(problem, id)
      )
    }
    // A `send` effect never runs. Its start is its only event.
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
      // The log lacks the actions that an effect sent before the checkpoint at which it was alive.
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

  /// Whether a recorded effect event is possible: the effect is running, and the effect that cancels it has run.
  func canFollow(_ effect: LogEvent.Effect) -> Bool {
    switch effect.event {
    case .started: return awaitingStart.contains(effect.id)
    case .cancelled(by: .effect(let cause), _):
      guard effects.isRunning(cause) || completed.contains(cause) else { return false }
    case .finished, .failed, .cancelled: break
    }
    return effects.isRunning(effect.id)
  }

  /// Returns the finding about an event between an action and its change.
  ///
  /// A reducer can cancel a running effect by a call. No effect can start or return while the reducer occupies the
  /// thread.
  static func finding(on effect: LogEvent.Effect, within seq: Int) -> LogEvent.Finding? {
    if case .cancelled = effect.event { return nil }
    return LogEvent.Finding(
      seq: seq,
      code: .brokenLog,
      subject: effect.id.description,
      message: Wording.describe(.within(effect.event, seq), effect.id)
    )
  }

  /// Records an action from outside the reducer.
  ///
  /// - Returns: The findings about its origin.
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

  /// Returns the findings about the origin of an action from outside the reducer.
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
    // An operation may pass on its `send`, which can then be called after the operation has returned. Stores allow
    // this. The log contains the number of actions that were sent by then, so an action that has moved past the end is
    // still found.
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
