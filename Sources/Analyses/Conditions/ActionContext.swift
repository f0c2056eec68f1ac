import ActionLog
import LogTools
import ReplayEngine

/// An action of a log with the states around it, its effects and its reads: the values that conditions refer to.
struct ActionContext: Sendable {
  /// The action's number; that of the checkpoint at the start of a log.
  let seq: Int
  /// The action; `nil` at the start of a log.
  let action: LogEvent.Action?
  /// The state before the action.
  let before: JSON?
  /// The state after it.
  let state: JSON
  /// The effects that the reducer returned for it.
  let effects: [EffectDescription]
  /// The values that the reducer read from its dependencies.
  let reads: [LogEvent.Read]

  /// The value that `$` stands for in an expression.
  ///
  /// - Parameter members: The members that are needed; `nil` for all.
  /// - Returns: An object with these members.
  func value(members: Set<String>?) -> JSON {
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
  static let members = ["seq", "action", "origin", "before", "state", "effects", "reads"]
}

/// The contexts of a log's actions, in order.
struct ActionContexts {
  private let events: LogComparison.Events
  private var cursor = LogCursor()
  private var action: LogEvent.Action?
  private var reads: [LogEvent.Read] = []

  init(_ events: @escaping LogComparison.Events) { self.events = events }

  /// The next context; `nil` after the last.
  ///
  /// - Throws: What the events throw, and `LogCursor.BrokenPatch`.
  mutating func next() throws -> ActionContext? {
    while let event = try events() {
      try cursor.move(to: event)
      switch event {
      case .action(let action):
        self.action = action
        reads = []
      case .read(let read): reads.append(read)
      case .change(let change):
        guard let action, action.seq == change.seq else { continue }
        let before = cursor.state
        try cursor.apply()
        guard let state = cursor.state else { continue }
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
      default: continue
      }
    }
    return nil
  }
}

/// A condition on an action and its context, as the user wrote it.
struct Condition: Sendable {
  let expression: JSONPath.Expression
  private let members: Set<String>?

  init(_ expression: JSONPath.Expression) {
    self.expression = expression
    members = expression.rootMembers
  }

  /// Whether the condition holds for an action.
  func holds(in context: ActionContext) -> Bool { expression.holds(for: value(of: context)) }

  /// The part of a context that the condition uses.
  func value(of context: ActionContext) -> JSON { context.value(members: members) }

  /// The members of a context that the condition uses; `nil` when it may use any of them.
  var usedMembers: Set<String>? { members }

  /// The members that the condition uses and that no context has; most likely they are misspelt.
  var unknownMembers: [String] {
    (members ?? []).subtracting(ActionContext.members).sorted()
  }
}
