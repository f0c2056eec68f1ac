import ActionLog
import ReplayEngine

/// An action of a log with the states around it, its effects and its reads: the values that conditions refer to.
package struct ActionContext: Sendable {
  /// The action's number; that of the checkpoint at the start of a log.
  package let seq: Int
  /// The action; `nil` at the start of a log.
  package let action: LogEvent.Action?
  /// The state before the action.
  package let before: JSON?
  /// The state after it.
  package let state: JSON
  /// The effects that the reducer returned for it.
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

  /// The value that `$` stands for in an expression.
  ///
  /// - Parameter members: The members that are needed; `nil` for all.
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

  /// The names of the members, for help and messages.
  package static let members = [
    "seq", "action", "origin", "before", "state", "effects", "reads",
  ]
}

/// Puts together the contexts of actions as the events of a log go by.
package struct ActionContextBuilder: Sendable {
  private var action: LogEvent.Action?
  private var reads: [LogEvent.Read] = []

  package init() {}

  /// Takes the event to which a cursor has moved, and applies it when it completes an action.
  ///
  /// - Returns: The context of an action that the event completes, or of the start of the log; else `nil`.
  /// - Throws: `LogCursor.BrokenPatch`.
  package mutating func advance(
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
    // A later checkpoint adds nothing.
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

  /// The next context; `nil` after the last.
  ///
  /// - Throws: What the events throw, and `LogCursor.BrokenPatch`.
  package mutating func next() throws -> ActionContext? {
    while let event = try events() {
      try cursor.move(to: event)
      if let context = try builder.advance(event, &cursor) { return context }
    }
    return nil
  }
}

/// A condition on an action and its context, as the user wrote it.
package struct Condition: Sendable {
  package let expression: JSONPath.Expression
  private let members: Set<String>?

  package init(_ expression: JSONPath.Expression) {
    self.expression = expression
    members = expression.rootMembers
  }

  /// Whether the condition holds for an action.
  package func holds(in context: ActionContext) -> Bool {
    expression.holds(for: value(of: context))
  }

  /// The part of a context that the condition uses.
  package func value(of context: ActionContext) -> JSON { context.value(members: members) }

  /// The members of a context that the condition uses; `nil` when it may use any of them.
  package var usedMembers: Set<String>? { members }

  /// The members that the condition uses and that no context has; most likely they are misspelt.
  package var unknownMembers: [String] {
    (members ?? []).subtracting(ActionContext.members).sorted()
  }
}
