import ActionLog
import LogTools
import ReplayEngine

/// The reason for a stop, and the step at which it occurred.
package struct Stop {
  /// The reason for which the session stopped.
  package enum Reason: String, Sendable {
    /// The requested number of steps is complete.
    case step
    /// A breakpoint or watchpoint matches.
    case breakpoint
    /// The effects of an action have ended.
    case finished
    /// The requested step is reached.
    case arrived
    /// The start of the log is reached.
    case start
    /// The end of the log is reached.
    case end
    /// A damaged line hides the following events.
    case damaged
    /// The user has interrupted the session.
    case interrupted
  }

  /// A match of a breakpoint.
  package struct Hit: Sendable {
    package let number: Int
    package let target: Breakpoint.Target
    /// The breakpoint's target as typed.
    package let text: String
    /// The changes at a watched path.
    package let changes: [PathWatch.WatchedChange]
    package let isTemporary: Bool
    /// The lines to run at this stop.
    package let commands: [String]
    /// The message of a logpoint; `nil` for a breakpoint that stops.
    package let message: String?
    /// The matched step.
    package let step: StepID
  }

  package let reason: Reason
  /// The matches at the step.
  package let hits: [Hit]
  package let step: LogStep
  /// The missing actions before it that no gap accounts for.
  package var passedMissing: [ClosedRange<Int>] = []

  /// The command that suppresses the output of a stop.
  private static let silent = "silent"

  /// Whether the stop is not printed.
  var isSilent: Bool { hits.contains { $0.commands.first == Self.silent } }

  /// The commands of the matched breakpoints.
  package var commands: [String] { hits.flatMap(\.commands).filter { $0 != Self.silent } }
}
