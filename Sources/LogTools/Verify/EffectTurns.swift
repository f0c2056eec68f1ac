import ActionLog

/// Checks the effect events in a log: the number of actions that each effect has sent, and whether it was cancelled.
struct EffectTurns {
  /// An effect event that contradicts earlier ones.
  enum LifeContradiction: Equatable {
    /// The end of the effect states fewer sent actions than the log contains.
    ///
    /// More are valid, because a fork omits actions.
    case sentFewer(Int, than: Int)
    /// A cancelled effect sent another action.
    case sentAfterCancellation
    /// The effect was already cancelled, and no event is missing.
    case cancelledTwice
  }

  fileprivate struct EffectHistory {
    var sent = 0
    var isCancelled = false
    /// The number of sent actions according to the end event, if the effect has ended.
    var saidSent: Int?
  }

  /// The effects whose start was read and that have not ended.
  private var alive: [EffectID: EffectHistory] = [:]
  /// The effects that began before the current range.
  private var earlier: [EffectID: EffectHistory] = [:]
  /// Whether the current range starts at a checkpoint after other ranges.
  private var isLater = false
  /// Whether events are missing, so that earlier effects are unknown.
  private var hasGap = false

  /// Creates the state for a log that starts at its header.
  init() {}

  /// The state for a range that starts at a checkpoint after other ranges.
  static var ofLaterStretch: EffectTurns {
    var turns = EffectTurns()
    turns.isLater = true
    return turns
  }

  /// Adds the effects that an action returned.
  mutating func start(_ effects: [EffectDescription]) {
    for effect in effects.lazy.flatMap(\.flattened) where effect.operation == .run {
      if let id = effect.id { alive[id] = EffectHistory() }
    }
  }

  /// Adds an action that an effect sent.
  mutating func send(from id: EffectID) -> LifeContradiction? {
    update(id) { turns in
      turns.sent += 1
      return turns.isCancelled ? .sentAfterCancellation : nil
    }
  }

  /// Adds an effect event.
  mutating func apply(_ effect: LogEvent.Effect) -> LifeContradiction? {
    switch effect.event {
    case .started: return nil
    case .cancelled(_, let dropping):
      return update(effect.id) { turns in
        defer { turns.isCancelled = true }
        return turns.isCancelled && dropping == 0 ? .cancelledTwice : nil
      }
    case .finished(let sent):
      defer { alive[effect.id] = nil }
      return update(effect.id) { turns in
        turns.saidSent = sent
        return turns.flawOfEnd
      }
    case .failed:
      alive[effect.id] = nil
      return nil
    }
  }

  /// Updates an effect.
  ///
  /// It does nothing if the effect's start and later events are unknown.
  private mutating func update(
    _ id: EffectID,
    _ body: (inout EffectHistory) -> LifeContradiction?
  ) -> LifeContradiction? {
    if let index = alive.index(forKey: id) { return body(&alive.values[index]) }
    guard isLater, !hasGap else { return nil }
    return body(&earlier[id, default: EffectHistory()])
  }

  /// Removes the effects before a gap.
  mutating func skip() {
    alive = [:]
    hasGap = true
  }

  /// Adds the results of the next range.
  ///
  /// - Returns: `false` if they contradict the earlier ones.
  mutating func add(_ next: EffectTurns) -> Bool {
    for (id, turns) in next.earlier {
      guard var known = alive[id] else { continue }
      guard !known.isCancelled || turns.sent == 0 && !turns.isCancelled else { return false }
      known.sent += turns.sent
      known.isCancelled = known.isCancelled || turns.isCancelled
      known.saidSent = turns.saidSent
      guard known.flawOfEnd == nil else { return false }
      alive[id] = turns.saidSent == nil ? known : nil
    }
    if next.hasGap { skip() }
    alive.merge(next.alive) { $1 }
    return true
  }
}

extension EffectTurns.EffectHistory {
  fileprivate var flawOfEnd: EffectTurns.LifeContradiction? {
    guard let saidSent, saidSent < sent else { return nil }
    return .sentFewer(saidSent, than: sent)
  }
}
