import ActionLog

/// The effects that a step has started.
package final class StartedEffects {
  /// Their descriptions; not empty.
  package let descriptions: [EffectDescription]
  /// The names of all effects among them that have one in the log.
  package let ids: [EffectID]
  /// Stands for the descriptions.
  fileprivate private(set) lazy var digest = Digest(
    descriptions.lazy.map { JSONText(encoded: LogEncoder(writing: $0).take()) }
  )
  /// What their start by an action led to, the last time; `nil` where that is not remembered.
  fileprivate var start: (seq: Int, outcome: ActionEffects.Outcome)?

  /// - Returns: `nil` for no effects.
  init?(_ descriptions: [EffectDescription]) {
    guard !descriptions.isEmpty else { return nil }
    self.descriptions = descriptions
    ids = descriptions.flatMap(\.flattened).compactMap(\.id)
  }
}

/// The effects of a feature at some point of a search, action by action.
package final class EffectsState {
  /// The effects of an action.
  fileprivate struct Slot {
    let seq: Int
    let effects: ActionEffects
  }

  /// In the order of the actions' numbers.
  fileprivate let slots: [Slot]
  /// The actions whose effects have sent an action that waits: first in, first out.
  fileprivate let queue: [Int]
  private let sums: Sums
  /// Whether it is remembered, so that many places have it.
  fileprivate(set) var isRemembered = false

  /// What is added up over the effects of all actions.
  fileprivate struct Sums {
    var digest = Digest()
    var standing = Digest()
    /// How many actions have effects that have not begun.
    var waiting = 0

    mutating func add(_ effects: ActionEffects) {
      digest.add(effects.digest)
      standing.add(effects.standing)
      waiting += effects.hasWaiting ? 1 : 0
    }

    mutating func remove(_ effects: ActionEffects) {
      digest.remove(effects.digest)
      standing.remove(effects.standing)
      waiting -= effects.hasWaiting ? 1 : 0
    }

    /// Stands for all that later steps depend on.
    func digest(_ queue: [Int]) -> Digest {
      guard !queue.isEmpty else { return digest }
      var result = digest
      for (place, seq) in queue.enumerated() { result.add(Digest((place, seq, 8))) }
      return result
    }
  }

  fileprivate init(_ slots: [Slot], _ queue: [Int], _ sums: Sums) {
    self.slots = slots
    self.queue = queue
    self.sums = sums
  }

  /// How many bytes it takes, about.
  fileprivate var size: Int { 128 + (slots.count + queue.count) * 16 }

  /// How many bytes it takes beside what is remembered anyway, about.
  package var ownSize: Int { isRemembered ? 0 : size }
}

extension EffectsState {
  /// Stands for all that later steps depend on, but not for the order in which effects began.
  package var digest: Digest { sums.digest(queue) }

  /// Stands for the effects that run or wait.
  package var standing: Digest { sums.standing }

  /// Whether an effect has not begun because effects before it have not ended.
  package func isWaiting(_ id: EffectID) -> Bool {
    sums.waiting > 0 && status(of: id).contains(.isWaiting)
  }

  /// Whether an effect of an action runs.
  package func isRunning(_ id: EffectID) -> Bool { status(of: id).contains(.isRunning) }

  /// Whether an effect of an action runs, and was not cancelled.
  package func isAlive(_ id: EffectID) -> Bool { status(of: id).contains(.isAlive) }

  /// Whether an effect has returned of which that matters.
  package func hasCompleted(_ id: EffectID) -> Bool { status(of: id).contains(.hasCompleted) }

  /// Whether an effect follows another one, and its start has not come in the log.
  package func isAwaitingStart(_ id: EffectID) -> Bool {
    status(of: id).contains(.isAwaitingStart)
  }

  private func status(of id: EffectID) -> ActionEffects.Status {
    effects(of: id.seq)?.status(of: id) ?? []
  }

  /// The effects that follow another one and whose start has not come in the log, in their order.
  package var awaitingStart: [EffectID] {
    slots.flatMap { $0.effects.awaitingStart.sorted { $0.index < $1.index } }
  }

  /// Whether an effect, alive or not, is one that sends an action at once.
  func isSend(_ id: EffectID) -> Bool { effects(of: id.seq)?.isSend(id) ?? false }

  /// Whether the action of an effect is among those that wait.
  func hasProduced(_ id: EffectID) -> Bool { effects(of: id.seq)?.hasProduced(id) ?? false }

  /// The findings about the origin of an action from outside the reducer.
  func findings(onArrivalFrom origin: LogEvent.Origin, as seq: Int) -> [LogEvent.Finding] {
    if case .effect(let id, _) = origin, let effects = effects(of: id.seq) {
      return effects.findings(onArrivalFrom: origin, as: seq)
    }
    return SimulatedEffects().findings(onArrivalFrom: origin, as: seq)
  }

  /// The effects of an action.
  fileprivate func effects(of seq: Int) -> ActionEffects? {
    let index = place(of: seq)
    guard index < slots.count, slots[index].seq == seq else { return nil }
    return slots[index].effects
  }

  /// Where the effects of an action stand, or would stand.
  private func place(of seq: Int) -> Int {
    var (low, high) = (0, slots.count)
    while low < high {
      let middle = (low + high) / 2
      if slots[middle].seq < seq { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension EffectsState {
  /// What a step makes of a state.
  fileprivate struct Change {
    private let before: EffectsState
    private var sums: Sums
    private var queue: [Int]
    /// The actions whose effects have changed, in no order.
    private var changed: [(seq: Int, effects: ActionEffects?)] = []
    /// The `send` effects whose actions never come.
    private(set) var dropped: [EffectID] = []
    private let memory: ActionEffects.Memory

    init(_ before: EffectsState, _ memory: ActionEffects.Memory) {
      self.before = before
      self.memory = memory
      sums = before.sums
      queue = before.queue
    }

    /// Takes the first in the queue of actions that the reducer has sent.
    mutating func takeFirst() -> Int? { queue.isEmpty ? nil : queue.removeFirst() }

    /// The effects of an action as they are now.
    private func effects(of seq: Int) -> ActionEffects? {
      if let change = changed.first(where: { $0.seq == seq }) { return change.effects }
      return before.effects(of: seq)
    }

    /// Has the effects of an action become what a step has made of them, and those of others what comes of that.
    mutating func carryOut(_ outcome: ActionEffects.Outcome, of seq: Int) {
      put(outcome.effects, of: seq)
      dropped += outcome.dropped
      for consequence in outcome.consequences {
        switch consequence {
        case .sends: queue.append(seq)
        case .cancels(let cancellations):
          // What this ends in turn are effects of the library's own, and after these come actions, not cancellations.
          for slot in before.slots where slot.seq != seq {
            guard let effects = effects(of: slot.seq) else { continue }
            let outcome = effects.after(.cancellations(cancellations), memory)
            if outcome.effects !== effects { carryOut(outcome, of: slot.seq) }
          }
        }
      }
    }

    private mutating func put(_ effects: ActionEffects?, of seq: Int) {
      if let old = self.effects(of: seq) { sums.remove(old) }
      if let effects { sums.add(effects) }
      if let index = changed.firstIndex(where: { $0.seq == seq }) {
        changed[index].effects = effects
      } else {
        changed.append((seq, effects))
      }
    }

    /// Stands for all that steps after this one depend on.
    var digest: Digest { sums.digest(queue) }

    /// The state after it.
    func made() -> EffectsState {
      var slots = before.slots
      for (seq, effects) in changed {
        var index = slots.count
        while index > 0, slots[index - 1].seq >= seq { index -= 1 }
        let isThere = index < slots.count && slots[index].seq == seq
        switch effects.map({ Slot(seq: seq, effects: $0) }) {
        case let slot? where isThere: slots[index] = slot
        case let slot?: slots.insert(slot, at: index)
        case nil: if isThere { slots.remove(at: index) }
        }
      }
      return EffectsState(slots, queue, sums)
    }
  }
}

/// The effects of a feature, which go from state to state as a search asks for it.
///
/// They depend on the actions only through the effects that these return, so there are far fewer of their states than orders.
struct EffectsWalk {
  private struct Start: Hashable {
    let effects: Digest
    let seq: Int
  }

  /// An action that the reducer sends itself.
  struct Sending {
    let id: EffectID
    let sent: SimulatedEffects.Sent
  }

  private(set) var here: EffectsState
  private let latecomers: Set<EffectID>?
  private let memory: ActionEffects.Memory
  private var starts: [Start: ActionEffects.Outcome] = [:]
  private var states: [Digest: EffectsState] = [:]

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
    var sums = EffectsState.Sums()
    let slots = alive.sorted { $0.key < $1.key }
      .map { EffectsState.Slot(seq: $0.key, effects: ActionEffects($0.value)) }
    for slot in slots { sums.add(slot.effects) }
    here = EffectsState(slots, queue, sums)
  }

  /// Goes to a state of before.
  mutating func go(to state: EffectsState) { here = state }

  /// Starts the effects that an action has returned.
  ///
  /// - Returns: The `send` effects whose actions never come.
  mutating func start(_ started: StartedEffects, of seq: Int) -> [EffectID] {
    // An action that was reduced once, in whatever order, has the same effects.
    if let start = started.start, start.seq == seq {
      return step { $0.carryOut(start.outcome, of: seq) }
    }
    let name = memory.hasRoom ? Start(effects: started.digest, seq: seq) : nil
    let known = name.flatMap { starts[$0] }
    let outcome = known ?? ActionEffects.start(started, of: seq, latecomers: latecomers, memory)
    if let name, known != nil || memory.take(256) {
      starts[name] = outcome
      started.start = (seq, outcome)
    }
    return step { $0.carryOut(outcome, of: seq) }
  }

  /// An effect takes its turn.
  ///
  /// - Returns: The `send` effects whose actions never come.
  mutating func follow(_ turn: LogEvent.Effect) -> [EffectID] {
    guard let effects = here.effects(of: turn.id.seq) else { return [] }
    let outcome = effects.after(.turn(turn.id, turn.event), memory)
    return step { $0.carryOut(outcome, of: turn.id.seq) }
  }

  /// Takes the next action that the reducer has sent itself.
  mutating func send() -> Sending? {
    guard let seq = here.queue.first, let effects = here.effects(of: seq) else { return nil }
    let outcome = effects.after(.send, memory)
    _ = step { change in
      _ = change.takeFirst()
      change.carryOut(outcome, of: seq)
    }
    return outcome.sending
  }

  private mutating func step(_ body: (inout EffectsState.Change) -> Void) -> [EffectID] {
    var change = EffectsState.Change(here, memory)
    body(&change)
    // Most steps lead to where others have led.
    if memory.hasRoom || !states.isEmpty, let known = states[change.digest] {
      here = known
    } else {
      here = change.made()
      if memory.take(here.size) {
        here.isRemembered = true
        states[change.digest] = here
      }
    }
    return change.dropped
  }
}
