/// The effects that have not ended, in a log that is being written.
///
/// Checkpoints within the log list these effects. The type processes the log's events as a replay does, so that
/// recorder and replay agree.
package struct UnfinishedEffects: Sendable {
  private var effects = LoggedEffects()
  private var descriptions: [Int: [EffectDescription]] = [:]
  /// The `send` effects whose actions the log doesn't contain yet, in the order in which they were sent.
  private var sent: [EffectID] = []
  /// The number of the canceling action, for each effect that an action canceled and whose operation has not returned.
  private var cancellers: [EffectID: Int] = [:]

  package init() {}

  /// Starts with the effects that are alive at a checkpoint.
  package init(_ checkpoint: LogEvent.Checkpoint) {
    for effect in checkpoint.effects {
      carryOut(effects.resume(effect, at: checkpoint))
      descriptions[effect.action(at: checkpoint), default: []].append(effect)
    }
  }

  /// Gives the cancellation ids of effects their names in the log, before the effects start.
  package mutating func named(_ effects: [EffectDescription]) -> [EffectDescription] {
    self.effects.named(effects)
  }

  /// Starts the effects that an action returned.
  package mutating func start(_ effects: [EffectDescription], of seq: Int) {
    guard !effects.isEmpty else { return }
    carryOut(self.effects.start(effects, of: seq))
    if self.effects.hasWork(of: seq) || sent.contains(where: { $0.seq == seq }) {
      descriptions[seq] = effects
    }
  }

  /// Records that the log now contains the action of a `send` effect.
  package mutating func arrive(_ id: EffectID) {
    guard let index = sent.firstIndex(of: id) else { return }
    sent.remove(at: index)
    forget(id.seq)
  }

  /// Applies an `effect` event of the log.
  package mutating func apply(_ effect: LogEvent.Effect) {
    switch effect.event {
    // These events follow from the action's plan, or from the end of an earlier part, so they are already applied.
    case .started, .cancelled(by: .action, _): break
    case .cancelled(_, let dropping):
      carryOut(effects.cancel(effect.id, dropping: dropping))
    case .finished, .failed:
      cancellers[effect.id] = nil
      carryOut(effects.finish(effect.id))
      forget(effect.id.seq)
    }
  }

  /// Returns the number of the action whose effects canceled `id`.
  ///
  /// Returns `nil` if the effect has returned or is not canceled, or if a call canceled it.
  package func canceller(of id: EffectID) -> Int? { cancellers[id] }

  /// Whether an effect waits for earlier effects to end.
  package func isWaiting(_ id: EffectID) -> Bool {
    !effects.isRunning(id) && effects.waiting.contains(id)
  }

  /// Whether an action has effects that are alive or waiting, or sent actions that the log doesn't contain yet.
  package func hasAlive(of seq: Int) -> Bool {
    guard let effects = descriptions[seq] else { return false }
    if sent.contains(where: { $0.seq == seq }) { return true }
    return effects.lazy.flatMap(\.flattened).contains { effect in
      guard let id = effect.id, !effect.isInternal else { return false }
      return self.effects.isAlive(id) || isWaiting(id)
    }
  }

  /// Descriptions of the effects that have not ended, without the parts that have ended, in the order of the actions.
  package var described: [EffectDescription] {
    guard !descriptions.isEmpty else { return [] }
    let whole = Set(effects.waiting).union(sent)
    return descriptions.keys.sorted().flatMap { seq in
      (descriptions[seq] ?? []).compactMap { remainder(of: $0, whole) }
    }
  }

  /// Returns the effects that have not ended, as a checkpoint lists them.
  ///
  /// Renumbers the cancellation ids, so that a reader that starts at the checkpoint assigns the same numbers.
  package mutating func checkpoint() -> [EffectDescription] {
    let described = described
    guard described.contains(where: \.hasCancelID) else { return described }
    let numbers = CancelIDNumbers(of: described)
    let effects = described.map { numbers.renumbered($0) }
    for (seq, all) in descriptions { descriptions[seq] = all.map { numbers.renumbered($0) } }
    self.effects.adoptNumbers(of: effects)
    return effects
  }

  private mutating func forget(_ seq: Int) {
    if !effects.hasWork(of: seq), !sent.contains(where: { $0.seq == seq }) {
      descriptions[seq] = nil
    }
  }

  private mutating func carryOut(_ steps: [LoggedEffects.EffectTransition]) {
    for step in steps {
      switch step {
      case .send(let id, _): sent.append(id)
      case .cancel(let id, by: let action?): cancellers[id] = action
      case .end(let seq): forget(seq)
      case .run, .cancel, .cancelElsewhere: break
      }
    }
  }

  /// Removes the parts of an effect that have ended.
  ///
  /// - Parameters:
  ///   - effect: An effect of which parts have started.
  ///   - whole: The effects that wait, and the `send` effects whose actions the log doesn't contain yet.
  ///   - depth: The number of concatenations around the effect.
  /// - Returns: The rest, or `nil` if all parts have ended.
  private func remainder(
    of effect: EffectDescription,
    _ whole: Set<EffectID>,
    depth: Int = 0
  ) -> EffectDescription? {
    var result = effect
    switch effect.operation {
    case .run, .send:
      guard let id = effect.id else { return nil }
      if whole.contains(id) { return effect }
      guard effects.isRunning(id) else { return nil }
      result.isCancelled = !effects.isAlive(id)
      return result
    case .cancel: return nil
    case .merge:
      result.effects = effect.effects.compactMap { remainder(of: $0, whole, depth: depth) }
    case .concatenate:
      let running = effect.flattened.lazy.compactMap(\.id).first { effects.isRunning($0) }
      let counts = running.map { effects.waitingParts(around: $0) } ?? []
      // In a damaged log, another effect can have the same id.
      let waiting = depth < counts.count ? min(counts[depth], effect.effects.count) : 0
      result.effects =
        effect.effects.dropLast(waiting).compactMap { remainder(of: $0, whole, depth: depth + 1) }
        + effect.effects.suffix(waiting).compactMap(\.withoutLibraryOperations)
    }
    return result.effects.isEmpty ? nil : result
  }
}

extension EffectDescription {
  /// The effect without operations of the library, which a log doesn't list, or `nil` if nothing remains.
  fileprivate var withoutLibraryOperations: EffectDescription? {
    var result = self
    switch operation {
    case .run, .send: return id == nil ? nil : self
    case .cancel: return self
    case .merge, .concatenate: result.effects = effects.compactMap(\.withoutLibraryOperations)
    }
    return result.effects.isEmpty ? nil : result
  }
}
