import ActionLog

/// Where in a log a condition begins and ceases to hold, by one reading of it.
struct ConditionScan: Sendable, Equatable {
  /// An action after which the answer is another one than before it.
  struct Flip: Sendable, Equatable {
    let seq: Int
    let holds: Bool
  }

  /// Whether the condition holds before the first action.
  private(set) var holdsAtStart = false
  /// Every flip, in order.
  private(set) var flips: [Flip] = []
  /// What the first action after which it holds has changed.
  private(set) var differences: [LogDifference] = []
  /// The last action of the log.
  private(set) var last = 0
  /// Why the condition, or a part of it, cannot come out as meant.
  private(set) var doubts: [ConditionSurvey.Doubt] = []
  /// Those that another log has as well.
  private(set) var certainDoubts: [ConditionSurvey.Doubt] = []

  /// The first action after which the condition holds, having not held before.
  var first: Int? { flips.first { $0.holds }?.seq }

  /// Reads a log.
  ///
  /// - Throws: What the events throw, and `ReplayError.brokenPatch`.
  init(_ events: @escaping LogComparison.Events, for condition: Condition) throws {
    var moments = Moments(events)
    var survey = ConditionSurvey(condition.expression)
    var held: Bool?
    var hasHeld = false
    defer {
      doubts = survey.doubts(isNeverTrue: !hasHeld)
      certainDoubts = survey.doubts(isNeverTrue: false)
    }
    while let moment = try moments.next() {
      last = moment.seq
      let value = condition.value(of: moment)
      survey.look(at: value)
      let holds = condition.expression.holds(for: value)
      hasHeld = hasHeld || holds
      defer { held = holds }
      guard let held else {
        holdsAtStart = moment.action == nil && holds
        if moment.action != nil, holds { note(moment, holds) }
        continue
      }
      if held != holds { note(moment, holds) }
    }
  }

  private mutating func note(_ moment: Moment, _ holds: Bool) {
    if holds, first == nil { differences = moment.differences }
    flips.append(Flip(seq: moment.seq, holds: holds))
  }
}

extension Moment {
  /// What the action has changed.
  fileprivate var differences: [LogDifference] {
    guard let before else { return [] }
    return JSON.differences(from: before, to: state).map {
      LogDifference($0, seq: seq, cause: .state)
    }
  }
}
