import ActionLog

/// The position of a step in a log: the number of the step's action, and the part of the step.
///
/// Part 0 is the action itself. Parts 1, 2, and so on are the external changes between this action and the next one.
///
/// ```swift
/// StepID(seq: 7)           // action 7
/// StepID(seq: 7, part: 1)  // the first external change after action 7
/// ```
package struct StepID: Hashable, Comparable, Sendable, CustomStringConvertible {
  package var seq: Int
  package var part: Int

  package init(seq: Int, part: Int = 0) { (self.seq, self.part) = (seq, part) }

  package static func < (lhs: StepID, rhs: StepID) -> Bool {
    (lhs.seq, lhs.part) < (rhs.seq, rhs.part)
  }

  /// The id as text: `7`, or `7+1` for the first external change after action 7.
  package var description: String { part == 0 ? "\(seq)" : "\(seq)+\(part)" }

  /// An id that is less than the ids of all steps.
  static let beforeAll = StepID(seq: -1)
  /// An id that is greater than the ids of all steps.
  static let afterAll = StepID(seq: .max, part: .max)

  /// The smallest id after this one.
  var successor: StepID {
    if part < .max { return StepID(seq: seq, part: part + 1) }
    return seq < .max ? StepID(seq: seq + 1) : self
  }
}

/// Divides the events of a log into steps.
struct StepBoundaryDetector {
  /// The id of the step to which the last event belongs.
  private(set) var id = StepID.beforeAll
  private(set) var kind = LogStep.Kind.start
  /// The numbers of missing actions before the step, or `nil` if none are missing or a gap accounts for them.
  private(set) var missing: ClosedRange<Int>?
  /// Whether a gap has occurred since the step began.
  private var hasGap = false
  /// Whether the initial state of the log has not been read.
  private var awaitsState = true

  /// Creates boundaries that start at the first line of a log.
  init() {}

  /// Creates boundaries that start within a log, after a step.
  init(after id: StepID) {
    self.id = id
    kind = .action
    awaitsState = false
  }

  /// Processes the next event.
  ///
  /// - Returns: Whether the event begins a step. If `false`, the event belongs to the current step.
  mutating func advance(_ event: LogEvent) -> Bool {
    switch event {
    case .header:
      guard id == .beforeAll else { return false }
      id = StepID(seq: 0)
      return true
    case .checkpoint(let checkpoint):
      if awaitsState {
        awaitsState = false
        let isFirst = id == .beforeAll
        id.seq = max(checkpoint.seq, 0)
        return isFirst
      }
      guard checkpoint.seq > id.seq else { return false }
      // The actions before the checkpoint are missing.
      return startStep(.resumed, StepID(seq: checkpoint.seq))
    case .withheld(let action): return startStep(.withheld, next(action.seq))
    case .action(let action):
      if kind == .withheld, id.seq == action.seq {
        kind = .action
        return false
      }
      return startStep(.action, next(action.seq))
    case .excluded(let action): return startStep(.excluded, next(action.seq))
    case .external(let change):
      let isLater = change.seq > id.seq
      return startStep(
        .external,
        isLater ? StepID(seq: change.seq, part: 1) : StepID(seq: id.seq, part: id.part + 1)
      )
    case .gap:
      hasGap = true
      return false
    case .read, .change, .effect, .call, .note, .finding, .end, .unknown: return false
    }
  }

  private mutating func startStep(_ kind: LogStep.Kind, _ id: StepID) -> Bool {
    let first = self.id.seq + 1
    missing =
      kind != .resumed && !hasGap && self.id != .beforeAll && first < id.seq
      ? first...id.seq - 1 : nil
    (awaitsState, hasGap) = (false, false)
    (self.kind, self.id) = (kind, id)
    return true
  }

  /// Returns the id for an action.
  ///
  /// An action with a repeated number becomes a part of the last step, so that ids stay in order.
  private func next(_ seq: Int) -> StepID {
    seq > id.seq ? StepID(seq: seq) : StepID(seq: id.seq, part: id.part + 1)
  }
}
