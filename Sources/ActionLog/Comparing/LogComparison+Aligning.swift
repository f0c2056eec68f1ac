extension LogComparison {
  /// Compares what stands at the same place in both logs.
  mutating func compare(
    _ left: ComparedEvents.Element?,
    _ right: ComparedEvents.Element?
  ) -> Step {
    let found = findings(left, right)
    switch (left?.content, right?.content) {
    case (.stop(let open), .stop(let other)) where extent == .all && open == other:
      return Step(differences: found)
    case (.stop(let open), let content) where extent != .all:
      guard found.isEmpty else { return .stop(.differs, found) }
      return .stop(
        .recordingStops(openAction: open, isReplayed: content?.isChange(of: open) ?? false)
      )
    case (_?, .stop(let open)) where extent != .all:
      guard found.isEmpty else { return .stop(.differs, found) }
      return .stop(.replayStops(openAction: open))
    case (_?, nil) where extent != .all:
      return .stop(.replayStops(openAction: nil))
    case _ where extent == .resynced && right?.isResynced == true && !found.isEmpty:
      return .stop(.differs, found)
    case (.event(let recorded), .event(let replayed)):
      return compare(recorded, left?.reads ?? [], replayed, right?.reads ?? [], found)
    default:
      return .stop(.differs, found + [outOfStep(left?.content, right?.content)])
    }
  }

  private mutating func compare(
    _ recorded: LogEvent,
    _ recordedReads: [LogEvent.Read],
    _ replayed: LogEvent,
    _ replayedReads: [LogEvent.Read],
    _ found: [LogDifference]
  ) -> Step {
    switch (recorded, replayed) {
    case (.header(let header), .header):
      states = ComparedStates(options, masks: header.masked, isReplay: isReplay)
      sends = []
      driftedActions = []
      return Step(differences: found)
    case (.checkpoint(let old), .checkpoint(let new)) where old.seq == new.seq:
      let isExplained = found.contains { $0.cause == .sequence }
      let differing = states.compare(old, new)
      for effect in old.effects + new.effects { note(effect) }
      return Step(differences: found + (isExplained ? [] : differing))
    case (.action(let old), .action(let new)) where old.seq == new.seq:
      result.seq = old.seq
      return Step(differences: found + compare(old, new))
    case (.change(let old), .change(let new)) where old.seq == new.seq:
      for effect in old.effects + new.effects { note(effect) }
      let hasReadFindings = found.contains { $0.cause == .reads }
      let reads = hasReadFindings ? [] : readDifferences(old.seq, recordedReads, replayedReads)
      let effects = EffectDescription.differences(
        of: old.seq,
        old.effects,
        new.effects,
        ignoring: driftedActions
      )
      return Step(
        differences: found + reads + states.compare(old.logged, new.logged, of: old.seq) + effects
      )
    case (.external(let old), .external(let new)) where old.seq == new.seq:
      return Step(differences: found + compare(old.patch, new.patch, of: old.seq))
    case (.excluded(let old), .excluded(let new)) where old.seq == new.seq:
      result.seq = old.seq
      if case .effect(let id, nil) = old.origin { sends.remove(id) }
      for effect in old.effects + new.effects { note(effect) }
      return Step(differences: found + compare(old.patch, new.patch, of: old.seq))
    case (.gap, .gap):
      // What comes next is a checkpoint, and says nothing of what was before.
      states = ComparedStates(options, masks: states.masks, isReplay: isReplay)
      sends = []
      return Step(differences: found)
    case (.effect(let old), .effect(let new)) where old.id == new.id && old.event == new.event:
      return Step(differences: found)
    case (.end(let old), .end(let new)) where old.seq == new.seq && old.reason == new.reason:
      return Step(differences: found)
    default:
      return misaligned(recorded, replayed, found)
    }
  }

  private mutating func compare(
    _ old: JSON.Patch,
    _ new: JSON.Patch,
    of seq: Int
  ) -> [LogDifference] {
    states.compare(.patch(old), .patch(new), of: seq)
  }

  private mutating func note(_ effect: EffectDescription) {
    for leaf in effect.flattened where leaf.operation == .send {
      if let id = leaf.id { sends.insert(id) }
    }
  }

  func isProduced(_ origin: LogEvent.Origin) -> Bool {
    if case .effect(let id, nil) = origin { sends.contains(id) } else { false }
  }

  private mutating func compare(
    _ old: LogEvent.Action,
    _ new: LogEvent.Action
  ) -> [LogDifference] {
    let isProduced = isProduced(old.origin) || isProduced(new.origin)
    defer {
      if case .effect(let id, nil) = old.origin { sends.remove(id) }
    }
    var differences: [LogDifference] = []
    if old.origin != new.origin {
      differences.append(
        LogDifference(
          seq: old.seq,
          cause: isProduced ? .producedAction : .origin,
          subject: "origin",
          expected: old.origin.json,
          actual: new.origin.json
        )
      )
    }
    guard old.logged != new.logged else { return differences }
    var (oldAction, newAction) = (old.action, new.action)
    if isProduced, !driftedActions.isEmpty {
      oldAction = oldAction.ignoring(Array(driftedActions))
      newAction = newAction.ignoring(Array(driftedActions))
    }
    return differences
      + JSON.differences(from: oldAction.maskedAlike, to: newAction.maskedAlike).map {
        LogDifference($0, seq: old.seq, cause: isProduced ? .producedAction : .action)
      }
  }
}

extension ComparedEvents.Content {
  func isChange(of seq: Int?) -> Bool {
    if case .event(.change(let change)) = self { change.seq == seq } else { false }
  }
}
