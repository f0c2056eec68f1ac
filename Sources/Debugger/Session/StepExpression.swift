import ActionLog
import LogTools
import ReplayCommands
import ReplayEngine

/// An expression about a step, which is a path, a query, or a condition.
///
/// ```swift
/// try StepExpression(parsing: "todos[*].title")             // paths in the state after the step
/// try StepExpression(parsing: "before.todos[0]")            // a path in the state before the step
/// try StepExpression(parsing: "action.saved.revision")      // a path in the action
/// try StepExpression(parsing: "$.reads[0].value")           // a query (RFC 9535) over the values of conditions
/// try StepExpression(parsing: "$.state.count > 3")          // a condition
/// ```
package struct StepExpression: Sendable, CustomStringConvertible {
  private enum ExpressionForm: Sendable {
    /// A path in the state. If its first name can also be a root, `rooted` is the second interpretation.
    case place(ValuePath, rooted: RootedPath?)
    case query(JSONPath)
    case condition(Condition)
    case computation(JSONPath.Computation)
  }

  /// A path in a value other than the state after the step.
  private struct RootedPath: Sendable {
    let root: Root
    /// The path in the value, or `nil` for the value itself.
    let place: ValuePath?
  }

  /// The values of a step that paths can refer to.
  package enum Root: String, Sendable, CaseIterable {
    case state, before, action, reads, effects
  }

  /// The expression as the user typed it.
  package let description: String
  private let form: ExpressionForm

  /// Parses an expression.
  ///
  /// - Throws: `DebugError.badExpression`.
  package init(parsing text: String) throws(DebugError) {
    description = text
    if text.hasPrefix("$") || text.hasPrefix("!") || text.hasPrefix("(") {
      form = try Self.query(text)
      return
    }
    let place: ValuePath
    do throws(NotationSyntaxError) { place = try ValuePath(parsing: text) } catch {
      // The text begins like a path, but is not a valid path.
      form = try Self.query(text)
      return
    }
    form = .place(place, rooted: Self.rooted(text))
  }

  private static func query(_ text: String) throws(DebugError) -> ExpressionForm {
    // A query is also a valid condition that tests for existence, but the values are more informative.
    if let query = try? JSONPath(parsing: text) { return .query(query) }
    do throws(JSONPath.SyntaxError) {
      return .condition(Condition(try JSONPath.Expression(parsing: text)))
    } catch {
      if let computation = try? JSONPath.Computation(parsing: text) {
        return .computation(computation)
      }
      throw .badExpression("\(error)")
    }
  }

  private static func rooted(_ text: String) -> RootedPath? {
    let name = text.prefix { $0.isLetter }
    guard let root = Root(rawValue: String(name)) else { return nil }
    let rest = text.dropFirst(name.count)
    if rest.isEmpty { return RootedPath(root: root, place: nil) }
    guard rest.hasPrefix(".") || rest.hasPrefix("[") else { return nil }
    let place = try? ValuePath(parsing: String(rest.hasPrefix(".") ? rest.dropFirst() : rest))
    return place.map { RootedPath(root: root, place: $0) }
  }

  /// The value of an expression at a step.
  package enum Value: Sendable, Equatable {
    /// A single value.
    case one(JSON)
    /// A complete action.
    case action(JSON)
    /// The values at several paths.
    case many([ExpressionValue])
    /// The result of a condition.
    case truth(Bool)
  }

  /// A value and its path.
  package struct ExpressionValue: Sendable, Equatable {
    /// The path, in the notation for people.
    package let place: String
    package let pointer: JSON.Pointer
    package let value: JSON
  }

  /// Returns the value at a step.
  ///
  /// - Throws: `DebugError`.
  package func value(in step: LogStep) throws(DebugError) -> Value {
    switch form {
    case .condition(let condition):
      guard let context = step.context else { throw .noState(step.id) }
      return .truth(condition.holds(in: context))
    case .computation(let computation):
      guard let context = step.context else { throw .noState(step.id) }
      guard let value = computation.value(in: context.value(members: nil)) else {
        throw .noValue(description, step.id)
      }
      return .one(value)
    case .query(let query):
      guard let context = step.context else { throw .noState(step.id) }
      return value(of: query, in: context.value(members: nil), step)
    case .place(let place, let rooted):
      do throws(DebugError) { return try value(place, rooted, in: step) } catch {
        guard let value = valueInConditions(of: place, in: step) else { throw error }
        return value
      }
    }
  }

  private func value(
    _ place: ValuePath,
    _ rooted: RootedPath?,
    in step: LogStep
  ) throws(DebugError) -> Value {
    // Members of the state take precedence.
    if let state = step.after, case .found(let pointers) = place.resolve(in: state) {
      return value(place, pointers, in: state)
    }
    if let rooted { return try value(rooted, in: step) }
    guard let state = step.after else { throw .noState(step.id) }
    return try value(place, in: state, step.id, .state)
  }

  /// Returns the value of an expression in the syntax of conditions, such as `rows.count`, `seq`, or `.saved`.
  private func valueInConditions(of place: ValuePath, in step: LogStep) -> Value? {
    guard let context = step.context else { return nil }
    if let computation = try? JSONPath.Computation(parsing: description),
      let value = computation.value(in: context.value(members: nil))
    {
      return .one(value)
    }
    // A text that begins with a member of the state is treated as a misspelled path.
    guard description.hasPrefix("."), let end = UnresolvedPath(place, in: context.state),
      end.path.steps.isEmpty, end.meant == nil,
      let expression = try? JSONPath.Expression(parsing: description)
    else { return nil }
    return .truth(Condition(expression).holds(in: context))
  }

  private func value(of query: JSONPath, in root: JSON, _ step: LogStep) -> Value {
    let nodes = query.nodes(in: root)
    if nodes.count == 1 {
      return description == "$.action" ? .action(nodes[0].value) : .one(nodes[0].value)
    }
    return .many(
      nodes.map {
        ExpressionValue(
          place: Notation().pathText($0.pointer, in: root),
          pointer: $0.pointer,
          value: $0.value
        )
      }
    )
  }

  private func value(_ rooted: RootedPath, in step: LogStep) throws(DebugError) -> Value {
    let root: JSON?
    if rooted.root == .before, step.kind == .start { throw .nothingBefore }
    switch rooted.root {
    case .state: root = step.after
    case .before: root = step.before
    case .action: root = step.action?.action
    case .reads: root = .array(step.reads.map { ["key": .string($0.key), "value": $0.value] })
    case .effects: root = .array(step.effects.map { JSON(logging: $0) })
    }
    guard let root else { throw rooted.root == .action ? .noAction(step.id) : .noState(step.id) }
    guard let place = rooted.place else {
      return rooted.root == .action ? .action(root) : .one(root)
    }
    return try value(place, in: root, step.id, rooted.root)
  }

  private func value(
    _ place: ValuePath,
    in root: JSON,
    _ id: StepID,
    _ name: Root
  ) throws(DebugError) -> Value {
    switch place.resolve(in: root) {
    case .found(let pointers): return value(place, pointers, in: root)
    case .ambiguous(_, let ids): throw .ambiguous(place, ids: ids)
    case .missing: throw .nothing(at: place, UnresolvedPath(place, in: root), id, in: name)
    }
  }

  private func value(_ place: ValuePath, _ pointers: [JSON.Pointer], in root: JSON) -> Value {
    guard place.standsForMany || pointers.count != 1 else {
      return .one(root[pointers[0]] ?? .null)
    }
    return .many(
      pointers.map {
        ExpressionValue(
          place: Notation().pathText($0, in: root),
          pointer: $0,
          value: root[$0] ?? .null
        )
      }
    )
  }
}
