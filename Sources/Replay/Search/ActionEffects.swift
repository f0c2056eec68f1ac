import ActionLog

/// The effects that one action has returned, at some point of a search.
///
/// A search tracks them separately: effects of other actions change them only where they cancel them. So few of their states
/// differ, however many orders there are, and what steps make of each is remembered with it.
final class ActionEffects {
  /// A step in their life.
  enum Step: Hashable {
    case turn(EffectID, LogEvent.Effect.Event)
    /// The first action of theirs that waits is handed over.
    case send
    case cancellations([LoggedEffects.Cancellation])
  }

  /// What a step has made of them.
  enum Next {
    /// Nothing has changed. (A state that its own steps kept alive would never be freed.)
    case same
    case changed(ActionEffects)
    /// Nothing of them is left.
    case gone
  }

  /// What came of a step.
  struct Outcome {
    let next: Next
    /// What comes of it for others, in this order.
    let consequences: [SimulatedEffects.Consequence]
    /// The `send` effects whose actions never come.
    let dropped: [EffectID]
    /// The action that is handed over.
    let sending: EffectsWalk.Sending?
  }

  fileprivate let effects: SimulatedEffects
  /// Stands for all that later steps depend on, but not for the order in which effects began.
  let digest: Digest
  /// Stands for the effects that run or wait.
  let standing: Digest
  /// The status of each effect that has a name, by its index.
  private let statuses: [(index: Int, status: EffectStatus)]
  private let cancellationMarks: UInt64
  /// Whether they are remembered, so that many states have them.
  fileprivate(set) var isRemembered = false
  private var outcomes: [Step: Outcome] = [:]

  init(_ effects: SimulatedEffects) {
    self.effects = effects
    digest = effects.digest
    let waiting = effects.waiting
    standing = effects.standing(waiting)
    statuses = effects.statuses(waiting)
    cancellationMarks = effects.cancellationMarks
  }

  /// How many bytes they take, about.
  private var size: Int { 1024 + effects.count * 512 }

  /// How many bytes they take beside what is remembered anyway, about.
  var ownSize: Int { isRemembered ? 0 : size }
}

extension ActionEffects {
  /// Effects that an action has returned.
  ///
  /// - Parameters:
  ///   - started: The effects.
  ///   - seq: The action.
  ///   - latecomers: The effects that may send actions after their operations have returned; `nil` for all.
  ///   - memory: Where states of effects are remembered.
  /// - Returns: The effects, and what came of their start.
  static func start(
    _ started: StartedEffects,
    of seq: Int,
    latecomers: Set<EffectID>?,
    _ memory: Memory
  ) -> Outcome {
    var effects = SimulatedEffects(areOfOneAction: true, latecomers: latecomers)
    _ = effects.start(started.descriptions, of: seq)
    return outcome(of: effects, nil, memory)
  }

  /// What comes of a step.
  func after(_ step: Step, _ memory: Memory) -> Outcome {
    if case .cancellations(let cancellations) = step,
      cancellations.allSatisfy({ $0.mark & cancellationMarks == 0 })
    {
      return Outcome(next: .same, consequences: [], dropped: [], sending: nil)
    }
    if let known = outcomes[step] { return known }
    var effects = effects
    var sending: EffectsWalk.Sending?
    switch step {
    case .turn(let id, let event):
      _ = effects.follow(LogEvent.Effect(id: id, event: event, at: 0), at: id.seq)
    case .send:
      sending = effects.nextProduced()
        .map { EffectsWalk.Sending(id: $0, sent: effects.takeSent(by: $0)) }
    case .cancellations(let cancellations): effects.cancel(cancellations)
    }
    let outcome = Self.outcome(of: effects, sending, memory, after: self)
    if memory.take(256) { outcomes[step] = outcome }
    return outcome
  }

  private static func outcome(
    of effects: SimulatedEffects,
    _ sending: EffectsWalk.Sending?,
    _ memory: Memory,
    after before: ActionEffects? = nil
  ) -> Outcome {
    var effects = effects
    let dropped = effects.takeDropped()
    let consequences = effects.takeConsequences()
    var next = Next.gone
    if !effects.isSpent {
      let after = ActionEffects(effects)
      next = after.digest == before?.digest ? .same : .changed(memory.same(as: after))
    }
    return Outcome(next: next, consequences: consequences, dropped: dropped, sending: sending)
  }

  /// The states of effects of single actions that are remembered.
  final class Memory {
    private var states: [Digest: ActionEffects] = [:]
    /// Bytes.
    private var room: Int

    /// Remembers nothing yet.
    ///
    /// - Parameter room: How many bytes may be used, about.
    init(room: Int) { self.room = room }

    /// Notes that some bytes are used, if there is room.
    ///
    /// - Returns: Whether there is.
    func take(_ bytes: Int) -> Bool {
      guard room > 0 else { return false }
      room -= bytes
      return true
    }

    /// The state that is remembered and is the same; the state itself where there is none.
    fileprivate func same(as state: ActionEffects) -> ActionEffects {
      if let known = states[state.digest] { return known }
      if take(state.size) {
        state.isRemembered = true
        states[state.digest] = state
      }
      return state
    }
  }
}

extension ActionEffects {
  /// The status of an effect.
  func status(of id: EffectID) -> EffectStatus {
    for (index, status) in statuses where index == id.index { return status }
    return []
  }

  /// Effects that follow another one and whose start has not come in the log.
  var awaitingStart: Set<EffectID> { effects.awaitingStart }

  /// Whether an effect, alive or not, is one that sends an action at once.
  func isSend(_ id: EffectID) -> Bool { effects.isSend(id) }

  /// Whether the action of an effect is among those that wait.
  func hasProduced(_ id: EffectID) -> Bool { effects.hasProduced(id) }

  /// The findings about the origin of an action from outside the reducer.
  func findings(onArrivalFrom origin: LogEvent.Origin, as seq: Int) -> [LogEvent.Finding] {
    effects.findings(onArrivalFrom: origin, as: seq)
  }
}

/// What is known of an effect that does not run.
package struct EffectStatus: OptionSet, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// It has begun and not returned, cancelled or not.
  package static let isRunning = EffectStatus(rawValue: 1)
  /// It runs, and was not cancelled.
  package static let isAlive = EffectStatus(rawValue: 2)
  /// It has not begun because effects before it have not ended.
  package static let isWaiting = EffectStatus(rawValue: 4)
  /// It follows another one, and its start has not come in the log.
  package static let isAwaitingStart = EffectStatus(rawValue: 8)
  /// It has returned, and that matters.
  package static let hasCompleted = EffectStatus(rawValue: 16)
}

extension SimulatedEffects {
  /// Stands for all that later steps depend on, but not for the order in which effects began.
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

  /// Stands for the effects that run or wait.
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

  /// The status of each effect that has a name, by its index, which a log may choose as it likes.
  fileprivate func statuses(
    _ waiting: [EffectID]
  ) -> [(index: Int, status: EffectStatus)] {
    var statuses: [Int: EffectStatus] = [:]
    func note(_ status: EffectStatus, _ id: EffectID) {
      statuses[id.index, default: []].insert(status)
    }
    forEachRunning { leaf, isCancelled in
      guard case .own(let id) = leaf else { return }
      note(isCancelled ? .isRunning : [.isRunning, .isAlive], id)
    }
    for id in waiting { note(.isWaiting, id) }
    for id in awaitingStart { note(.isAwaitingStart, id) }
    for id in completed { note(.hasCompleted, id) }
    return statuses.map { ($0, $1) }
  }
}
