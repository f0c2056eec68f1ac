import ActionLog

/// The effects that one action has returned, at some point of a search.
///
/// A search tracks them separately: effects of other actions change them only where they cancel them. So few of their states
/// differ, however many orders there are, and what steps make of each is remembered with it.
final class ActionEffects {
  /// What a step has made of them.
  enum Next {
    /// Nothing has changed. (A state that its own steps kept alive would never be freed.)
    case same
    case changed(ActionEffects)
    /// Nothing of them is left.
    case gone
  }

  /// What comes of a step for others, with the cancellations of `SimulatedEffects` named by their places.
  enum Consequence: Hashable {
    /// An action of theirs joins the queue of those that the reducer has sent, because of which of the cancellations of the step.
    case sends(cancellation: Int)
    /// Effects of other actions are cancelled, by which of the outcome's cancellations.
    case cancels(cancellation: Int)
  }

  /// Cancellations of one step: the same object for equal ones, as long as states are remembered.
  final class Cancellations {
    let all: [LoggedEffects.Cancellation]
    /// The marks of their ids: effects without any of them are not cancelled.
    let marks: UInt64

    fileprivate init(_ all: [LoggedEffects.Cancellation]) {
      self.all = all
      marks = all.reduce(0) { $0 | $1.mark }
    }
  }

  /// What came of a step.
  final class TransitionResult {
    let next: Next
    /// How effects of other actions are cancelled; `nil` where none are.
    let cancellations: Cancellations?
    /// What comes of it for others, in this order.
    let consequences: [Consequence]
    /// The `send` effects whose actions never come.
    let dropped: [EffectID]
    /// The action that is handed over.
    let sending: EffectsWalk.Sending?

    fileprivate init(
      _ next: Next,
      _ cancellations: Cancellations?,
      _ consequences: [Consequence],
      dropped: [EffectID],
      _ sending: EffectsWalk.Sending?
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

    // There are few with the same number.
    func hash(into hasher: inout Hasher) { hasher.combine(id.index) }
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
  /// What came of steps that were made.
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
  ) -> TransitionResult {
    var effects = SimulatedEffects(areOfOneAction: true, latecomers: latecomers)
    _ = effects.start(started.descriptions, of: seq)
    return memory.same(as: outcome(of: &effects, memory), ofStartBy: seq)
  }

  /// What comes of a turn of one of the effects.
  func after(_ turn: LogEvent.Effect, _ memory: Memory) -> TransitionResult {
    let name = EffectEventKey(id: turn.id, event: turn.event)
    if let known = turns[name] { return known }
    var effects = effects
    _ = effects.apply(turn, at: turn.id.seq)
    let outcome = Self.outcome(of: &effects, memory, after: self)
    if memory.reserve(256) { turns[name] = outcome }
    return outcome
  }

  /// What comes of it that the first action of theirs that waits is handed over.
  func afterSend(_ memory: Memory) -> TransitionResult {
    if let sending { return sending }
    var effects = effects
    let sent = effects.nextProduced()
      .map { EffectsWalk.Sending(id: $0, sent: effects.takeSent(by: $0)) }
    let outcome = Self.outcome(of: &effects, memory, after: self, sent)
    if memory.reserve(256) { sending = outcome }
    return outcome
  }

  /// What comes of cancellations by another action.
  ///
  /// - Returns: `nil` where they do nothing, as far as marks tell.
  func after(_ cancellations: Cancellations, _ memory: Memory) -> TransitionResult? {
    guard cancellations.marks & cancellationMarks != 0 else { return nil }
    let name = ObjectIdentifier(cancellations)
    if let known = cancelled[name] { return known }
    var effects = effects
    effects.cancel(cancellations.all)
    let outcome = Self.outcome(of: &effects, memory, after: self)
    // As long as there is room, the memory has kept the cancellations, too.
    if memory.reserve(256) { cancelled[name] = outcome }
    return outcome
  }

  private static func outcome(
    of effects: inout SimulatedEffects,
    _ memory: Memory,
    after before: ActionEffects? = nil,
    _ sending: EffectsWalk.Sending? = nil
  ) -> TransitionResult {
    let dropped = effects.takeDropped()
    var cancellations: [LoggedEffects.Cancellation] = []
    let consequences = effects.takeConsequences().map { consequence -> Consequence in
      switch consequence {
      case .sends(let cancellation): return .sends(cancellation: cancellation)
      case .cancels(let cancellation):
        cancellations.append(cancellation)
        return .cancels(cancellation: cancellations.count - 1)
      }
    }
    var next = Next.gone
    if !effects.isSpent {
      let after = ActionEffects(effects)
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

  /// The states of effects of single actions that are remembered.
  final class Memory {
    /// What tells the starts of effects from each other.
    private struct StartKey: Hashable {
      let seq: Int
      /// The effects; `nil` where nothing of them is left.
      let effects: Digest?
      let cancellations: ObjectIdentifier?
      let consequences: [Consequence]
      let dropped: [EffectID]
    }

    private var states: [Digest: ActionEffects] = [:]
    private var starts: [StartKey: TransitionResult] = [:]
    private var cancellations: [[LoggedEffects.Cancellation]: Cancellations] = [:]
    /// Bytes.
    private var room: Int

    /// Remembers nothing yet.
    ///
    /// - Parameter room: How many bytes may be used, about.
    init(room: Int) { self.room = room }

    /// Notes that some bytes are used, if there is room.
    ///
    /// - Returns: Whether there is.
    func reserve(_ bytes: Int) -> Bool {
      guard room > 0 else { return false }
      room -= bytes
      return true
    }

    /// The state that is remembered and is the same; the state itself where there is none.
    fileprivate func same(as state: ActionEffects) -> ActionEffects {
      if let known = states[state.digest] { return known }
      if reserve(state.size) {
        state.isRemembered = true
        states[state.digest] = state
      }
      return state
    }

    /// The object for these cancellations.
    fileprivate func same(as all: [LoggedEffects.Cancellation]) -> Cancellations {
      if let known = cancellations[all] { return known }
      let new = Cancellations(all)
      if reserve(256) { cancellations[all] = new }
      return new
    }

    /// The outcome that is remembered of the same start; the outcome itself where there is none.
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
