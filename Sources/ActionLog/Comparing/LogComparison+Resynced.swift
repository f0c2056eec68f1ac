extension LogComparison {
  /// Goes to where both logs have the same event again, when the second one went on from the first one's state.
  ///
  /// - Returns: Whether there is such a place.
  mutating func realign(
    _ left: inout ComparedEvents.Element?,
    _ right: inout ComparedEvents.Element?
  ) throws -> Bool {
    while let element = right, !element.isResynced {
      if element.isStop { return false }
      right = try replayed.next()
      if right?.isResynced == true { result.differences += findings(nil, right) }
    }
    guard let goal = right else { return false }
    // They have been told.
    right?.findings = []
    while let element = left, !element.isSame(as: goal) {
      if element.isStop { return false }
      pass(element)
      left = try recorded.next()
    }
    states.unite()
    return left != nil
  }

  /// Takes note of an event of the recording to which the replay has none.
  private mutating func pass(_ element: ComparedEvents.Element) {
    guard case .event(let event) = element.content else { return }
    switch event {
    case .change(let change): _ = states.compare(change.patch, change.patch, of: change.seq)
    case .external(let event): _ = states.compare(event.patch, event.patch, of: event.seq)
    case .excluded(let event): _ = states.compare(event.patch, event.patch, of: event.seq)
    case .action(let action): result.seq = action.seq
    default: break
    }
  }
}

extension ComparedEvents.Element {
  /// Whether the replay goes on here from the recorded state.
  var isResynced: Bool { findings.contains { $0.code == .resynced } }

  fileprivate var isStop: Bool {
    if case .stop = content { true } else { false }
  }

  /// Whether this is the recording's event to one of the replay.
  fileprivate func isSame(as other: ComparedEvents.Element) -> Bool {
    switch (content, other.content) {
    case (.event(.effect(let old)), .event(.effect(let new))):
      old.id == new.id && old.event == new.event
    case (.event(let old), .event(let new)): old.kind == new.kind && old.seq == new.seq
    case (.stop, .stop): true
    default: false
    }
  }
}
