import ActionLog
import ReplayEngine

/// A condition on an action and its context, parsed from an option such as `--when`.
package struct Condition: Sendable {
  package let expression: JSONPath.Expression
  private let members: Set<String>?

  package init(_ expression: JSONPath.Expression) {
    self.expression = expression
    members = expression.rootMembers
  }

  /// Returns whether the condition holds for the action of a context.
  package func holds(in context: ConditionContext) -> Bool {
    expression.holds(for: value(of: context))
  }

  /// Returns the members of a context that the condition uses, as an object.
  package func value(of context: ConditionContext) -> JSON { context.value(members: members) }

  /// The names of the members that the condition uses, or `nil` if it may use any of them.
  package var usedMembers: Set<String>? { members }

  /// The names in the condition that are not members of a context, probably because of misspellings.
  package var unknownMembers: [String] {
    (members ?? []).subtracting(ConditionContext.members).sorted()
  }
}
