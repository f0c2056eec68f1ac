extension LogComparison {
  /// What it means that the logs have different events at the same place.
  func misaligned(
    _ recorded: LogEvent,
    _ replayed: LogEvent,
    _ found: [LogDifference]
  ) -> Step {
    // Cancellations by an action and actions of the reducer are its own doing: one of them may be
    // missing or be new, and the logs go on together behind it.
    if let seq = recorded.cancellingAction {
      let difference = Self.cancellation(seq, expected: recorded, actual: nil)
      return Step(differences: found + [difference], advance: .recorded)
    }
    if let seq = replayed.cancellingAction {
      let difference = Self.cancellation(seq, expected: nil, actual: replayed)
      return Step(differences: found + [difference], advance: .replayed)
    }
    if case .action(let action) = recorded, isProduced(action.origin), !replayed.isAction {
      return .stop(.differs, found + [Self.produced(action, expected: action.action)])
    }
    if case .action(let action) = replayed, isProduced(action.origin), !recorded.isAction {
      return .stop(.differs, found + [Self.produced(action, actual: action.action)])
    }
    return .stop(.differs, found + [outOfStep(.event(recorded), .event(replayed))])
  }

  private static func cancellation(
    _ seq: Int,
    expected: LogEvent?,
    actual: LogEvent?
  ) -> LogDifference {
    LogDifference(
      seq: seq,
      cause: .effects,
      subject: (expected ?? actual)?.effectID?.description ?? "",
      member: "cancelled",
      expected: expected.map { _ in true },
      actual: actual.map { _ in true }
    )
  }

  private static func produced(
    _ action: LogEvent.Action,
    expected: JSON? = nil,
    actual: JSON? = nil
  ) -> LogDifference {
    LogDifference(
      seq: action.seq,
      cause: .producedAction,
      subject: "",
      expected: expected,
      actual: actual
    )
  }

  /// Two events, or an event and an end, that never stand at the same place in logs of one story.
  func outOfStep(
    _ recorded: ComparedEvents.Content?,
    _ replayed: ComparedEvents.Content?
  ) -> LogDifference {
    let names = (recorded.name, replayed.name)
    return LogDifference(
      seq: recorded.seq ?? replayed.seq ?? result.seq,
      cause: .sequence,
      subject: names.0,
      expected: .string(names.1),
      actual: .string(names.0)
    )
  }
}

extension LogEvent {
  fileprivate var isAction: Bool {
    if case .action = self { true } else { false }
  }

  fileprivate var effectID: EffectID? {
    if case .effect(let effect) = self { effect.id } else { nil }
  }

  /// The action whose effects cancelled another one, when this is what the event tells.
  fileprivate var cancellingAction: Int? {
    guard case .effect(let effect) = self, case .cancelled(by: .action(let seq), _) = effect.event
    else { return nil }
    return seq
  }

  fileprivate var place: String {
    switch self {
    case .effect(let effect): "'\(effect.event.name)' of effect \(effect.id)"
    case .header: "a header"
    default: seq.map { "\(kind) \($0)" } ?? kind
    }
  }
}

extension LogEvent.Effect.Event {
  fileprivate var name: String {
    switch self {
    case .started: "started"
    case .finished(let sent): "finished, \(sent) sent"
    case .cancelled(.action(let seq), _): "cancelled by action \(seq)"
    case .cancelled(.effect(let id), _): "cancelled by effect \(id)"
    case .cancelled(.task, _): "cancelled by the task"
    case .cancelled(.store, _): "cancelled by the store"
    case .failed: "failed"
    }
  }
}

extension ComparedEvents.Content? {
  fileprivate var name: String {
    if case .event(let event) = self { event.place } else { "the end of the file" }
  }

  fileprivate var seq: Int? {
    if case .event(let event) = self { event.seq } else { nil }
  }
}
