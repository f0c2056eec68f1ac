import ActionLog
import ReplayEngine

/// The result of comparing two logs whose steps were aligned.
///
/// ```swift
/// let logs = try AlignedComparison({ try a.events() }, { try b.events() }).run()
/// logs.matches           // actions 1 to 3 match 1 to 3, and actions 5 to 10 match 4 to 9
/// logs.lone              // action 4, which only the first log has
/// logs.valueDifferences  // the differences between matched actions, with the ids and dates of the first log
/// ```
package struct AlignedComparisonResult: Sendable {
  /// The numbers of consecutive actions in the first log, and the numbers of their counterparts in the second log.
  package struct Match: Sendable, Equatable {
    package let first: ClosedRange<Int>
    package let second: ClosedRange<Int>
  }

  /// Identifies one of the two compared logs.
  package enum Side: Sendable { case first, second }

  /// A step that only one log has, or that the other log has at another position.
  package struct UnpairedStep: Sendable, Equatable {
    package let side: Side
    /// The action's number, or the number of the last action before the step if the step is not an action.
    package let seq: Int
    package let event: LogEvent
    /// The number of the corresponding action in the other log, or `nil` if the other log lacks the step.
    ///
    /// If the step is not an action, this is the number of the last action before the corresponding step.
    package let movedTo: Int?
    /// The position in the first log by which steps of both logs are sorted.
    ///
    /// For a step of the first log, the position is `seq`. For a step of the second log, it is the number of the last
    /// action in the first log before the step.
    package let place: Int

    package var isAction: Bool { event.isAction || event.kind == "excluded" }
  }

  /// The differences that were found at one position of the logs.
  package struct PositionedDifferences: Sendable, Equatable {
    /// The position at which the differences were found.
    package enum GroupPosition: Sendable, Equatable {
      case start
      case actions(first: Int, second: Int)
      /// At corresponding events that follow different actions in the two logs.
      ///
      /// The number is that of the action in the first log.
      case after(Int)
      /// Between two pairs of steps, where at least one log has steps without a counterpart at the same position.
      case lone
      /// At the end, where the final states are compared.
      case end
    }

    package let place: GroupPosition
    /// The steps that have no counterpart, or have it at another position.
    package internal(set) var lone: [UnpairedStep] = []
    package internal(set) var differences: [LogDifference] = []
    /// The differences at paths whose values already differed before, but differ in another way now.
    package internal(set) var continuing: [LogDifference] = []
  }

  /// The number of actions in a log, and the number of its last action.
  package struct Length: Sendable, Equatable {
    package let actions: Int
    /// The number of the last action, or 0 if the log has no actions.
    package let last: Int
  }

  package let first: Length
  package let second: Length
  /// The feature names from both log headers, first log first.
  package let features: [String]
  package internal(set) var matches: [Match] = []
  /// The groups of differences, in the order of the first log.
  package internal(set) var groups: [PositionedDifferences] = []
  /// The pairs of corresponding ids and dates that are not equal, in the order in which they were found.
  package internal(set) var mapped: [(first: RunSpecificValue, second: RunSpecificValue)] = []
  /// The findings in the second log that are not differences, and findings about values that a log holds only as a type
  /// name.
  package internal(set) var notes: [LogEvent.Finding] = []
  /// The number of paired actions whose states were not compared, because at least one log does not contain the state.
  package internal(set) var unknownStates = 0
  /// The number of positions at which only the changes were compared.
  ///
  /// Comparing the states would have exceeded the limit on compared values.
  package internal(set) var comparedChanges = 0
  /// The number of operations for the alignment: a measure of cost that is the same on every machine.
  package internal(set) var work = 0

  /// Whether the logs are the same except for mapped ids and dates.
  package var isSame: Bool { groups.isEmpty }

  /// The steps of all groups that have no counterpart, or have it at another position.
  package var lone: [UnpairedStep] { groups.flatMap(\.lone) }

  /// The differences between corresponding steps and between states.
  package var valueDifferences: [LogDifference] {
    groups.flatMap { $0.differences + $0.continuing }
  }

  /// All differences.
  ///
  /// In each group, unmatched steps come before differences between values.
  package var differences: [LogDifference] {
    groups.flatMap { $0.lone.map(\.difference) + $0.differences + $0.continuing }
  }

  /// Whether any action has no counterpart, or has a counterpart with another number.
  package var isShifted: Bool {
    matches.contains { $0.first != $0.second } || lone.contains(where: \.isAction)
  }

  /// The number of mapped values of each kind: ids, dates, and substitutes for masked strings.
  package var mappedCounts: MappedCounts {
    func count(_ kind: RunSpecificValue.Kind) -> Int { mapped.count { $0.first.kind == kind } }
    return MappedCounts(ids: count(.id), dates: count(.date), masked: count(.masked))
  }

  /// Counts of the ids, dates, and substitutes that were mapped to other values.
  package struct MappedCounts: Sendable, Equatable {
    package let ids: Int
    package let dates: Int
    /// The number of mapped substitutes for masked strings.
    package let masked: Int
  }
}

extension AlignedComparisonResult {
  /// Adds a pair of corresponding actions by their numbers.
  ///
  /// The pair extends the last match if it directly follows that match in both logs.
  mutating func addMatch(_ seq: Int, _ other: Int) {
    guard let last = matches.last, last.first.upperBound + 1 == seq,
      last.second.upperBound + 1 == other
    else {
      matches.append(Match(first: seq...seq, second: other...other))
      return
    }
    matches[matches.count - 1] = Match(
      first: last.first.lowerBound...seq,
      second: last.second.lowerBound...other
    )
  }

  /// Appends differences to the last group, or to a new group if `place` differs from the last group's position.
  mutating func add(
    _ differences: [LogDifference],
    continuing: [LogDifference],
    to place: PositionedDifferences.GroupPosition
  ) {
    guard !differences.isEmpty || !continuing.isEmpty else { return }
    if groups.last?.place != place { groups.append(PositionedDifferences(place: place)) }
    groups[groups.count - 1].differences += differences
    groups[groups.count - 1].continuing += continuing
  }
}

extension AlignedComparisonResult.UnpairedStep {
  /// The difference that reports this step, without a value for the other log.
  package var difference: LogDifference {
    let value: JSON? =
      switch event {
      case .action(let action): action.action
      case .effect: true
      default: nil
      }
    var difference = LogDifference(seq: seq, cause: .sequence, subject: "\(event.kind) \(seq)")
    switch event {
    case .action: (difference.cause, difference.subject) = (.action, "")
    case .effect(let effect):
      (difference.cause, difference.subject) = (.effects, effect.id.description)
      difference.member = effect.event.name
    default: difference.message = Wording.onlyHere(event)
    }
    if side == .first { difference.expected = value } else { difference.actual = value }
    if let movedTo { difference.message = Wording.movedStep(isAction: isAction, to: movedTo) }
    return difference
  }
}

extension AlignedComparisonResult {
  /// The matched, unmatched, and moved steps as JSON.
  package var alignmentJSON: JSON {
    func lone(_ side: Side) -> JSON {
      .array(self.lone.filter { $0.side == side && $0.movedTo == nil }.map(\.json))
    }
    let moved = self.lone.compactMap { one -> JSON? in
      guard one.side == .first, let second = one.movedTo, var object = one.json.object else {
        return nil
      }
      object["seq"] = nil
      object["first"] = .number(JSON.Number(one.seq))
      object["second"] = .number(JSON.Number(second))
      return .object(object)
    }
    var object: JSON.Object = [
      "first": first.json, "second": second.json, "matches": .array(matches.map(\.json)),
      "onlyInFirst": lone(.first), "onlyInSecond": lone(.second), "moved": .array(moved),
    ]
    if unknownStates > 0 { object["unknownStates"] = .number(JSON.Number(unknownStates)) }
    if comparedChanges > 0 { object["comparedChanges"] = .number(JSON.Number(comparedChanges)) }
    return .object(object)
  }

  /// The pairs of unequal ids and dates as JSON, with the number of pairs of each kind.
  package var mappedJSON: JSON {
    let counts = mappedCounts
    var object: JSON.Object = [
      "ids": .number(JSON.Number(counts.ids)), "dates": .number(JSON.Number(counts.dates)),
      "values": .array(
        mapped.map { ["first": .string($0.first.text), "second": .string($0.second.text)] }
      ),
    ]
    if counts.masked > 0 { object["masked"] = .number(JSON.Number(counts.masked)) }
    return .object(object)
  }
}

extension AlignedComparisonResult.Length {
  fileprivate var json: JSON {
    ["actions": .number(JSON.Number(actions)), "last": .number(JSON.Number(last))]
  }
}

extension AlignedComparisonResult.Match {
  fileprivate var json: JSON {
    func array(_ range: ClosedRange<Int>) -> JSON {
      .array([range.lowerBound, range.upperBound].map { .number(JSON.Number($0)) })
    }
    return ["first": array(first), "second": array(second)]
  }
}

extension AlignedComparisonResult.UnpairedStep {
  fileprivate var json: JSON {
    var object: JSON.Object = ["seq": .number(JSON.Number(seq)), "kind": .string(event.kind)]
    if side == .second { object["after"] = .number(JSON.Number(place)) }
    switch event {
    case .action(let action): object["action"] = action.action
    case .effect(let effect):
      object["effect"] = .string(effect.id.description)
      object["event"] = .string(effect.event.name)
    default: break
    }
    return .object(object)
  }
}
