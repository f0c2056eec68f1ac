import ActionLog
import ReplayCommands
import ReplayEngine

/// The timelines of a debugger: the recorded timeline and a chain of forks, each of which edits the previous timeline.
///
/// ```swift
/// var timelines = Timelines(log, forker)
/// let fork = try timelines.apply(.skip(seq: 4), at: StepID(seq: 4))
/// timelines.current            // the fork's log
/// timelines.undo()
/// ```
package struct Timelines {
  /// A fork, and the session's step at which it was created.
  package struct Branch {
    package let fork: TimelineFork
    package let place: StepID
  }

  /// The log of the recorded timeline.
  package let recorded: LogSlice
  /// The forks, from the oldest to the newest.
  package private(set) var branches: [Branch] = []
  private let forker: TimelineForker

  package init(_ recorded: LogSlice, _ forker: TimelineForker) {
    self.recorded = recorded
    self.forker = forker
  }

  /// The replay options, including the host.
  package var options: ReplayOptions { forker.options }

  /// The log of the newest fork, or of the recorded timeline.
  package var current: LogSlice { branches.last?.fork.log ?? recorded }

  /// The edits of all forks, each with the action numbers of the timeline to which it was applied.
  package var edits: [TimelineEdit] { branches.flatMap(\.fork.edits) }

  /// Forks the current timeline.
  ///
  /// If an error occurs, the current timeline stays the same.
  ///
  /// - Parameters:
  ///   - edit: The edit, with the action numbers of the current timeline.
  ///   - place: The current step, to which `undo()` returns.
  /// - Returns: The fork.
  /// - Throws: `EditError`, `HostFailure`, `LogReadError`, `StreamError`.
  @discardableResult
  package mutating func apply(_ edit: TimelineEdit, at place: StepID) throws -> TimelineFork {
    let fork = try forker.fork(current, [edit])
    branches.append(Branch(fork: fork, place: place))
    return fork
  }

  /// Removes the newest fork.
  ///
  /// - Returns: The removed fork, or `nil` on the recorded timeline.
  @discardableResult
  package mutating func undo() -> Branch? { branches.popLast() }

  /// Removes all forks.
  ///
  /// - Returns: The oldest of the removed forks, or `nil` on the recorded timeline.
  @discardableResult
  package mutating func undoAll() -> Branch? {
    defer { branches = [] }
    return branches.first
  }

  /// Replays the current fork again, as `run` does.
  ///
  /// - Returns: The verdict, or `nil` on the recorded timeline or if the fork ends with a trap.
  /// - Throws: `HostFailure`, `LogReadError`.
  package func check() throws -> Verdict? {
    guard let fork = branches.last?.fork, fork.trap == nil else { return nil }
    return try forker.check(fork)
  }
}

extension TimelineFork {
  /// The step at which an edit first takes effect.
  package var place: StepID {
    let seq: Int? =
      switch edits.last {
      case .replace(let seq, _), .change(let seq, _, _), .reorder(let seq, _),
        .answerRead(let seq, _, _, _):
        numbers[seq]
      case .insert: added.first(where: \.isInserted)?.seq
      case .set(_, _, let seq): numbers[seq] ?? seq
      case .answerEffect: firstDifference
      case .skip, nil: nil
      }
    return StepID(seq: min(seq ?? after, last.fork))
  }
}
