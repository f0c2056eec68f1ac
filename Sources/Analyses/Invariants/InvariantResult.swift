import ActionLog
import LogTools
import ReplayCommands
import ReplayEngine

/// The result of an invariant in one replay.
package struct InvariantResult: Sendable {
  package let invariant: Invariant
  /// The number of states on which it was evaluated.
  package let states: Int
  /// The first violation; `nil` if it held in all states.
  package let violation: Violation?
  /// The reasons why it may not check what its author intended.
  package let doubts: [String]

  /// The first action after which an invariant doesn't hold.
  package struct Violation: Sendable {
    /// The action's number, or that of the checkpoint if the invariant never held.
    package let seq: Int
    /// The action; `nil` before the first one.
    package let action: JSON?
    /// The line of the action in the log.
    package let line: Int?
    /// The causal chain of the action.
    package let causes: [Verdict.Divergence.Link]
    /// The values that the invariant refers to.
    package let operands: [JSONPath.OperandValue]
    /// The number of states in which it doesn't hold.
    package let count: Int
  }
}
