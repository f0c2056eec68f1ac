import ActionLog

/// The effects of a replay: none of them runs, yet it is known which would be alive.
///
/// What the recording tells of them (that one finished, or was cancelled from outside) goes in; what follows from it (what
/// is started, sent or cancelled in turn) comes out, decided by the schedule that live stores use too.
package struct SimulatedEffects {
  typealias Schedule = EffectSchedule<Leaf, CancelKey, JSON>

  /// An effect of the feature, or one that the library added, which has no name in the log.
  package enum Leaf: Hashable, Sendable {
    case own(EffectID)
    case added(Int)
  }

  struct CancelKey: Hashable, Sendable {
    let type: String
    let value: JSON
  }

  /// What a `send` effect carries.
  package struct Sent {
    var action: JSON
    /// Whether it was described before the replay began, so that the engine does not have it.
    var isFromCheckpoint = false
  }

  /// An effect that an action has cancelled.
  package struct Cancelled {
    let id: EffectID
    let action: Int

    func event(at: Int) -> LogEvent.Effect {
      LogEvent.Effect(id: id, event: .cancelled(by: .action(seq: action)), at: at)
    }
  }

  var schedule = Schedule()
  private var sends: [EffectID: Sent] = [:]
  /// Actions of the reducer that are due: first in, first out, over the whole wave.
  private var produced: [EffectID] = []
  private var producedStart = 0
  /// How many actions each effect that runs has sent.
  package var sent: [EffectID: Int] = [:]
  /// Effects whose operation has returned.
  package var completed: Set<EffectID> = []
  /// Effects that follow another one and whose start the log has yet to tell.
  package var awaitingStart: Set<EffectID> = []
  /// The last action before the replay began.
  private var start = 0
  /// The effects that actions have returned; `nil` when that is not asked for.
  private var started: Set<EffectID>?
  private var added = 0

  package init() {}
}

extension SimulatedEffects {
  /// All effects that run or wait.
  package var alive: [Leaf] { schedule.alive }

  /// Whether an effect of an action runs.
  package func isRunning(_ id: EffectID) -> Bool { schedule.isRunning(.own(id)) }

  /// Whether an effect of an action runs or waits.
  package func isAlive(_ id: EffectID) -> Bool { schedule.isAlive(.own(id)) }

  /// Takes the effects that are alive at a checkpoint.
  package mutating func load(_ checkpoint: LogEvent.Checkpoint) {
    start = checkpoint.seq
    for effect in checkpoint.effects {
      let action = effect.flattened.lazy.compactMap(\.id).first?.seq ?? checkpoint.seq
      // All of them are alive, so none cancelled another.
      for step in schedule.start(plan(effect, isFromCheckpoint: true), of: action) {
        // What a wave had sent and not yet handled.
        if case .send(.own(let id)) = step { produced.append(id) }
      }
      for leaf in effect.flattened where leaf.isCancelled {
        if let id = leaf.id { _ = schedule.cancel(.own(id)) }
      }
    }
  }

  /// Takes the effects that an action returned.
  ///
  /// - Parameters:
  ///   - effects: Their descriptions.
  ///   - seq: The action.
  ///   - areDescribed: Whether the engine has described them, and so has the actions that they send.
  /// - Returns: What they cancelled.
  package mutating func start(
    _ effects: [EffectDescription],
    of seq: Int,
    areDescribed: Bool = true
  ) -> [Cancelled] {
    guard !effects.isEmpty else { return [] }
    let plans = effects.map { plan($0, areDescribed: areDescribed) }
    return carryOut(schedule.start(.merge(plans), of: seq), isLater: false)
  }

  private mutating func plan(
    _ effect: EffectDescription,
    isFromCheckpoint: Bool = false,
    areDescribed: Bool = true
  ) -> Schedule.Plan {
    func parts(_ planner: inout Self) -> [Schedule.Plan] {
      effect.effects.map {
        planner.plan($0, isFromCheckpoint: isFromCheckpoint, areDescribed: areDescribed)
      }
    }
    let key = effect.cancelID.map { CancelKey(type: $0.type, value: $0.value) }
    let path = effect.cancelID?.path ?? []
    let inner: Schedule.Plan
    if let id = effect.id { started?.insert(id) }
    switch effect.operation {
    case .run:
      inner = .run(leaf(effect))
    case .send:
      guard let id = effect.id else { return .none }
      sends[id] = Sent(
        action: effect.action ?? .null,
        isFromCheckpoint: isFromCheckpoint || !areDescribed
      )
      inner = .send(.own(id))
    case .merge: inner = .merge(parts(&self))
    case .concatenate: inner = .concatenate(parts(&self))
    case .cancel:
      return key.map { .cancel($0, path: path) } ?? .none
    }
    guard let key else { return inner }
    let cancels = effect.cancelInFlight && !isFromCheckpoint
    return .cancellable(key, path: path, cancelInFlight: cancels, inner)
  }

  /// Keeps from now on which effects actions return.
  mutating func keepStarted() { started = [] }

  /// Whether an action has returned this effect, in the replay or before it began.
  func hasStarted(_ id: EffectID) -> Bool { isOlder(id) || started?.contains(id) != false }

  private mutating func leaf(_ effect: EffectDescription) -> Leaf {
    if let id = effect.id { return .own(id) }
    added += 1
    return .added(added)
  }

  mutating func carryOut(_ steps: [Schedule.Step], isLater: Bool) -> [Cancelled] {
    var cancelled: [Cancelled] = []
    for step in steps {
      switch step {
      case .run(.own(let id)): if isLater { awaitingStart.insert(id) }
      case .send(.own(let id)):
        produced.append(id)
        if isLater { awaitingStart.insert(id) }
      case .cancel(.own(let id), let action, _):
        guard let action else { break }
        cancelled.append(Cancelled(id: id, action: action))
      case .cancel(.added(let number), _, _):
        // The log does not tell when an effect of the library's own returns: it does so at once.
        cancelled += carryOut(schedule.finish(.added(number)), isLater: true)
      case .run(.added), .send(.added): break
      }
    }
    return cancelled
  }
}

extension SimulatedEffects {
  /// Whether an effect, alive or not, is one that sends an action at once.
  package func isSend(_ id: EffectID) -> Bool { sends[id] != nil }

  /// Takes what a `send` effect carries.
  package mutating func takeSent(by id: EffectID) -> Sent {
    sends.removeValue(forKey: id) ?? Sent(action: .null)
  }

  /// Whether an effect was alive before the replay began.
  func isOlder(_ id: EffectID) -> Bool { id.seq <= start }

  /// Whether an action of the reducer is due.
  var hasProduced: Bool { producedStart < produced.count }

  /// Takes the next action of the reducer that is due.
  ///
  /// - Returns: The effect that sends it.
  package mutating func nextProduced() -> EffectID? {
    if producedStart < produced.count {
      defer { producedStart += 1 }
      return produced[producedStart]
    }
    produced.removeAll(keepingCapacity: true)
    producedStart = 0
    return nil
  }
}

extension SimulatedEffects {
  /// Takes note of a recorded turn in the life of an effect that comes from outside the reducer.
  ///
  /// - Returns: What is cancelled in consequence, and what is odd about the event.
  package mutating func follow(
    _ effect: LogEvent.Effect,
    at seq: Int
  ) -> (cancelled: [Cancelled], finding: LogEvent.Finding?) {
    let id = effect.id
    func odd(_ problem: Wording.EffectInconsistency) -> LogEvent.Finding {
      LogEvent.Finding(
        seq: seq,
        code: .brokenLog,
        subject: id.description,
        message: Wording.describe(problem, id)
      )
    }
    // What sends an action at once never runs: its start is all that there is to tell.
    if case .started = effect.event, isSend(id) {
      return ([], awaitingStart.remove(id) == nil ? odd(.startedTwice) : nil)
    }
    guard schedule.isRunning(.own(id)) else { return ([], odd(.notRunning(effect.event))) }
    switch effect.event {
    case .started:
      return ([], awaitingStart.remove(id) == nil ? odd(.startedTwice) : nil)
    case .finished(let count):
      completed.insert(id)
      let counted = sent.removeValue(forKey: id) ?? 0
      let wasAwaited = awaitingStart.remove(id) != nil
      let cancelled = carryOut(schedule.finish(.own(id)), isLater: true)
      if wasAwaited { return (cancelled, odd(.notStarted)) }
      // Of an effect that was alive at the checkpoint the log does not hold what it sent before.
      guard counted == count || isOlder(id) else {
        return (cancelled, odd(.sent(recorded: count, counted: counted)))
      }
      return (cancelled, nil)
    case .failed:
      sent[id] = nil
      return (carryOut(schedule.finish(.own(id)), isLater: true), nil)
    case .cancelled(by: .action, _):
      return ([], nil)
    case .cancelled(_, let dropping):
      return (carryOut(schedule.cancel(.own(id), dropping: dropping), isLater: true), nil)
    }
  }

  /// Whether a recorded turn in the life of an effect can be one here: the effect runs, and what cancels it has run.
  func canFollow(_ effect: LogEvent.Effect) -> Bool {
    switch effect.event {
    case .started: return awaitingStart.contains(effect.id)
    case .cancelled(by: .effect(let cause), _):
      guard schedule.isRunning(.own(cause)) || completed.contains(cause) else { return false }
    case .finished, .failed, .cancelled: break
    }
    return schedule.isRunning(.own(effect.id))
  }

  /// What is odd about an event that stands between an action and its change.
  ///
  /// A reducer can cancel what runs by calling for it; but nothing starts and nothing returns while it has the thread.
  package static func finding(onTurn effect: LogEvent.Effect, within seq: Int) -> LogEvent.Finding?
  {
    if case .cancelled = effect.event { return nil }
    return LogEvent.Finding(
      seq: seq,
      code: .brokenLog,
      subject: effect.id.description,
      message: Wording.describe(.within(effect.event, seq), effect.id)
    )
  }

  /// What is odd about an action from outside the reducer.
  package mutating func findings(
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
    // What the library sends for an effect may come when that has ended.
    case .effect(let id, .some) where id.seq < seq: return []
    // An operation may leave its `send` to somebody who uses it when it has returned, which stores put up with. How many
    // actions it had sent by then is in the log, so one that has only moved behind its end shows there.
    case .effect(let id, nil) where completed.contains(id): return []
    case .effect(let id, _):
      guard schedule.isAlive(.own(id)), !awaitingStart.contains(id) else {
        return [
          LogEvent.Finding(
            seq: seq,
            code: .deadEffect,
            subject: Wording.name(id),
            message: Wording.deadEffect(id, state(of: id))
          )
        ]
      }
      sent[id, default: 0] += 1
      return []
    }
  }

  /// What has become of an effect that is not alive.
  func state(of id: EffectID) -> Wording.DeadEffectReason {
    if awaitingStart.contains(id) { return .notStarted }
    if schedule.isRunning(.own(id)) { return .cancelled }
    return .notRunning
  }
}
