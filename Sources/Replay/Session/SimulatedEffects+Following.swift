import ActionLog

extension SimulatedEffects {
  /// Takes note of a recorded turn in the life of an effect that comes from outside the reducer.
  ///
  /// - Returns: What is cancelled in consequence, and what is odd about the event.
  package mutating func follow(
    _ effect: LogEvent.Effect,
    at seq: Int
  ) -> (cancelled: [Cancelled], finding: LogEvent.Finding?) {
    let id = effect.id
    func odd(_ problem: Wording.OddEffect) -> LogEvent.Finding {
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
  func state(of id: EffectID) -> Wording.DeadEffect {
    if awaitingStart.contains(id) { return .notStarted }
    if schedule.isRunning(.own(id)) { return .cancelled }
    return .notRunning
  }
}
