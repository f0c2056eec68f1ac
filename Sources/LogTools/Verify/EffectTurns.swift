import ActionLog

/// The turns of effects in a log: how many actions each one has sent, and whether it was cancelled.
struct EffectTurns {
  /// A turn that contradicts those before it.
  enum LifeContradiction: Equatable {
    /// The end says that the effect has sent fewer actions than came. More is no flaw: a fork leaves actions out.
    case sentFewer(Int, than: Int)
    /// An action came from an effect that was cancelled before.
    case sentAfterCancellation
    /// The effect was cancelled before, and nothing was dropped.
    case cancelledTwice
  }

  fileprivate struct Turns {
    var sent = 0
    var isCancelled = false
    /// The number of actions that its end says, if it has ended.
    var saidSent: Int?
  }

  /// The effects whose beginning was read, until they end.
  private var alive: [EffectID: Turns] = [:]
  /// The effects that began before the stretch that is read.
  private var earlier: [EffectID: Turns] = [:]
  /// Whether a stretch is read that begins at a checkpoint after others.
  private var isLater = false
  /// Whether events are missing, so that effects from before them are not known.
  private var hasGap = false

  /// The turns of a log from its header on.
  init() {}

  /// The turns of a stretch that begins at a checkpoint after other stretches.
  static var ofLaterStretch: EffectTurns {
    var turns = EffectTurns()
    turns.isLater = true
    return turns
  }

  /// Takes note of effects that an action has returned.
  mutating func start(_ effects: [EffectDescription]) {
    for effect in effects.lazy.flatMap(\.flattened) where effect.operation == .run {
      if let id = effect.id { alive[id] = Turns() }
    }
  }

  /// Takes note of an action that an effect has sent.
  mutating func send(from id: EffectID) -> LifeContradiction? {
    update(id) { turns in
      turns.sent += 1
      return turns.isCancelled ? .sentAfterCancellation : nil
    }
  }

  /// Takes note of a turn.
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

  /// Changes what is known of an effect; nothing where its beginning and the events since then are not known.
  private mutating func update(
    _ id: EffectID,
    _ body: (inout Turns) -> LifeContradiction?
  ) -> LifeContradiction? {
    if let index = alive.index(forKey: id) { return body(&alive.values[index]) }
    guard isLater, !hasGap else { return nil }
    return body(&earlier[id, default: Turns()])
  }

  /// Forgets the effects before a gap.
  mutating func skip() {
    alive = [:]
    hasGap = true
  }

  /// Takes the turns of the next stretch.
  ///
  /// - Returns: `false` when they contradict those before them.
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

extension EffectTurns.Turns {
  fileprivate var flawOfEnd: EffectTurns.LifeContradiction? {
    guard let saidSent, saidSent < sent else { return nil }
    return .sentFewer(saidSent, than: sent)
  }
}
