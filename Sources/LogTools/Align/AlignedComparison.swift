import ActionLog
import ReplayEngine

/// Compares two logs step by step, after aligning their steps.
///
/// The comparison reads both logs twice: once to align them and once to compare them. Memory holds a few machine words
/// for each step, the ids and dates, the moved steps, and both states.
package struct AlignedComparison {
  /// A function that opens a log and returns its events from the beginning.
  package typealias LogOpener = () throws -> LogComparison.Events

  private let alignment: LogAlignment
  private var first: ComparedLogCursor
  private var second: ComparedLogCursor
  private var ids: IDMapping
  private var steps: StepComparison
  private var states: AlignedStateComparison
  private var result: AlignedComparisonResult
  /// The steps since the last pair that have no counterpart or have it at another position, with their differences.
  private var lone = AlignedComparisonResult.PositionedDifferences(place: .lone)
  /// Moved steps whose counterparts have not been reached, keyed by the step's index in the first log.
  private var waiting: [Int: LoggedSteps.LoggedStep] = [:]
  /// The differences between moved steps and their counterparts, found since the last pair.
  private var moved: [AlignedComparisonResult.PositionedDifferences] = []
  /// The paths that changes have touched since the last comparison of states.
  private var touched = TouchedPaths()

  /// Reads two logs and aligns them.
  ///
  /// - Parameters:
  ///   - first: A closure that opens the first log.
  ///   - second: A closure that opens the second log.
  ///   - options: The options for comparing states, such as ignored paths.
  ///   - known: The action numbers in the second log, keyed by the numbers of their counterparts in the first log. Pass
  ///     them if one log was made from the other. These actions get no other counterparts.
  /// - Throws: The errors that reading the logs throws, such as `LogReadError`.
  package init(
    _ first: LogOpener,
    _ second: LogOpener,
    options: LogComparison.Options = LogComparison.Options(),
    known: [Int: Int] = [:]
  ) throws {
    var names = AlignmentNameNumbers()
    let outlines = (
      try AlignmentOutline(try first(), &names), try AlignmentOutline(try second(), &names)
    )
    alignment = LogAlignment(outlines.0, outlines.1, known: known)
    ids = alignment.ids
    steps = StepComparison(alignment)
    states = AlignedStateComparison(options, masks: outlines.0.masks)
    self.first = ComparedLogCursor(try first())
    self.second = ComparedLogCursor(try second())
    result = AlignedComparisonResult(
      first: AlignedComparisonResult.Length(actions: outlines.0.actionCount, last: outlines.0.last),
      second: AlignedComparisonResult.Length(
        actions: outlines.1.actionCount,
        last: outlines.1.last
      ),
      features: [outlines.0.feature, outlines.1.feature]
    )
    result.work = alignment.work
  }

  /// Compares the logs.
  ///
  /// - Throws: The errors that reading the logs throws, such as `LogReadError`.
  package mutating func run() throws -> AlignedComparisonResult {
    try prepare(.first)
    try prepare(.second)
    compareStates(of: 0, from: .input, in: .start)
    while try compareNext() {}
    compareEnds()
    result.mapped = ids.pairs
    result.notes = steps.notes + states.findings(at: result.first.last)
    return result
  }

  /// Reads the next step of one log.
  private mutating func prepare(_ side: AlignedComparisonResult.Side) throws {
    if side == .first { try first.prepare() } else { try second.prepare() }
  }

  private mutating func compareNext() throws -> Bool {
    let isLone = first.step != nil && alignment.matches[first.index] == nil
    let isOtherLone = second.step != nil && alignment.otherMatches[second.index] == nil
    if isLone || isOtherLone {
      try pass(isLone ? .first : .second)
      return true
    }
    finishLone()
    guard let old = first.step, let new = second.step else { return false }
    try compare(pair(old, first.index, new, second.index))
    return true
  }

  private func pair(
    _ old: LoggedSteps.LoggedStep,
    _ index: Int,
    _ new: LoggedSteps.LoggedStep,
    _ other: Int
  ) -> StepComparison.Pair {
    StepComparison.Pair(
      old: old,
      new: new,
      first: alignment.first.steps[index],
      second: alignment.second.steps[other]
    )
  }

  private mutating func add(
    _ differences: [LogDifference],
    continuing: [LogDifference] = [],
    to place: AlignedComparisonResult.PositionedDifferences.GroupPosition
  ) {
    guard !differences.isEmpty || !continuing.isEmpty else { return }
    result.add(
      states.classified(differences).map(\.unmarked),
      continuing: continuing.map(\.unmarked),
      to: place
    )
  }
}

// MARK: - Steps that only one log has at a position

extension AlignedComparison {
  /// Adds the current step of one log to the unmatched steps, applies its change, and reads the next step.
  private mutating func pass(_ side: AlignedComparisonResult.Side) throws {
    let isFirst = side == .first
    guard let step = isFirst ? first.step : second.step else { return }
    let index = isFirst ? first.index : second.index
    let outline = isFirst ? alignment.first : alignment.second
    let other = isFirst ? alignment.moved[index] : alignment.otherMoved[index]
    let others = isFirst ? alignment.second : alignment.first
    lone.lone.append(
      AlignedComparisonResult.UnpairedStep(
        side: side,
        seq: outline.steps[index].seq,
        event: step.event,
        movedTo: other.map { others.steps[$0].seq },
        place: isFirst ? outline.steps[index].seq : alignedSeq
      )
    )
    if let other { compareMoved(step, isFirst ? (index, other) : (other, index), isFirst) }
    touch(step, side)
    if isFirst { lone.differences += first.apply(of: outline.steps[index].seq) }
    if !isFirst { lone.differences += second.apply(of: alignedSeq) }
    try prepare(side)
  }

  /// Compares a moved step with its counterpart, or stores the step until the counterpart is reached.
  private mutating func compareMoved(
    _ step: LoggedSteps.LoggedStep,
    _ indexes: (first: Int, second: Int),
    _ isFirst: Bool
  ) {
    guard let counterpart = waiting.removeValue(forKey: indexes.first) else {
      waiting[indexes.first] = step
      return
    }
    let (old, new) = isFirst ? (step, counterpart) : (counterpart, step)
    let pair = pair(old, indexes.first, new, indexes.second)
    let differences = steps.compare(pair, &ids) + steps.compareEffects(pair, &ids)
    guard !differences.isEmpty else { return }
    let place: AlignedComparisonResult.PositionedDifferences.GroupPosition =
      pair.first.isAction ? .actions(first: pair.seq, second: pair.second.seq) : .after(pair.seq)
    moved.append(
      AlignedComparisonResult.PositionedDifferences(place: place, differences: differences)
    )
  }

  /// The number of the last action before the current step of the first log, or 0 if there is none.
  private var alignedSeq: Int {
    first.index > 0 ? alignment.first.steps[first.index - 1].seq : 0
  }

  private mutating func finishLone() {
    guard !lone.lone.isEmpty else { return }
    result.groups.append(lone)
    lone = AlignedComparisonResult.PositionedDifferences(place: .lone)
    compareStates(of: alignedSeq, from: .outcome(hasDates: false), in: .lone)
    for group in moved { add(group.differences, to: group.place) }
    moved = []
  }
}

// MARK: - Pairs of steps

extension AlignedComparison {
  private mutating func compare(_ pair: StepComparison.Pair) throws {
    let seq = pair.seq
    if pair.first.isAction { result.addMatch(seq, pair.second.seq) }
    // An effect event belongs to the action before it if the event follows the same action in both logs.
    let hasAction = alignment.aligned(pair.second.seq) == seq || seq == 0
    let place: AlignedComparisonResult.PositionedDifferences.GroupPosition =
      hasAction ? .actions(first: seq, second: pair.second.seq) : .after(seq)
    var found = steps.compare(pair, &ids)
    for place in steps.consumeDrifts() { states.ignore(place) }
    let isSameChange = compareChanges(pair, &found)
    let effects = steps.compareEffects(pair, &ids)
    found += first.apply(of: seq)
    found += second.apply(of: seq)
    add(found, to: place)
    if !isSameChange { compareStates(of: seq, from: steps.origin(of: pair.first), in: place) }
    touched = TouchedPaths()
    add(effects, to: place)
    try prepare(.first)
    try prepare(.second)
    if first.hasNewState || second.hasNewState { compareStates(of: seq, from: .input, in: place) }
    if pair.first.isAction, first.state == nil || second.state == nil { result.unknownStates += 1 }
  }

  /// Compares the changes of two steps without comparing the resulting states.
  ///
  /// Adds a difference to `found` if only one log contains the change of an action. Unless the changes have the same
  /// result, their paths are added to `touched`.
  ///
  /// - Returns: Whether both changes are known to have the same result, apart from mapped ids and dates.
  private mutating func compareChanges(
    _ pair: StepComparison.Pair,
    _ found: inout [LogDifference]
  ) -> Bool {
    let (old, new) = (pair.old, pair.new)
    if old.event.isAction, (old.update == nil) != (new.update == nil) {
      found.append(LogDifference(endOf: pair.seq, isFirst: old.update == nil))
    }
    if old.change == nil, new.change == nil { return true }
    if let change = old.change?.logged, let other = new.change?.logged {
      if change.isEmpty, other.isEmpty { return true }
      if let state = first.state, let otherState = second.state,
        ChangeComparison(of: state, otherState, from: steps.origin(of: pair.first))
          .isSame(change.patch, other.patch, &ids)
      {
        return true
      }
    }
    touch(old, .first)
    touch(new, .second)
    return false
  }

  /// Adds to `touched` the paths that a step changes.
  ///
  /// Call it before the step is applied, because row ids are looked up in the state before the change.
  private mutating func touch(_ step: LoggedSteps.LoggedStep, _ side: AlignedComparisonResult.Side)
  {
    guard let change = step.change?.logged, !change.isEmpty else { return }
    touched.insert(change.patch, in: side == .first ? first.state : second.state, of: side, ids)
  }
}

// MARK: - States

extension AlignedComparison {
  private mutating func compareStates(
    of seq: Int,
    from origin: IDMapping.IDProvenance,
    isLast: Bool = false,
    in place: AlignedComparisonResult.PositionedDifferences.GroupPosition
  ) {
    defer { touched = TouchedPaths() }
    guard let state = first.state, let other = second.state else { return }
    let isWhole = isLast || first.hasNewState || second.hasNewState
    (first.hasNewState, second.hasNewState) = (false, false)
    let places = isWhole ? .all : touched
    guard !places.isEmpty else { return }
    guard let found = states.compare(state, other, places, of: seq, &ids, from: origin) else {
      result.comparedChanges += 1
      return
    }
    add(found.new, continuing: found.continuing, to: place)
  }

  private mutating func compareEnds() {
    let last = result.first.last
    let (end, other) = (alignment.first.end, alignment.second.end)
    if end?.reason != other?.reason {
      add([LogDifference(end, other, after: last)], to: .end)
    }
    states.removeLimit()
    compareStates(of: last, from: .outcome(hasDates: true), isLast: true, in: .end)
  }
}

extension LogDifference {
  /// Creates the difference that results when only one log contains the change of an action.
  fileprivate init(endOf seq: Int, isFirst: Bool) {
    let sides = ["the end of the file", "change \(seq)"]
    self.init(
      seq: seq,
      cause: .sequence,
      subject: "change \(seq)",
      expected: .string(sides[isFirst ? 0 : 1]),
      actual: .string(sides[isFirst ? 1 : 0])
    )
  }

  /// Creates the difference between two logs that end for different reasons.
  ///
  /// - Parameters:
  ///   - end: The first log's `end` event, or `nil` if the log was cut off.
  ///   - other: The second log's `end` event, or `nil` if the log was cut off.
  ///   - seq: The number of the first log's last action.
  fileprivate init(_ end: LogEvent.End?, _ other: LogEvent.End?, after seq: Int) {
    func name(_ end: LogEvent.End?) -> JSON {
      .string(end.map { "the end (\($0.reason))" } ?? "the end of the file")
    }
    self.init(
      seq: seq,
      cause: .sequence,
      subject: "end",
      expected: name(end),
      actual: name(other)
    )
  }

  /// The difference without the marks that `IDMapping` appends to ambiguous ids and dates.
  fileprivate var unmarked: LogDifference {
    var result = self
    // Without the mark, both values look equal, so a message explains the difference.
    if let actual, message == nil, IDMapping.isMarked(actual) { result.message = Wording.otherID }
    result.subject = IDMapping.unmarked(subject)
    result.expected = expected.map { IDMapping.unmarked($0) }
    result.actual = actual.map { IDMapping.unmarked($0) }
    return result
  }
}
