import ActionLog
import ReplayCommands
import ReplayEngine

/// The timelines of a debugger: the recorded one, and the forks that edits have made of it, one of the other.
///
/// ```swift
/// var timelines = Timelines(log, forker)
/// let fork = try timelines.apply(.skip(seq: 4), at: StepID(seq: 4))
/// timelines.current            // the fork's log
/// timelines.undo()
/// ```
package struct Timelines {
  /// A fork, and where one stood when it was made.
  package struct Branch {
    package let fork: TimelineFork
    package let place: StepID
  }

  /// The recorded one.
  package let recorded: LogSlice
  /// The forks, each of the one before.
  package private(set) var branches: [Branch] = []
  private let forker: TimelineForker

  package init(_ recorded: LogSlice, _ forker: TimelineForker) {
    self.recorded = recorded
    self.forker = forker
  }

  /// The host, and how it replays.
  package var options: ReplayOptions { forker.options }

  /// The one that was made last.
  package var current: LogSlice { branches.last?.fork.log ?? recorded }

  /// The edits, in the numbers of the timelines on which they were made.
  package var edits: [TimelineEdit] { branches.flatMap(\.fork.edits) }

  /// Makes another timeline of the current one; where that fails, the current one stays.
  ///
  /// - Parameters:
  ///   - edit: The edit, in the numbers of the current timeline.
  ///   - place: Where one stands, which `undo()` leads back to.
  /// - Returns: The timeline.
  /// - Throws: `EditError`, `HostFailure`, `LogReadError`, `StreamError`.
  @discardableResult
  package mutating func apply(_ edit: TimelineEdit, at place: StepID) throws -> TimelineFork {
    let fork = try forker.fork(current, [edit])
    branches.append(Branch(fork: fork, place: place))
    return fork
  }

  /// Goes back to the timeline before the last edit.
  ///
  /// - Returns: What was undone; `nil` on the recorded timeline.
  @discardableResult
  package mutating func undo() -> Branch? { branches.popLast() }

  /// Goes back to the recorded timeline.
  ///
  /// - Returns: The first thing that was undone; `nil` on the recorded timeline.
  @discardableResult
  package mutating func undoAll() -> Branch? {
    defer { branches = [] }
    return branches.first
  }

  /// Replays the current timeline once more, as `run` does.
  ///
  /// - Returns: The verdict; `nil` on the recorded timeline, and on one that ends with a trap.
  /// - Throws: `HostFailure`, `LogReadError`.
  package func check() throws -> Verdict? {
    guard let fork = branches.last?.fork, fork.trap == nil else { return nil }
    return try forker.check(fork)
  }
}

extension TimelineFork {
  /// Where an edit shows first.
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
