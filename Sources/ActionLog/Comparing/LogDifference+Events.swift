// Differences in the order of events, in reads, and in findings.
extension LogDifference {
  /// Creates a difference from a finding, or returns `nil` if the finding isn't one.
  package init?(_ finding: LogEvent.Finding) {
    let cause: Cause
    switch finding.code {
    case .unrecordedRead, .unusedRead: cause = .reads
    case .deadEffect: cause = .deadEffect
    case .undecodable: cause = .undecodable
    case .notReplayable, .unknownFeature: cause = .notReplayable
    case .brokenLog: cause = .sequence
    case .schemaDrift, .actionDrift: cause = .schemaDrift
    case .runtimeIssue, .resynced, .opaque, .migration: return nil
    }
    self.init(
      seq: finding.seq,
      cause: cause,
      subject: finding.subject,
      expected: finding.expected,
      actual: finding.actual,
      message: finding.message
    )
  }

  /// Returns the differences between the reads of an action.
  ///
  /// Compares reads by position, key, and value.
  package static func reads(
    of seq: Int,
    _ recorded: [LogEvent.Read],
    _ replayed: [LogEvent.Read]
  ) -> [LogDifference] {
    guard !recorded.isEmpty || !replayed.isEmpty else { return [] }
    return (0..<max(recorded.count, replayed.count)).compactMap { index in
      let old = index < recorded.count ? recorded[index] : nil
      let new = index < replayed.count ? replayed[index] : nil
      guard old?.key != new?.key || old?.value != new?.value else { return nil }
      return LogDifference(
        seq: seq,
        cause: .reads,
        subject: (old ?? new)?.key ?? "",
        expected: old?.comparable,
        actual: new?.comparable
      )
    }
  }

  /// Returns the difference for a cancellation that only one log has.
  ///
  /// - Parameters:
  ///   - seq: The number of the action before the cancellation. In a damaged log, the event itself can name any action.
  ///   - expected: The cancellation in the first log, or `nil` if it is missing there.
  ///   - actual: The cancellation in the second log, or `nil` if it is missing there.
  /// - Returns: A difference with the cause `effects`.
  static func cancellation(
    at seq: Int,
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

  /// Returns the difference between two cancellations of the same effect: the canceling action, or else `drops`.
  ///
  /// Returns `nil` unless both events are cancellations of the same effect by an action.
  static func cancellations(
    at seq: Int,
    _ recorded: LogEvent,
    _ replayed: LogEvent
  ) -> LogDifference? {
    guard case .effect(let old) = recorded, case .effect(let new) = replayed, old.id == new.id,
      case .cancelled(by: .action(let oldAction), let oldDrops) = old.event,
      case .cancelled(by: .action(let newAction), let newDrops) = new.event
    else { return nil }
    let isSameAction = oldAction == newAction
    return LogDifference(
      seq: seq,
      cause: .effects,
      subject: old.id.description,
      member: isSameAction ? "drops" : "by",
      expected: .number(JSON.Number(isSameAction ? oldDrops : oldAction)),
      actual: .number(JSON.Number(isSameAction ? newDrops : newAction))
    )
  }

  /// Returns the difference for an action that the reducer sent itself in only one of the logs.
  static func produced(
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

  /// Returns the difference between two events that can't correspond, or between an event and the end of a log.
  ///
  /// - Parameters:
  ///   - recorded: The event or stop in the first log.
  ///   - replayed: The event or stop in the second log.
  ///   - last: The number of the last action that both logs have. Used if neither event belongs to an action.
  /// - Returns: A difference with the cause `sequence`. Its `expected` value names the event in the second log, because
  ///   the replay expects that event in the recording.
  static func outOfStep(
    _ recorded: ComparedEvents.EventOrStop?,
    _ replayed: ComparedEvents.EventOrStop?,
    after last: Int
  ) -> LogDifference {
    let names = (recorded.name, replayed.name)
    return LogDifference(
      seq: recorded.seq ?? replayed.seq ?? last,
      cause: .sequence,
      subject: names.0,
      expected: .string(names.1),
      actual: .string(names.0)
    )
  }
}

extension LogEvent.Read {
  fileprivate var comparable: JSON { ["key": .string(key), "value": value] }
}

extension LogEvent {
  var isAction: Bool {
    if case .action = self { true } else { false }
  }

  fileprivate var effectID: EffectID? {
    if case .effect(let effect) = self { effect.id } else { nil }
  }

  /// Whether an action canceled an effect with this event.
  var isCancellationByAction: Bool {
    if case .effect(let effect) = self { effect.canceller != nil } else { false }
  }

  fileprivate var place: String {
    switch self {
    case .effect(let effect): "'\(effect.event.name)' of effect \(effect.id)"
    case .header: "a header"
    default: seq.map { "\(kind) \($0)" } ?? kind
    }
  }
}

extension LogEvent.Effect {
  /// The number of the action that canceled the effect, or `nil` for other events.
  var canceller: Int? {
    if case .cancelled(by: .action(let seq), _) = event { seq } else { nil }
  }
}

extension LogEvent.Effect.Event {
  fileprivate var name: String {
    switch self {
    case .started: "started"
    case .finished(let sent): "finished, \(sent) sent"
    case .cancelled(.action(let seq), _): "canceled by action \(seq)"
    case .cancelled(.effect(let id), _): "canceled by effect \(id)"
    case .cancelled(.task, _): "canceled by the task"
    case .cancelled(.store, _): "canceled by the store"
    case .failed: "failed"
    }
  }
}

extension ComparedEvents.EventOrStop? {
  fileprivate var name: String {
    if case .event(let event) = self { event.place } else { "the end of the file" }
  }

  fileprivate var seq: Int? {
    if case .event(let event) = self { event.seq } else { nil }
  }
}
