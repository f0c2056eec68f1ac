import ActionLog
import ReplayEngine

/// A condition on an action and its context, as the user typed it.
package struct Condition: Sendable {
  package let expression: JSONPath.Expression
  private let members: Set<String>?

  package init(_ expression: JSONPath.Expression) {
    self.expression = expression
    members = expression.rootMembers
  }

  /// Returns whether the condition holds for an action.
  package func holds(in context: ActionContext) -> Bool {
    expression.holds(for: value(of: context))
  }

  /// Returns the part of a context that the condition uses.
  package func value(of context: ActionContext) -> JSON { context.value(members: members) }

  /// The members of a context that the condition uses; `nil` if it may use any of them.
  package var usedMembers: Set<String>? { members }

  /// The members that the condition uses and no context has.
  ///
  /// They are probably misspelled.
  package var unknownMembers: [String] {
    (members ?? []).subtracting(ActionContext.members).sorted()
  }
}
