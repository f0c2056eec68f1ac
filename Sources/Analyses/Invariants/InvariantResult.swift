import ActionLog
import LogTools
import ReplayCommands
import ReplayEngine

/// The result of evaluating an invariant in one replay.
package struct InvariantResult: Sendable {
  package let invariant: Invariant
  /// The number of states in which the invariant was evaluated.
  package let states: Int
  /// The first violation, or `nil` if the invariant held in all states.
  package let violation: Violation?
  /// Warnings that explain why the invariant might not check what its author intended.
  package let doubts: [String]

  /// The first state in which an invariant doesn't hold, with the action that led to it.
  package struct Violation: Sendable {
    /// The number of the action, or the number of the checkpoint if the invariant doesn't hold in the first state.
    package let seq: Int
    /// The payload of the action, or `nil` if the invariant doesn't hold in the first state.
    package let action: JSON?
    /// The number of the action's line in the log, or `nil` if the line was not found.
    package let line: Int?
    /// The chain of causes that leads to the action.
    package let causes: [Verdict.Divergence.Link]
    /// The values that the invariant's expression refers to, in this state.
    package let operands: [JSONPath.OperandValue]
    /// The number of all states in which the invariant doesn't hold.
    package let count: Int
  }
}
