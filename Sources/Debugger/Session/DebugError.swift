import ActionLog
import ReplayCommands
import ReplayEngine

/// Something that a person asked a debugger for and that cannot be had.
package enum DebugError: StatusError, Equatable, CustomStringConvertible {
  /// A word that the debugger does not have.
  case unknownWord(String, known: [String])
  /// The beginning of several words.
  case ambiguousWord(String, meant: [String])
  /// Arguments that a word cannot take; and those that it takes.
  case badArguments(String, word: String, String)
  /// A value in the arguments of a word; and what was expected.
  case badValue(String, expected: String)
  /// There is no breakpoint with a number.
  case noBreakpoint(Int, known: [Int])
  /// There is no displayed expression with a number.
  case noDisplay(Int, known: [Int])
  /// No action of the log sent the one where the session stands.
  case noSender(StepID, LogEvent.Origin?)
  /// The chain of causes is shorter.
  case noFrame(Int, last: Int)
  /// The current step is looked at already.
  case isCurrentFrame(StepID)
  /// A walk that goes on cannot come to a step before the current one.
  case isBehind(StepID, current: StepID)
  /// No step on the way has a text.
  case notFound(String, from: StepID, DebugSession.Direction)
  /// There is no bookmark with a name.
  case noBookmark(String, known: [String])
  /// The lines after the word `commands` have no end.
  case noEnd(breakpoint: Int)
  /// A file of lines has a line that reads it once more.
  case readsItself(path: String)
  /// A text that is no expression, and why.
  case badExpression(String)
  /// An expression has no value after a step, because its parts have none or are of other kinds.
  case noValue(String, StepID)
  /// The log does not have the state after a step.
  case noState(StepID)
  /// Nothing here can replay another timeline.
  case cannotFork
  /// This is the recorded timeline, which there is nothing to undo or to write of.
  case isRecorded
  /// This is a timeline that other programs cannot read before it is written.
  case isFork
  /// Other programs begin with the first log of a file.
  case isOneOfSeveral
  /// The host that went on from the log has ended otherwise than it should.
  case liveFailed(ReplayEnd)
  /// The word makes another program of this one, whose input and output belong to a client.
  case needsTerminal(String)
  /// The step has no action.
  case noAction(StepID)
  /// The log has no step before its start.
  case nothingBefore
  /// The word is about an action, and the step is none.
  case needsAction(word: String, StepID)
  /// There are fewer changes from outside after the action.
  case noChangeFromOutside(StepID, last: Int)
  /// A value of the step has nothing at a place.
  case nothing(at: ValuePath, UnresolvedPath?, StepID, in: StepExpression.Root)
  /// Several rows have ids that end as the one that was typed.
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
