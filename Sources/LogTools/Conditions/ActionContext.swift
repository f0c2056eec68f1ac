import ActionLog
import ReplayEngine

/// An action of a log with the states around it, its effects and its reads.
///
/// Conditions refer to these values.
package struct ActionContext: Sendable {
  /// The number of the action, or of the checkpoint at the start of a log.
  package let seq: Int
  /// The action; `nil` at the start of a log.
  package let action: LogEvent.Action?
  /// The state before the action.
  package let before: JSON?
  /// The state after the action.
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

  /// Returns the value of `$` in an expression.
  ///
  /// - Parameter members: The required members; `nil` for all.
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

  /// The names of all members, for help and messages.
  package static let members = [
    "seq", "action", "origin", "before", "state", "effects", "reads",
  ]
}

/// Builds the contexts of actions from the events of a log.
package struct ActionContextBuilder: Sendable {
  private var action: LogEvent.Action?
  private var reads: [LogEvent.Read] = []

  package init() {}

  /// Reads the event at a cursor, and applies it if it completes an action.
  ///
  /// - Returns: The context of the completed action, or of the start of the log; otherwise `nil`.
  /// - Throws: `LogCursor.BrokenPatch`.
  package mutating func consume(
    _ event: LogEvent,
    _ cursor: inout LogCursor
  ) throws(LogCursor.BrokenPatch) -> ActionContext? {
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
      return ActionContext(
        seq: change.seq,
        action: action,
        before: before,
        state: state,
        effects: change.effects,
        reads: reads
      )
    // Later checkpoints repeat a known state.
    case .checkpoint(let checkpoint) where cursor.state == nil:
      return ActionContext(
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

/// The contexts of a log's actions, in order.
package struct ActionContexts {
  private let events: LogComparison.Events
  private var cursor = LogCursor()
  private var builder = ActionContextBuilder()

  package init(_ events: @escaping LogComparison.Events) { self.events = events }

  /// Returns the next context; `nil` after the last.
  ///
  /// - Throws: The errors of the events, and `LogCursor.BrokenPatch`.
  package mutating func next() throws -> ActionContext? {
    while let event = try events() {
      try cursor.move(to: event)
      if let context = try builder.consume(event, &cursor) { return context }
    }
    return nil
  }
}
