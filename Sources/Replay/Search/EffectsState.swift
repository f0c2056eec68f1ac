import ActionLog

/// The state of all effects of a feature during a search, grouped by the action that returned them.
package final class EffectsState {
  /// The effects that one action has returned.
  private struct ActionSlot {
    let seq: Int
    let effects: ActionEffectsState
  }

  /// The groups of effects, sorted by action number.
  private let slots: [ActionSlot]
  /// The numbers of the actions whose effects have sent a waiting action, in first-in, first-out order.
  private let queue: [Int]
  private let sums: DigestSums
  /// The index of this state in the cache, or `nil` if the state is not cached.
  var number: Int?
  /// The cached results of transitions from this state.
  var steps: [EffectsStateMachine.TransitionKey: EffectsStateMachine.CachedTransition] = [:]

  /// The sums of digests over the effects of all actions, which are updated incrementally.
  private struct DigestSums {
    var digest = Digest()
    var standing = Digest()

    mutating func add(_ effects: ActionEffectsState) {
      digest.add(effects.digest)
      standing.add(effects.standing)
    }

    mutating func remove(_ effects: ActionEffectsState) {
      digest.remove(effects.digest)
      standing.remove(effects.standing)
    }

    /// Returns a digest of the effects and of a queue of waiting actions.
    func digest(_ queue: [Int]) -> Digest {
      guard !queue.isEmpty else { return digest }
      var result = digest
      for (place, seq) in queue.enumerated() { result.add(Digest((place, seq, 8))) }
      return result
    }
  }

  private init(_ slots: [ActionSlot], _ queue: [Int], _ sums: DigestSums) {
    self.slots = slots
    self.queue = queue
    self.sums = sums
  }

  /// Creates the initial state of a search.
  ///
  /// - Parameters:
  ///   - effects: The effects by the number of the action that returned them.
  ///   - queue: The numbers of the actions whose effects have sent a waiting action.
  init(_ effects: [Int: ActionEffectsState], queue: [Int]) {
    slots = effects.sorted { $0.key < $1.key }.map { ActionSlot(seq: $0.key, effects: $0.value) }
    self.queue = queue
    sums = slots.reduce(into: DigestSums()) { $0.add($1.effects) }
  }

  /// The approximate size of this state in bytes.
  var size: Int {
    slots.reduce(128 + queue.count * 8) { $0 + 16 + $1.effects.ownSize }
  }

  /// The approximate size in bytes, or 0 if the state is cached and therefore counted by the cache.
  package var ownSize: Int { number == nil ? size : 0 }
}

extension EffectsState {
  /// A digest of all data that later steps depend on, independent of the order in which effects started.
  package var digest: Digest { sums.digest(queue) }

  /// A digest of only the running and waiting effects.
  package var standing: Digest { sums.standing }

  /// Returns whether an effect has not started, because preceding effects have not ended.
  package func isWaiting(_ id: EffectID) -> Bool { status(of: id).contains(.isWaiting) }

  /// Returns whether an effect has started and not returned, even if it is canceled.
  package func isRunning(_ id: EffectID) -> Bool { status(of: id).contains(.isRunning) }

  /// Returns whether an effect is running and not canceled.
  package func isAlive(_ id: EffectID) -> Bool { status(of: id).contains(.isAlive) }

  /// Returns whether an effect's predecessor has ended, but the effect's start event has not occurred in the log yet.
  package func isAwaitingStart(_ id: EffectID) -> Bool {
    status(of: id).contains(.isAwaitingStart)
  }

  /// Returns the status of an effect, which is empty if the effect is not tracked.
  package func status(of id: EffectID) -> EffectStatus { effects(of: id.seq)?.status(of: id) ?? [] }

  /// The effects whose predecessor has ended, but whose start event has not occurred in the log yet.
  ///
  /// They are sorted by action number and index.
  package var awaitingStart: [EffectID] {
    slots.flatMap { $0.effects.awaitingStart.sorted { $0.index < $1.index } }
  }

  /// Returns whether an effect is a `send` effect whose action has not been processed, even if the effect is canceled.
  func isSend(_ id: EffectID) -> Bool { effects(of: id.seq)?.isSend(id) ?? false }

  /// Returns whether the action of a `send` effect is waiting to be reduced.
  func hasProduced(_ id: EffectID) -> Bool { effects(of: id.seq)?.hasProduced(id) ?? false }

  /// Returns the findings about the origin of an action that arrives from outside the reducer.
  func findings(onArrivalFrom origin: LogEvent.Origin, as seq: Int) -> [LogEvent.Finding] {
    if case .effect(let id, _) = origin, let effects = effects(of: id.seq) {
      return effects.findings(onArrivalFrom: origin, as: seq)
    }
    return SimulatedEffects().findings(onArrivalFrom: origin, as: seq)
  }

  /// Returns the effects that an action has returned, or `nil` if none are left.
  func effects(of seq: Int) -> ActionEffectsState? {
    let index = slotIndex(of: seq)
    guard index < slots.count, slots[index].seq == seq else { return nil }
    return slots[index].effects
  }

  /// Returns the index of an action's effects in `slots`, or the index at which to insert them.
  private func slotIndex(of seq: Int) -> Int { slots.partitioningIndex { $0.seq >= seq } }
}

extension EffectsState {
  /// A modification of the effects' state by one step.
  struct EffectsTransition {
    private let before: EffectsState
    private var sums: DigestSums
    private var queue: [Int]
    /// The changed effects by action number, in no particular order, with `nil` if an action has none left.
    private var changed: [(seq: Int, effects: ActionEffectsState?)] = []
    /// The `send` effects whose actions will never be processed.
    private(set) var dropped: [EffectID] = []
    private let memory: ActionEffectsState.StateCache

    init(_ before: EffectsState, _ memory: ActionEffectsState.StateCache) {
      self.before = before
      self.memory = memory
      sums = before.sums
      queue = before.queue
    }

    /// Removes the first action from the queue, unless the queue is empty.
    mutating func dequeueFirst() { if !queue.isEmpty { queue.removeFirst() } }

    /// Returns an action's effects after the changes so far.
    private func effects(of seq: Int) -> ActionEffectsState? {
      if let change = changed.first(where: { $0.seq == seq }) { return change.effects }
      return before.effects(of: seq)
    }

    /// Applies a step's outcome for the effects of action `seq`, and its consequences for the effects of other actions.
    ///
    /// If a cancellation ends effects of several actions, they are processed by ascending action number. In a replay,
    /// they are processed in the order in which they started.
    mutating func carryOut(_ outcome: ActionEffectsState.TransitionResult, of seq: Int) {
      apply(outcome, of: seq)
      let sent = outcome.cancellations.map { cancel($0, by: seq) } ?? []
      // The actions that effects sent join the queue in the order of the consequences.
      for consequence in outcome.consequences {
        switch consequence {
        case .sends: queue.append(seq)
        case .cancels(let cancellation): join(sent, because: cancellation)
        }
      }
    }

    /// Cancels effects of other actions.
    ///
    /// - Returns: The numbers of the actions whose effects have sent an action as a result, each with the index of the
    ///   cancellation that caused it.
    private mutating func cancel(
      _ cancellations: ActionEffectsState.Cancellations,
      by seq: Int
    ) -> [(cancellation: Int, seq: Int)] {
      var sent: [(cancellation: Int, seq: Int)] = []
      for slot in before.slots where slot.seq != seq {
        cancel(cancellations, of: slot.seq, slot.effects, &sent)
      }
      // Indirect cancellations also reach the effects that this step starts.
      for (other, effects) in changed where other != seq && before.effects(of: other) == nil {
        cancel(cancellations, of: other, effects, &sent)
      }
      return sent
    }

    private mutating func cancel(
      _ cancellations: ActionEffectsState.Cancellations,
      of seq: Int,
      _ known: ActionEffectsState?,
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

    /// Appends to the queue the numbers of the actions whose effects sent an action because of the given cancellation.
    private mutating func join(_ sent: [(cancellation: Int, seq: Int)], because cancellation: Int) {
      for action in sent where action.cancellation == cancellation { queue.append(action.seq) }
    }

    private mutating func apply(_ outcome: ActionEffectsState.TransitionResult, of seq: Int) {
      dropped += outcome.dropped
      switch outcome.next {
      case .same: break
      case .changed(let effects): replace(effects, of: seq)
      case .gone: replace(nil, of: seq)
      }
    }

    private mutating func replace(_ effects: ActionEffectsState?, of seq: Int) {
      if let old = self.effects(of: seq) { sums.remove(old) }
      if let effects { sums.add(effects) }
      if let index = changed.firstIndex(where: { $0.seq == seq }) {
        changed[index].effects = effects
      } else {
        changed.append((seq, effects))
      }
    }

    /// A digest of the modified state.
    var digest: Digest { sums.digest(queue) }

    /// Returns the modified state.
    func made() -> EffectsState {
      var slots = before.slots
      for (seq, effects) in changed {
        var index = slots.count
        while index > 0, slots[index - 1].seq >= seq { index -= 1 }
        let isThere = index < slots.count && slots[index].seq == seq
        switch effects.map({ ActionSlot(seq: seq, effects: $0) }) {
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
  /// The number of the action whose effects have sent the first waiting action, or `nil` if the queue is empty.
  var firstInQueue: Int? { queue.first }
}
