import ActionLog

/// The place of a step in a log: the number of its action, and its part.
///
/// Part 0 is the action itself. A change from outside after it is part 1, the next one part 2, until the next action.
///
/// ```swift
/// StepID(seq: 7)           // action 7
/// StepID(seq: 7, part: 1)  // the first change from outside after action 7
/// ```
package struct StepID: Hashable, Comparable, Sendable, CustomStringConvertible {
  package var seq: Int
  package var part: Int

  package init(seq: Int, part: Int = 0) { (self.seq, self.part) = (seq, part) }

  package static func < (lhs: StepID, rhs: StepID) -> Bool {
    (lhs.seq, lhs.part) < (rhs.seq, rhs.part)
  }

  /// `7`, or `7+1` for the first change from outside after action 7.
  package var description: String { part == 0 ? "\(seq)" : "\(seq)+\(part)" }

  /// Before every step.
  static let beforeAll = StepID(seq: -1)
  /// After every step.
  static let afterAll = StepID(seq: .max, part: .max)

  /// The least id after this one.
  var successor: StepID {
    if part < .max { return StepID(seq: seq, part: part + 1) }
    return seq < .max ? StepID(seq: seq + 1) : self
  }
}

/// Cuts the events of a log into steps, as they go by.
struct StepBoundaries {
  /// The step to which the last event belongs.
  private(set) var id = StepID.beforeAll
  private(set) var kind = LogStep.Kind.start
  /// The actions that are missing before the step, without a gap that says so.
  private(set) var missing: ClosedRange<Int>?
  /// Whether something was said to be missing since the step began.
  private var hasGap = false
  /// Whether the state with which the log begins is still to come.
  private var awaitsState = true

  /// Begins at the first line of a log.
  init() {}

  /// Begins within a log, after the step with an id.
  init(after id: StepID) {
    self.id = id
    kind = .action
    awaitsState = false
  }

  /// Takes the next event.
  ///
  /// - Returns: Whether it begins a step; else it belongs to the one before.
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
      // Actions are missing before it.
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

  /// The id of an action; one with a number that was there before is a part of the last step, so that ids are in order.
  private func next(_ seq: Int) -> StepID {
    seq > id.seq ? StepID(seq: seq) : StepID(seq: id.seq, part: id.part + 1)
  }
}
