import ActionLog
import ReplayCommands
import ReplayEngine

/// An error in a request to a debugger.
package enum DebugError: StatusError, Equatable, CustomStringConvertible {
  /// The debugger has no such word.
  case unknownWord(String, known: [String])
  /// Several words have this prefix.
  case ambiguousWord(String, meant: [String])
  /// The arguments don't match the word's syntax, which is the last value.
  case badArguments(String, word: String, String)
  /// An argument has an invalid value.
  case badValue(String, expected: String)
  /// No breakpoint has this number.
  case noBreakpoint(Int, known: [Int])
  /// No displayed expression has this number.
  case noDisplay(Int, known: [Int])
  /// No action of the log sent the current one.
  case noSender(StepID, LogEvent.Origin?)
  /// The causal chain is shorter.
  case noFrame(Int, last: Int)
  /// The current step is already selected.
  case isCurrentFrame(StepID)
  /// The requested step is before the current one and can't be reached forward.
  case isBehind(StepID, current: StepID)
  /// No step in this direction contains the text.
  case notFound(String, from: StepID, DebugSession.Direction)
  /// No bookmark has this name.
  case noBookmark(String, known: [String])
  /// The lines after `commands` have no `end`.
  case noEnd(breakpoint: Int)
  /// A file of lines reads itself.
  case readsItself(path: String)
  /// The text is not an expression; the value is the reason.
  case badExpression(String)
  /// An expression has no value at a step, because its parts have none or have the wrong types.
  case noValue(String, StepID)
  /// The log doesn't contain the state after a step.
  case noState(StepID)
  /// No host can replay another timeline.
  case cannotFork
  /// The recorded timeline has nothing to undo or write.
  case isRecorded
  /// Other programs can't read a fork before it is written.
  case isFork
  /// Other programs read only the first log of a file.
  case isOneOfSeveral
  /// The host that continued from the log has failed.
  case liveFailed(ReplayEnd)
  /// The word replaces this program by another one, but input and output belong to a client.
  case needsTerminal(String)
  /// The step has no action.
  case noAction(StepID)
  /// The log has no step before its start.
  case nothingBefore
  /// The word requires an action, but the step has none.
  case needsAction(word: String, StepID)
  /// The action has fewer external changes.
  case noChangeFromOutside(StepID, last: Int)
  /// A value of the step has no value at a path.
  case nothing(at: ValuePath, UnresolvedPath?, StepID, in: StepExpression.Root)
  /// Several rows have ids that end with the typed one.
  case ambiguous(ValuePath, ids: [String])

  package var description: String { Wording.describe(self) }

  package var status: ExitStatus {
    switch self {
    case .unknownWord, .ambiguousWord, .badArguments, .badValue, .badExpression, .ambiguous,
      .needsAction, .noEnd, .readsItself:
      .usage
    case .noFrame, .isCurrentFrame, .isBehind, .notFound, .noBookmark, .noBreakpoint, .noDisplay,
      .noSender, .noValue, .noState, .noAction, .nothing,
      .nothingBefore, .noChangeFromOutside, .isRecorded, .isFork, .isOneOfSeveral, .needsTerminal:
      .different
    case .liveFailed(.exited(let status)): ExitStatus(rawValue: status) ?? .hostFailed
    case .cannotFork, .liveFailed: .hostFailed
    }
  }
}
