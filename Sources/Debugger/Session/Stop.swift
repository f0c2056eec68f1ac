import ActionLog
import LogTools
import ReplayEngine

/// A stop of a session, with its reason and its step.
package struct Stop {
  /// The reason why a session stopped.
  package enum Reason: String, Sendable {
    /// The session has moved by the requested number of steps.
    case step
    /// A breakpoint or watchpoint matches.
    case breakpoint
    /// The effects of an action have ended.
    case finished
    /// The session has reached the requested step.
    case arrived
    /// The session has reached the start of the log.
    case start
    /// The session has reached the end of the log.
    case end
    /// The events that follow can't be read, because a line is damaged.
    case damaged
    /// The user has interrupted the session.
    case interrupted
  }

  /// A match of a breakpoint.
  package struct Hit: Sendable {
    package let number: Int
    package let target: Breakpoint.Target
    /// The breakpoint's target as the user typed it.
    package let text: String
    /// The changes at a watched path.
    package let changes: [PathWatch.WatchedChange]
    package let isTemporary: Bool
    /// The lines to run at this stop.
    package let commands: [String]
    /// The message of a logpoint, or `nil` for a breakpoint that stops.
    package let message: String?
    /// The id of the step that the breakpoint matched.
    package let step: StepID
  }

  package let reason: Reason
  /// The breakpoints that matched the step.
  package let hits: [Hit]
  package let step: LogStep
  /// The numbers of missing actions that the session has passed and that no gap accounts for.
  package var passedMissing: [ClosedRange<Int>] = []

  /// The command that suppresses the output of a stop.
  private static let silent = "silent"

  /// Whether the first command of a matched breakpoint suppresses the output.
  var isSilent: Bool { hits.contains { $0.commands.first == Self.silent } }

  /// The commands of the matched breakpoints, without `silent`.
  package var commands: [String] { hits.flatMap(\.commands).filter { $0 != Self.silent } }
}
