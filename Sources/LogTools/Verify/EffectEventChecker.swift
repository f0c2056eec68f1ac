import ActionLog

/// Checks the events of effects: how many actions each effect sent, and whether it was canceled.
struct EffectEventChecker {
  /// A contradiction between an event of an effect and earlier events.
  enum EffectContradiction: Equatable {
    /// The effect's end event states fewer sent actions than the log contains.
    ///
    /// A greater number is valid, because a fork omits actions.
    case sentFewer(Int, than: Int)
    /// An effect sent another action after it was canceled.
    case sentAfterCancellation
    /// An effect was canceled a second time, but the second cancellation dropped no parts of a concatenation.
    ///
    /// A second cancellation is valid only if it drops the later parts of a concatenation that contains the effect.
    case cancelledTwice
  }

  fileprivate struct EffectHistory {
    var sent = 0
    var isCancelled = false
    /// The number of sent actions that the end event states, or `nil` if the effect has not ended.
    var saidSent: Int?
  }

  /// The effects that have started in this range and not ended.
  private var alive: [EffectID: EffectHistory] = [:]
  /// The events of effects that started before this range.
  private var earlier: [EffectID: EffectHistory] = [:]
  /// Whether this is a later range, which starts with a checkpoint.
  private var isLater = false
  /// Whether a gap occurred, after which events of unknown effects are not checked.
  private var hasGap = false

  /// Creates a checker for a log, or for the first range of a log.
  init() {}

  /// A checker for a later range of a log, which starts with a checkpoint.
  static var ofLaterStretch: EffectEventChecker {
    var turns = EffectEventChecker()
    turns.isLater = true
    return turns
  }

  /// Registers the effects that an action returned.
  mutating func start(_ effects: [EffectDescription]) {
    for effect in effects.lazy.flatMap(\.flattened) where effect.operation == .run {
      if let id = effect.id { alive[id] = EffectHistory() }
    }
  }

  /// Registers an action that an effect sent, and returns a contradiction, if there is one.
  mutating func send(from id: EffectID) -> EffectContradiction? {
    update(id) { turns in
      turns.sent += 1
      return turns.isCancelled ? .sentAfterCancellation : nil
    }
  }

  /// Registers an event of an effect, and returns a contradiction, if there is one.
  mutating func apply(_ effect: LogEvent.Effect) -> EffectContradiction? {
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

  /// Updates the history of an effect.
  ///
  /// In a later range, an unknown effect gets a new history, unless a gap occurred. Otherwise, events of unknown
  /// effects are ignored.
  private mutating func update(
    _ id: EffectID,
    _ body: (inout EffectHistory) -> EffectContradiction?
  ) -> EffectContradiction? {
    if let index = alive.index(forKey: id) { return body(&alive.values[index]) }
    guard isLater, !hasGap else { return nil }
    return body(&earlier[id, default: EffectHistory()])
  }

  /// Forgets all effects, because events are missing.
  mutating func skip() {
    alive = [:]
    hasGap = true
  }

  /// Adds the results from the next range.
  ///
  /// - Returns: `false` if the next range contradicts the results from this range and earlier ones.
  mutating func add(_ next: EffectEventChecker) -> Bool {
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

extension EffectEventChecker.EffectHistory {
  fileprivate var flawOfEnd: EffectEventChecker.EffectContradiction? {
    guard let saidSent, saidSent < sent else { return nil }
    return .sentFewer(saidSent, than: sent)
  }
}
