import ActionLog

/// The effects that a step has started.
package final class StartedEffects {
  /// Their descriptions; not empty.
  package let descriptions: [EffectDescription]
  /// The names of all effects among them that have one in the log.
  package let ids: [EffectID]
  /// Stands for the descriptions.
  private(set) lazy var digest = Digest(
    descriptions.lazy.map { JSONText(encoded: LogEncoder(writing: $0).take()) }
  )

  /// - Returns: `nil` for no effects.
  init?(_ descriptions: [EffectDescription]) {
    guard !descriptions.isEmpty else { return nil }
    self.descriptions = descriptions
    ids = descriptions.flatMap(\.flattened).compactMap(\.id)
  }
}

/// The effects of a feature at some point of a search.
package final class EffectsState: SearchState {
  fileprivate private(set) var effects: SimulatedEffects
  /// Stands for all that later steps depend on, but not for the order in which effects began.
  package private(set) lazy var digest = effects.digest
  /// The effects that have not begun because effects before them have not ended.
  package private(set) lazy var waiting = effects.waiting
  /// Stands for the effects that run or wait.
  package private(set) lazy var standing = effects.standing
  var number: Int?

  fileprivate init(_ effects: SimulatedEffects) { self.effects = effects }

  /// Whether an effect of an action runs.
  package func isRunning(_ id: EffectID) -> Bool { effects.isRunning(id) }

  /// Whether an effect of an action runs, and was not cancelled.
  package func isAlive(_ id: EffectID) -> Bool { effects.isAlive(id) }

  /// Whether an effect has returned of which that matters.
  package func hasCompleted(_ id: EffectID) -> Bool { effects.completed.contains(id) }

  /// Effects that follow another one and whose start has not come in the log.
  package var awaitingStart: Set<EffectID> { effects.awaitingStart }

  /// Whether an effect, alive or not, is one that sends an action at once.
  func isSend(_ id: EffectID) -> Bool { effects.isSend(id) }

  /// Whether the action of an effect is among those that wait.
  func hasProduced(_ id: EffectID) -> Bool { effects.hasProduced(id) }

  /// The findings about the origin of an action from outside the reducer.
  func findings(onArrivalFrom origin: LogEvent.Origin, as seq: Int) -> [LogEvent.Finding] {
    effects.findings(onArrivalFrom: origin, as: seq)
  }

  fileprivate var hasProduced: Bool { effects.hasProduced }

  /// Gives the effects away.
  fileprivate func take() -> SimulatedEffects {
    var effects = SimulatedEffects()
    swap(&effects, &self.effects)
    return effects
  }

  var size: Int { 1024 + effects.count * 512 }

  /// How many bytes it takes beside what is remembered anyway, about.
  package var ownSize: Int { number == nil ? size : 0 }
}

/// The effects of a feature, which go from state to state as a search asks for it, and make no step twice in the same state.
///
/// They depend on the actions only through the effects that these return, so there are far fewer of their states than orders.
struct EffectsWalk {
  private enum Name: Hashable {
    case start(Digest, of: Int)
    case turn(EffectID, LogEvent.Effect.Event)
    case send
  }

  /// What came of a step.
  private struct Made {
    var sending: Sending?
    /// The `send` effects whose actions never come.
    var dropped: [EffectID] = []
  }

  /// An action that the reducer sends itself.
  struct Sending {
    let id: EffectID
    let sent: SimulatedEffects.Sent
  }

  private(set) var here: EffectsState
  private var memory: StepMemory<EffectsState, Name, Made>
  private let isRemembering: Bool

  /// - Parameters:
  ///   - effects: The effects at the start.
  ///   - memory: How many bytes may be used to remember steps, about.
  init(_ effects: SimulatedEffects, memory: Int) {
    here = EffectsState(effects)
    self.memory = StepMemory(room: memory)
    isRemembering = memory > 0
    if isRemembering { self.memory.add(here) }
  }

  /// Goes to a state of before.
  mutating func go(to state: EffectsState) { here = state }

  /// Starts the effects that an action has returned.
  ///
  /// - Returns: The `send` effects whose actions never come.
  mutating func start(_ started: StartedEffects, of seq: Int) -> [EffectID] {
    step(.start(started.digest, of: seq)) { effects in
      _ = effects.start(started.descriptions, of: seq)
      return Made(dropped: effects.takeDropped())
    }
    .dropped
  }

  /// An effect takes its turn.
  ///
  /// - Returns: The `send` effects whose actions never come.
  mutating func follow(_ turn: LogEvent.Effect, at seq: Int) -> [EffectID] {
    step(.turn(turn.id, turn.event)) { effects in
      _ = effects.follow(turn, at: seq)
      return Made(dropped: effects.takeDropped())
    }
    .dropped
  }

  /// Takes the next action that the reducer has sent itself.
  mutating func send() -> Sending? {
    guard here.hasProduced else { return nil }
    return step(.send) { effects in
      guard let id = effects.nextProduced() else { return Made() }
      return Made(sending: Sending(id: id, sent: effects.takeSent(by: id)))
    }
    .sending
  }

  private mutating func step(
    _ name: @autoclosure () -> Name,
    _ body: (inout SimulatedEffects) -> Made
  ) -> Made {
    let name = isRemembering ? name() : nil
    if let name, let known = memory.result(of: name, in: here) {
      here = known.state
      return known.outcome
    }
    // A state that no snapshot shares gives its effects away instead of a copy.
    let isOwn = here.number == nil && isKnownUniquelyReferenced(&here)
    let before = isOwn ? nil : here
    var effects = before?.effects ?? here.take()
    let made = body(&effects)
    here = EffectsState(effects)
    note()
    if let name, let before { memory.remember(name, in: before, made, here) }
    return made
  }

  /// Remembers the state of now, or takes the one that is the same.
  private mutating func note() {
    guard isRemembering else { return }
    if let same = memory.states(like: here).first {
      here = same
    } else if memory.hasRoom {
      memory.add(here)
    }
  }
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
  fileprivate var standing: Digest {
    var digest = Digest()
    forEachRunning { leaf, isCancelled in
      switch leaf {
      case .own(let id): digest.add(Digest((id.seq, id.index, isCancelled ? 1 : 0)))
      case .added: digest.add(Digest((0, 0, isCancelled ? 3 : 2)))
      }
    }
    for id in waiting { digest.add(Digest((id.seq, id.index, 4))) }
    return digest.mixed
  }
}
