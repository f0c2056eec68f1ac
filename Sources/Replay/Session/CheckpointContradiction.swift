import ActionLog

/// A contradiction between a checkpoint and the preceding events about an effect.
package struct CheckpointContradiction: Sendable {
  package enum Mismatch: Sendable {
    /// The checkpoint lacks the effect.
    case missing
    /// Only the checkpoint has the effect.
    case added
    /// The checkpoint has another cancellation status.
    ///
    /// The value is the status in the checkpoint.
    case cancelled(Bool)
  }

  package let id: EffectID
  package let problem: Mismatch

  /// Compares the effects of a checkpoint with those that are alive.
  ///
  /// The values state whether an effect was canceled.
  ///
  /// - Returns: The contradictions, sorted by effect.
  package static func between(
    _ recorded: [EffectID: Bool],
    _ alive: [EffectID: Bool]
  ) -> [CheckpointContradiction] {
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
  /// The effects of a checkpoint, each with whether it was canceled.
  package var checkpointed: [EffectID: Bool] {
    var all: [EffectID: Bool] = [:]
    for effect in lazy.flatMap(\.flattened) {
      if let id = effect.id { all[id] = effect.isCancelled }
    }
    return all
  }
}

extension LogEvent.Checkpoint {
  /// Sets the next stack element to that of an engine that counts them.
  ///
  /// It is omitted before the first element.
  mutating func takeNextStackElement(of engine: any FeatureEngine) {
    if let next = engine.nextStackElement { nextStackElement = next > 0 ? next : nil }
  }
}
