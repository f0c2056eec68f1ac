import ActionLog

/// What a log shows, and a shorter one must go on to show.
enum MinimizedProperty: Sendable {
  /// A condition that holds after an action.
  case condition(@Sendable (Timeline.Entry) -> Bool)
  /// The trap of the host within an action of a kind.
  case trap
  /// A difference to another host.
  case difference(to: StoryReplayer)

  /// What was seen of it, so that another log can be asked for the same.
  enum Sighting: Hashable, Sendable {
    case condition
    case trap(signal: String, action: [String])
    case difference(LogDifference.Cause)
    /// One of two hosts trapped.
    case trapOfOne(signal: String)
  }

  /// Looks for the property in a replay.
  ///
  /// - Returns: What was seen; `nil` when the property does not hold.
  func sighting(
    in outcome: StoryReplayer.Outcome,
    of retelling: Story.Retelling
  ) throws -> Sighting? {
    switch self {
    case .condition(let holds):
      return try Self.first(in: outcome.events, where: holds) == nil ? nil : .condition
    case .trap:
      guard let signal = outcome.trap, let action = outcome.last else { return nil }
      return .trap(signal: signal, action: action.action.caseNames)
    case .difference(let reference):
      return try Self.difference(of: try reference.replay(retelling), to: outcome)
    }
  }

  /// The first action after which a condition holds.
  static func first(
    in events: [LogEvent],
    where holds: (Timeline.Entry) -> Bool
  ) throws -> Int? {
    var rest = events[...]
    var timeline = Timeline { rest.popFirst() }
    while let entry = try timeline.next() {
      guard entry.stateAfter != nil else { continue }
      if holds(entry) { return entry.seq }
    }
    return nil
  }

  private static func difference(
    of expected: StoryReplayer.Outcome,
    to actual: StoryReplayer.Outcome
  ) throws -> Sighting? {
    if expected.trap != actual.trap {
      return (actual.trap ?? expected.trap).map { .trapOfOne(signal: $0) }
    }
    var recorded = expected.events[...]
    var replayed = actual.events[...]
    var comparison = LogComparison(
      recorded: { recorded.popFirst() },
      replayed: { replayed.popFirst() }
    )
    return try comparison.run().differences.first.map { .difference($0.cause) }
  }
}

extension JSON {
  /// The names of the cases of an action, from the outside: what kind of action it is, whatever its values are.
  var caseNames: [String] {
    var names: [String] = []
    var value = self
    while let object = value.object, object.count == 1, let name = object.keys.first,
      let inner = object.values.first
    {
      names.append(name)
      value = inner
    }
    return names
  }
}
