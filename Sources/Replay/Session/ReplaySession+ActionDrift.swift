import ActionLog

/// The reducer's own actions beside the recorded ones: what only the log or only the code has of them.
extension ReplaySession {
  /// Tells what the actions that effects send have not in common with the recorded ones.
  mutating func noteDrift(
    ofSends effects: [EffectDescription],
    beside recorded: [EffectDescription]
  ) {
    guard !recorded.isEmpty, !effects.isEmpty else { return }
    for (own, recorded) in zip(effects.sentActions, recorded.sentActions) {
      noteDrift(of: own, beside: recorded)
    }
  }

  /// Tells what an action that the reducer has sent has not in common with the recorded one.
  mutating func noteDrift(of own: JSON, beside recorded: JSON) {
    guard own != recorded, let engine else { return }
    let isOpen = JSON.differences(from: recorded, to: own).contains {
      ($0.expected == nil) != ($0.actual == nil) && !driftedActions.contains($0.path.anyElement)
    }
    guard isOpen else { return }
    for drift in SchemaProbe(engine).drift(ofAction: recorded, beside: own) {
      note(ofAction: drift)
    }
  }
}

extension [EffectDescription] {
  /// The actions that are sent at once, in the order of the effects' trees.
  fileprivate var sentActions: [JSON] {
    flatMap(\.flattened).compactMap { $0.operation == .send ? $0.action : nil }
  }
}
