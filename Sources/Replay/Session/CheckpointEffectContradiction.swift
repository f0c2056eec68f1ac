import ActionLog

/// A contradiction about one effect between a checkpoint and the events before it.
package struct CheckpointEffectContradiction: Sendable {
  package enum ContradictionKind: Sendable {
    /// The effect has not ended according to the events, but the checkpoint lacks it.
    case missing
    /// The checkpoint lists the effect, but the effect has ended or does not exist according to the events.
    case added
    /// The checkpoint and the events disagree about whether the effect was canceled.
    ///
    /// The value states whether it was canceled according to the checkpoint.
    case cancelled(Bool)
  }

  package let id: EffectID
  package let problem: ContradictionKind

  /// Compares the effects that a checkpoint lists with those that have not ended according to the events.
  ///
  /// - Parameters:
  ///   - recorded: The effects in the checkpoint, each with whether it was canceled.
  ///   - alive: The effects that have not ended according to the events, each with whether it was canceled.
  /// - Returns: The contradictions, sorted by effect ID.
  package static func between(
    _ recorded: [EffectID: Bool],
    _ alive: [EffectID: Bool]
  ) -> [CheckpointEffectContradiction] {
    guard recorded != alive else { return [] }
    return Set(recorded.keys).union(alive.keys).sorted().compactMap { id in
      switch (recorded[id], alive[id]) {
      case (nil, _?): Self(id: id, problem: .missing)
      case (_?, nil): Self(id: id, problem: .added)
      case (let found?, let expected?) where found != expected:
        Self(id: id, problem: .cancelled(found))
      default: nil
      }
    }
  }
}

extension [EffectDescription] {
  /// The effects that the descriptions of a checkpoint list, each with whether it was canceled.
  package var checkpointed: [EffectID: Bool] {
    var all: [EffectID: Bool] = [:]
    for effect in lazy.flatMap(\.flattened) {
      if let id = effect.id { all[id] = effect.isCancelled }
    }
    return all
  }
}

extension LogEvent.Checkpoint {
  /// Copies the number of the next stack element from an engine that counts elements.
  ///
  /// The checkpoint omits the number before the first element.
  mutating func copyNextStackElement(of engine: any FeatureEngine) {
    if let next = engine.nextStackElement { nextStackElement = next > 0 ? next : nil }
  }
}
