import ActionLog

/// The effects of a feature at some point of a search, action by action.
package final class EffectsState {
  /// The effects of an action.
  private struct Slot {
    let seq: Int
    let effects: ActionEffects
  }

  /// In the order of the actions' numbers.
  private let slots: [Slot]
  /// The actions whose effects have sent an action that waits: first in, first out.
  private let queue: [Int]
  private let sums: Sums
  /// Its number among the states that are remembered; `nil` for one that is not.
  var number: Int?
  /// What came of steps that were made here.
  var steps: [EffectsWalk.TransitionKey: EffectsWalk.Reached] = [:]

  /// What is added up over the effects of all actions.
  private struct Sums {
    var digest = Digest()
    var standing = Digest()

    mutating func add(_ effects: ActionEffects) {
      digest.add(effects.digest)
      standing.add(effects.standing)
    }

    mutating func remove(_ effects: ActionEffects) {
      digest.remove(effects.digest)
      standing.remove(effects.standing)
    }

    /// Stands for all that later steps depend on.
    func digest(_ queue: [Int]) -> Digest {
      guard !queue.isEmpty else { return digest }
      var result = digest
      for (place, seq) in queue.enumerated() { result.add(Digest((place, seq, 8))) }
      return result
    }
  }

  private init(_ slots: [Slot], _ queue: [Int], _ sums: Sums) {
    self.slots = slots
    self.queue = queue
    self.sums = sums
  }

  /// A state at the start of a search.
  ///
  /// - Parameters:
  ///   - effects: The effects of each action that has some.
  ///   - queue: The actions whose effects have sent an action that waits.
  init(_ effects: [Int: ActionEffects], queue: [Int]) {
    slots = effects.sorted { $0.key < $1.key }.map { Slot(seq: $0.key, effects: $0.value) }
    self.queue = queue
    sums = slots.reduce(into: Sums()) { $0.add($1.effects) }
  }

  /// How many bytes it takes, about.
  var size: Int {
    slots.reduce(128 + queue.count * 8) { $0 + 16 + $1.effects.ownSize }
  }

  /// How many bytes it takes beside what is remembered anyway, about.
  package var ownSize: Int { number == nil ? size : 0 }
}

extension EffectsState {
  /// Stands for all that later steps depend on, but not for the order in which effects began.
  package var digest: Digest { sums.digest(queue) }

  /// Stands for the effects that run or wait.
  package var standing: Digest { sums.standing }

  /// Whether an effect has not begun because effects before it have not ended.
  package func isWaiting(_ id: EffectID) -> Bool { status(of: id).contains(.isWaiting) }

  /// Whether an effect of an action runs.
  package func isRunning(_ id: EffectID) -> Bool { status(of: id).contains(.isRunning) }

  /// Whether an effect of an action runs, and was not cancelled.
  package func isAlive(_ id: EffectID) -> Bool { status(of: id).contains(.isAlive) }

  /// Whether an effect follows another one, and its start has not come in the log.
  package func isAwaitingStart(_ id: EffectID) -> Bool {
    status(of: id).contains(.isAwaitingStart)
  }

  /// The status of an effect.
  package func status(of id: EffectID) -> EffectStatus { effects(of: id.seq)?.status(of: id) ?? [] }

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
  func effects(of seq: Int) -> ActionEffects? {
    let index = slotIndex(of: seq)
    guard index < slots.count, slots[index].seq == seq else { return nil }
    return slots[index].effects
  }

  /// Where the effects of an action stand, or would stand.
  private func slotIndex(of seq: Int) -> Int { slots.partitioningIndex { $0.seq >= seq } }
}

extension EffectsState {
  /// What a step makes of a state.
  struct EffectsTransition {
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

    /// Takes the first action from the queue.
    mutating func takeFirst() { if !queue.isEmpty { queue.removeFirst() } }

    /// The effects of an action as they are now.
    private func effects(of seq: Int) -> ActionEffects? {
      if let change = changed.first(where: { $0.seq == seq }) { return change.effects }
      return before.effects(of: seq)
    }

    /// Has the effects of an action become what a step has made of them, and those of others what comes of that.
    ///
    /// Of effects that one cancellation ends, those of the action with the lower number come first; in a replay those that began first.
    mutating func carryOut(_ outcome: ActionEffects.TransitionResult, of seq: Int) {
      apply(outcome, of: seq)
      let sent = outcome.cancellations.map { cancel($0, by: seq) } ?? []
      // The actions that are sent join the queue in the order of the step.
      for consequence in outcome.consequences {
        switch consequence {
        case .sends: queue.append(seq)
        case .cancels(let cancellation): join(sent, because: cancellation)
        }
      }
    }

    /// Cancels effects of other actions.
    ///
    /// - Returns: The actions whose effects have sent one because of it, each with the cancellation.
    private mutating func cancel(
      _ cancellations: ActionEffects.Cancellations,
      by seq: Int
    ) -> [(cancellation: Int, seq: Int)] {
      var sent: [(cancellation: Int, seq: Int)] = []
      for slot in before.slots where slot.seq != seq {
        cancel(cancellations, of: slot.seq, slot.effects, &sent)
      }
      // What follows from a cancellation reaches the effects that are starting, too.
      for (other, effects) in changed where other != seq && before.effects(of: other) == nil {
        cancel(cancellations, of: other, effects, &sent)
      }
      return sent
    }

    private mutating func cancel(
      _ cancellations: ActionEffects.Cancellations,
      of seq: Int,
      _ known: ActionEffects?,
      _ sent: inout [(cancellation: Int, seq: Int)]
    ) {
      let effects = changed.first { $0.seq == seq }.map(\.effects) ?? known
      guard let outcome = effects?.after(cancellations, memory) else { return }
      apply(outcome, of: seq)
      for case .sends(let cancellation) in outcome.consequences { sent.append((cancellation, seq)) }
      guard let further = outcome.cancellations else { return }
      let later = cancel(further, by: seq)
      for cancellation in further.all.indices { join(later, because: cancellation) }
    }

    /// The actions that were sent because of one cancellation join the queue.
    private mutating func join(_ sent: [(cancellation: Int, seq: Int)], because cancellation: Int) {
      for action in sent where action.cancellation == cancellation { queue.append(action.seq) }
    }

    private mutating func apply(_ outcome: ActionEffects.TransitionResult, of seq: Int) {
      dropped += outcome.dropped
      switch outcome.next {
      case .same: break
      case .changed(let effects): replace(effects, of: seq)
      case .gone: replace(nil, of: seq)
      }
    }

    private mutating func replace(_ effects: ActionEffects?, of seq: Int) {
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

extension EffectsState {
  /// The action whose effects have sent the next action that the reducer takes.
  var firstInQueue: Int? { queue.first }
}
