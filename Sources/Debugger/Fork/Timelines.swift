import ActionLog
import ReplayCommands
import ReplayEngine

/// The timelines of a debugger: the recorded one and a chain of forks, each made from the previous one.
///
/// ```swift
/// var timelines = Timelines(log, forker)
/// let fork = try timelines.apply(.skip(seq: 4), at: StepID(seq: 4))
/// timelines.current            // the fork's log
/// timelines.undo()
/// ```
package struct Timelines {
  /// A fork, and the current step when it was created.
  package struct Branch {
    package let fork: TimelineFork
    package let place: StepID
  }

  /// The log of the recorded timeline.
  package let recorded: LogSlice
  /// The forks, oldest first.
  package private(set) var branches: [Branch] = []
  private let forker: TimelineForker

  package init(_ recorded: LogSlice, _ forker: TimelineForker) {
    self.recorded = recorded
    self.forker = forker
  }

  /// The host and its replay options.
  package var options: ReplayOptions { forker.options }

  /// The log of the newest fork, or of the recorded timeline.
  package var current: LogSlice { branches.last?.fork.log ?? recorded }

  /// The edits, each with the numbers of the timeline to which it was applied.
  package var edits: [TimelineEdit] { branches.flatMap(\.fork.edits) }

  /// Forks the current timeline.
  ///
  /// If this fails, the current timeline remains.
  ///
  /// - Parameters:
  ///   - edit: The edit, with the numbers of the current timeline.
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
  /// - Returns: The removed fork; `nil` on the recorded timeline.
  @discardableResult
  package mutating func undo() -> Branch? { branches.popLast() }

  /// Removes all forks.
  ///
  /// - Returns: The oldest removed fork; `nil` on the recorded timeline.
  @discardableResult
  package mutating func undoAll() -> Branch? {
    defer { branches = [] }
    return branches.first
  }

  /// Replays the current fork again, as `run` does.
  ///
  /// - Returns: The verdict; `nil` on the recorded timeline, or if the fork ends with a trap.
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
