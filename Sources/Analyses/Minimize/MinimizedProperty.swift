import ActionLog
import ReplayCommands
import ReplayHosts

/// What a log shows, and a shorter one must go on to show.
enum MinimizedProperty: Sendable {
  /// A condition that holds after an action.
  case condition(Condition)
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
    case .condition(let condition):
      return try Self.isMet(condition, in: outcome.events) ? .condition : nil
    case .trap:
      guard let signal = outcome.trap, let action = outcome.last else { return nil }
      return .trap(signal: signal, action: action.action.caseNames)
    case .difference(let reference):
      return try Self.difference(
        of: try reference.replay(retelling),
        to: outcome,
        reference.options.comparison
      )
    }
  }

  /// Whether a condition holds after any action.
  private static func isMet(_ condition: Condition, in events: [LogEvent]) throws -> Bool {
    var rest = events[...]
    var moments = Moments { rest.popFirst() }
    while let moment = try moments.next() {
      if condition.holds(at: moment) { return true }
    }
    return false
  }

  private static func difference(
    of expected: StoryReplayer.Outcome,
    to actual: StoryReplayer.Outcome,
    _ options: LogComparison.Options
  ) throws -> Sighting? {
    if expected.trap != actual.trap {
      return (actual.trap ?? expected.trap).map { .trapOfOne(signal: $0) }
    }
    var recorded = expected.events[...]
    var replayed = actual.events[...]
    var comparison = LogComparison(
      recorded: { recorded.popFirst() },
      replayed: { replayed.popFirst() },
      options: options
    )
    return try comparison.run().differences.first.map { .difference($0.cause) }
  }
}

extension JSON {
  /// The names of the cases of an action, from the outside: what kind of action it is, whatever its values are.
  package var caseNames: [String] {
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
