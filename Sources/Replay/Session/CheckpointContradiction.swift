import ActionLog

/// An effect of which a checkpoint says something else than the events before it.
package struct CheckpointContradiction: Sendable {
  package enum Mismatch: Sendable {
    /// The checkpoint lacks it.
    case missing
    /// The checkpoint alone has it.
    case added
    /// The checkpoint says that it was cancelled, or that it was not.
    case cancelled(Bool)
  }

  package let id: EffectID
  package let problem: Mismatch

  /// Compares the effects of a checkpoint with those that are alive, by their ids; the values tell whether they were cancelled.
  ///
  /// - Returns: What is not the same, in the order of the effects.
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
  /// The effects that these of a checkpoint describe, and which of them were cancelled.
  package var checkpointed: [EffectID: Bool] {
    var all: [EffectID: Bool] = [:]
    for effect in lazy.flatMap(\.flattened) {
      if let id = effect.id { all[id] = effect.isCancelled }
    }
    return all
  }
}

extension LogEvent.Checkpoint {
  /// Takes the number that the next element of a stack gets from an engine that counts them; none is written before the first.
  mutating func takeNextStackElement(of engine: any FeatureEngine) {
    if let next = engine.nextStackElement { nextStackElement = next > 0 ? next : nil }
  }
}
