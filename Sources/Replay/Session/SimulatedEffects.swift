import ActionLog

/// The effects of a replay, of which none runs: it tracks which would be alive.
///
/// The recorded events of effects (one finished, or was cancelled from outside) go in. The consequences (effects that are
/// started, send or are cancelled in turn) come out, decided by the schedule that live stores use too.
package struct SimulatedEffects {
  /// The action of a `send` effect.
  package struct Sent {
    var action: JSONText
    /// Whether it was described before the replay began, so that the engine does not have it.
    var isFromCheckpoint = false
  }

  /// An effect that an action has cancelled.
  package struct Cancelled {
    fileprivate let id: EffectID
    fileprivate let action: Int

    func event(at: Int) -> LogEvent.Effect {
      LogEvent.Effect(id: id, event: .cancelled(by: .action(seq: action)), at: at)
    }
  }

  private var effects: LoggedEffects
  private(set) var sends: [EffectID: Sent] = [:]
  /// Actions that the reducer has sent and that wait: first in, first out.
  private var produced: [EffectID] = []
  private var producedStart = 0
  /// The number of actions that each running effect has sent.
  private var sent: [EffectID: Int] = [:]
  /// Effects whose operation has returned.
  package private(set) var completed: Set<EffectID> = []
  /// Effects that follow another one and whose start has not come in the log.
  package private(set) var awaitingStart: Set<EffectID> = []
  /// The last action before the replay began.
  private var start = 0
  /// The effects that actions have returned; `nil` when they are not tracked.
  private var started: Set<EffectID>?
  /// The effects of which it matters that their operations have returned; `nil` for all.
  private let latecomers: Set<EffectID>?
  /// What came of the last step for the effects of other actions; `nil` where all effects are here.
  private var consequences: [Consequence]?

  /// What comes of a step beyond the effects of one action.
  enum Consequence: Sendable {
    /// An action of theirs joins the queue of those that the reducer has sent, because of which of the cancellations of the step.
    case sends(cancellation: Int)
    /// Effects of other actions are cancelled: by all cancellations of a step, before anything comes of that.
    case cancels(LoggedEffects.Cancellation)
  }

  /// No effects.
  ///
  /// - Parameters:
  ///   - areOfOneAction: Whether the effects of other actions are elsewhere, and are told by `takeConsequences()`.
  ///   - latecomers: The effects that may send actions after their operations have returned; `nil` for all.
  package init(areOfOneAction: Bool = false, latecomers: Set<EffectID>? = nil) {
    effects = LoggedEffects(areOneOfSeveral: areOfOneAction)
    consequences = areOfOneAction ? [] : nil
    self.latecomers = latecomers
  }
}

extension SimulatedEffects {
  /// The effects that run and were not cancelled.
  package var alive: [LoggedEffects.Leaf] { effects.alive }

  /// The effects of actions that have not begun because effects before them have not ended.
  package var waiting: [EffectID] { effects.waiting }

  /// Whether no effect of the feature runs or waits, and no action waits that the reducer has sent.
  ///
  /// Effects that the library has added do nothing but end when they are cancelled.
  var isIdle: Bool {
    !hasProduced && effects.waiting.isEmpty
      && effects.pending.allSatisfy { if case .added = $0 { true } else { false } }
  }

  /// Whether an effect of an action runs.
  package func isRunning(_ id: EffectID) -> Bool { effects.isRunning(id) }

  /// Whether an effect of an action runs, and was not cancelled.
  package func isAlive(_ id: EffectID) -> Bool { effects.isAlive(id) }

  /// About how many effects and parts of effects there are.
  var count: Int { effects.count + sends.count + completed.count }

  /// The effects that a checkpoint lists here, and which of them were cancelled.
  var checkpointed: [EffectID: Bool] {
    var all: [EffectID: Bool] = [:]
    for id in effects.waiting { all[id] = false }
    for id in waitingToSend { all[id] = false }
    effects.forEachRunning { leaf, isCancelled in
      if case .own(let id) = leaf { all[id] = isCancelled }
    }
    return all
  }

  /// A number for the effects that run or wait, and what they do when they end, but not for the order in which they began.
  var scheduleHash: Int { effects.scheduleHash }

  /// Calls a function with each effect that runs, and whether it was cancelled, in no order.
  func forEachRunning(_ body: (LoggedEffects.Leaf, _ isCancelled: Bool) -> Void) {
    effects.forEachRunning(body)
  }

  /// Starts with the effects that are alive at a checkpoint.
  package mutating func load(_ checkpoint: LogEvent.Checkpoint) {
    for effect in checkpoint.effects { resume(effect, at: checkpoint) }
    start = checkpoint.seq
  }

  /// Starts with an effect that is alive at a checkpoint.
  mutating func resume(_ effect: EffectDescription, at checkpoint: LogEvent.Checkpoint) {
    start = checkpoint.seq
    register(effect, isFromCheckpoint: true)
    for step in effects.resume(effect, at: checkpoint) {
      // The reducer had sent it and not yet handled it.
      if case .send(let id, _) = step { send(id, 0) }
    }
  }

  /// Names the cancellation ids of effects as a log has them, before the effects start.
  ///
  /// - Parameters:
  ///   - effects: The effects that an action returned.
  ///   - recorded: Its effects in the recording, if it is in there.
  /// - Returns: The effects, without those that the library added late.
  mutating func named(
    _ effects: [EffectDescription],
    like recorded: [EffectDescription]?
  ) -> [EffectDescription] {
    self.effects.named(effects, like: recorded)
  }

  /// Adds the ids of the running code to descriptions of a log, as far as the code has named them.
  func identified(_ effects: [EffectDescription]) -> [EffectDescription] {
    self.effects.identified(effects)
  }

  /// Takes over the names of a checkpoint, which numbers the ids of its effects anew.
  mutating func takeNames(of effects: [EffectDescription]) { self.effects.takeNames(of: effects) }

  /// Starts the effects that an action returned.
  ///
  /// - Parameters:
  ///   - effects: Their descriptions.
  ///   - seq: The action.
  ///   - areDescribed: Whether the engine has described them, and so has the actions that they send.
  /// - Returns: The effects that they cancelled.
  package mutating func start(
    _ effects: [EffectDescription],
    of seq: Int,
    areDescribed: Bool = true
  ) -> [Cancelled] {
    guard !effects.isEmpty else { return [] }
    for effect in effects { register(effect, isFromCheckpoint: !areDescribed) }
    return carryOut(self.effects.start(effects, of: seq))
  }

  /// Notes the leaves of an effect.
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

  /// Tracks from now on which effects actions return.
  mutating func trackStarted() { started = [] }

  /// Whether an action has returned this effect, in the replay or before it began.
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
  /// Cancels effects, as the plan of another action does.
  mutating func cancel(_ cancellations: [LoggedEffects.Cancellation]) {
    for (index, steps) in effects.cancel(cancellations).enumerated() {
      _ = carryOut(steps, because: index)
    }
  }

  /// The marks of the ids under which effects can be cancelled.
  var cancellationMarks: UInt64 { effects.cancellationMarks }

  /// Takes what came of the last step for the effects of other actions, in its order.
  mutating func takeConsequences() -> [Consequence] {
    defer { consequences = [] }
    return consequences ?? []
  }

  /// Whether nothing of the effects is left that a later step could depend on.
  var isSpent: Bool { count == 0 && awaitingStart.isEmpty && !hasProduced }
}

extension SimulatedEffects {
  /// Whether an effect, alive or not, is one that sends an action at once.
  package func isSend(_ id: EffectID) -> Bool { sends[id] != nil }

  /// Takes the action of a `send` effect.
  package mutating func takeSent(by id: EffectID) -> Sent {
    sends.removeValue(forKey: id) ?? Sent(action: JSONText(.null))
  }

  /// Whether an effect was alive before the replay began.
  private func isOlder(_ id: EffectID) -> Bool { id.seq <= start }

  /// Whether an action that the reducer has sent waits.
  var hasProduced: Bool { producedStart < produced.count }

  /// Whether the action of an effect is among those that wait.
  func hasProduced(_ id: EffectID) -> Bool { waitingToSend.contains(id) }

  /// The effects whose actions the reducer has sent and that wait, in their order.
  var waitingToSend: ArraySlice<EffectID> { produced[producedStart...] }

  /// Takes the `send` effects whose actions never come, because they were cancelled before their turn.
  mutating func takeDropped() -> [EffectID] {
    guard !sends.isEmpty else { return [] }
    let waiting = Set(effects.waiting)
    let dropped = sends.keys.filter { !waiting.contains($0) && !hasProduced($0) }
    for id in dropped { sends[id] = nil }
    return dropped.sorted { ($0.seq, $0.index) < ($1.seq, $1.index) }
  }

  /// Takes the actions that the reducer has sent, up to the one of an effect.
  ///
  /// - Returns: The effects that send them; none when this one's action does not wait.
  mutating func nextProduced(through id: EffectID) -> [EffectID] {
    guard let index = waitingToSend.firstIndex(of: id) else { return [] }
    defer { producedStart = index + 1 }
    return Array(produced[producedStart...index])
  }

  /// Takes the next action that the reducer has sent.
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
  /// Applies a recorded event of an effect that comes from outside the reducer.
  ///
  /// - Returns: The effects that are cancelled in consequence, and a finding if the event contradicts the log.
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
    // A `send` never runs: its start is its only event.
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

  /// Whether a recorded event of an effect is possible here: the effect runs, and the one that cancels it has run.
  func canFollow(_ effect: LogEvent.Effect) -> Bool {
    switch effect.event {
    case .started: return awaitingStart.contains(effect.id)
    case .cancelled(by: .effect(let cause), _):
      guard effects.isRunning(cause) || completed.contains(cause) else { return false }
    case .finished, .failed, .cancelled: break
    }
    return effects.isRunning(effect.id)
  }

  /// The finding for an event between an action and its change.
  ///
  /// A reducer can cancel a running effect by a call, but no effect starts or returns while the reducer has the thread.
  static func finding(on effect: LogEvent.Effect, within seq: Int) -> LogEvent.Finding? {
    if case .cancelled = effect.event { return nil }
    return LogEvent.Finding(
      seq: seq,
      code: .brokenLog,
      subject: effect.id.description,
      message: Wording.describe(.within(effect.event, seq), effect.id)
    )
  }

  /// Takes note of an action from outside the reducer.
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

  /// The findings about the origin of an action from outside the reducer.
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
    // An operation may hand on its `send`, which is then used after the operation has returned; stores allow that. The log
    // has the number of actions that it had sent by then, so one that has only moved after its end shows there.
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

  /// The reason why an effect cannot send an action.
  func state(of id: EffectID) -> Wording.DeadEffectReason {
    if awaitingStart.contains(id) { return .notStarted }
    if effects.isRunning(id) { return .cancelled }
    return .notRunning
  }
}
