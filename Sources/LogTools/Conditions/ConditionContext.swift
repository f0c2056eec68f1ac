import ActionLog
import ReplayEngine

/// An action from a log, with its effects, its reads, and the states before and after it.
///
/// A condition is evaluated on these values. The state at the start of the log, or after a gap, is a context without an
/// action.
package struct ConditionContext: Sendable {
  /// The number of the action, or of the checkpoint that contains the state.
  package let seq: Int
  /// The action, or `nil` if the state comes from a checkpoint at the start of the log or after a gap.
  package let action: LogEvent.Action?
  /// The state before the action, or `nil` if there is no action or the state is unknown.
  package let before: JSON?
  /// The state after the action, or the state in the checkpoint.
  package let state: JSON
  /// The effects that the reducer returned for the action.
  package let effects: [EffectDescription]
  /// The values that the reducer read from its dependencies.
  package let reads: [LogEvent.Read]

  package init(
    seq: Int,
    action: LogEvent.Action?,
    before: JSON?,
    state: JSON,
    effects: [EffectDescription],
    reads: [LogEvent.Read]
  ) {
    self.seq = seq
    self.action = action
    self.before = before
    self.state = state
    self.effects = effects
    self.reads = reads
  }

  /// Returns the value of `$` when an expression is evaluated on this context.
  ///
  /// - Parameter members: The members that the expression uses, or `nil` for all members.
  /// - Returns: An object with these members.
  package func value(members: Set<String>?) -> JSON {
    var object = JSON.Object()
    func add(_ name: String, _ value: @autoclosure () -> JSON?) {
      guard members?.contains(name) ?? true, let value = value() else { return }
      object[name] = value
    }
    add("seq", .number(JSON.Number(seq)))
    add("action", action?.action)
    add("origin", action?.origin.json)
    add("before", before)
    add("state", state)
    add("effects", .array(effects.map { JSON(logging: $0) }))
    add("reads", .array(reads.map { ["key": .string($0.key), "value": $0.value] }))
    return .object(object)
  }

  /// The names of all members of a context, for help texts and error messages.
  package static let members = [
    "seq", "action", "origin", "before", "state", "effects", "reads",
  ]
}

/// Combines the events of each action into a context.
package struct ConditionContextBuilder: Sendable {
  private var action: LogEvent.Action?
  private var reads: [LogEvent.Read] = []

  package init() {}

  /// Processes the cursor's current event, and applies it if it completes an action.
  ///
  /// - Parameters:
  ///   - event: The event to which the cursor has moved.
  ///   - cursor: The cursor, with the state before the event.
  /// - Returns: The context if the event completes an action, or is a checkpoint at the start of the log or after a
  ///   gap; otherwise, `nil`.
  /// - Throws: `LogCursor.BrokenPatch` if the action's patch does not fit the state.
  package mutating func consume(
    _ event: LogEvent,
    _ cursor: inout LogCursor
  ) throws(LogCursor.BrokenPatch) -> ConditionContext? {
    switch event {
    case .action(let action):
      self.action = action
      reads = []
    case .read(let read): reads.append(read)
    case .change(let change):
      guard let action, action.seq == change.seq else { return nil }
      let before = cursor.state
      try cursor.apply()
      guard let state = cursor.state else { return nil }
      return ConditionContext(
        seq: change.seq,
        action: action,
        before: before,
        state: state,
        effects: change.effects,
        reads: reads
      )
    // Later checkpoints repeat a state that is known already.
    case .checkpoint(let checkpoint) where cursor.state == nil:
      return ConditionContext(
        seq: checkpoint.seq,
        action: nil,
        before: nil,
        state: checkpoint.state,
        effects: [],
        reads: []
      )
    default: break
    }
    return nil
  }
}

/// Reads the actions of a log as contexts, in order.
///
/// A checkpoint at the start of the log or after a gap also has a context.
package struct ConditionContextReader {
  private let events: LogComparison.Events
  private var cursor = LogCursor()
  private var builder = ConditionContextBuilder()

  package init(_ events: @escaping LogComparison.Events) { self.events = events }

  /// Returns the next context, or `nil` after the last one.
  ///
  /// - Throws: The errors that reading the log throws, such as `LogReadError`, and `LogCursor.BrokenPatch`.
  package mutating func next() throws -> ConditionContext? {
    while let event = try events() {
      try cursor.move(to: event)
      if let context = try builder.consume(event, &cursor) { return context }
    }
    return nil
  }
}
