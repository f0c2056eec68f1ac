import ActionLog
import ReplayCommands
import ReplayEngine

/// The reason why the debugger can't fulfill a request.
package enum DebugError: StatusError, Equatable, CustomStringConvertible {
  /// The debugger has no word with this name.
  case unknownWord(String, known: [String])
  /// Several words have this prefix.
  case ambiguousWord(String, meant: [String])
  /// The arguments don't match the syntax of the word. The last value is the syntax.
  case badArguments(String, word: String, String)
  /// An argument has an invalid value.
  case badValue(String, expected: String)
  /// No breakpoint has this number.
  case noBreakpoint(Int, known: [Int])
  /// No displayed expression has this number.
  case noDisplay(Int, known: [Int])
  /// The log doesn't contain an action that sent the current one.
  case noSender(StepID, LogEvent.Origin?)
  /// The causal chain has no frame with this number.
  case noFrame(Int, last: Int)
  /// The current step is already selected, so no frame is below it.
  case isCurrentFrame(StepID)
  /// The requested step is before the current one and can't be reached forward.
  case isBehind(StepID, current: StepID)
  /// No step in this direction contains the text.
  case notFound(String, from: StepID, DebugSession.Direction)
  /// No bookmark has this name.
  case noBookmark(String, known: [String])
  /// The lines after `commands` have no final `end`.
  case noEnd(breakpoint: Int)
  /// A file with debugger lines contains a line that reads the same file.
  case readsItself(path: String)
  /// The text is not an expression, for this reason.
  case badExpression(String)
  /// An expression has no value at a step, because parts of it have no value or the wrong type.
  case noValue(String, StepID)
  /// The log doesn't contain the state after a step.
  case noState(StepID)
  /// No host can replay another timeline.
  case cannotFork
  /// The current timeline is the recorded one, so there is no edit to undo or write.
  case isRecorded
  /// The current timeline is a fork, which other programs can't read before it is written.
  case isFork
  /// The file contains several logs, but other programs read only the first one.
  case isOneOfSeveral
  /// The host that continued from the log has failed.
  case liveFailed(ReplayEnd)
  /// The word replaces this program by another one, but a client owns the input and output.
  case needsTerminal(String)
  /// The step has no action.
  case noAction(StepID)
  /// The current step is the start of the log, so no step is before it.
  case nothingBefore
  /// The word requires an action, but the step has none.
  case needsAction(word: String, StepID)
  /// The action is followed by fewer external changes.
  case noChangeFromOutside(StepID, last: Int)
  /// A value of the step, such as its state, contains no value at a path.
  case nothing(at: ValuePath, UnresolvedPath?, StepID, in: StepExpression.Root)
  /// Several rows have ids that end with the typed text.
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
