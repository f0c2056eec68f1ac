import ActionLog

/// The pairs of steps of two logs.
struct LogAlignment {
  /// For each step of the first log its counterpart at the same place in the order.
  private(set) var matches: [Int?] = []
  /// For each step of the second log its counterpart.
  private(set) var otherMatches: [Int?] = []
  /// Steps that are the same at different places of the order, by their indexes in the first log.
  private(set) var moved: [Int: Int] = [:]
  /// The same, by their indexes in the second log.
  private(set) var otherMoved: [Int: Int] = [:]
  private(set) var ids: IDMapping
  /// A measure of the time that does not depend on the machine.
  private(set) var work = 0

  let first: AlignmentOutline
  let second: AlignmentOutline

  /// The maximum number of rounds.
  ///
  /// Each one uses the causes, ids and dates of the pairs that the one before has found.
  private static let mostRounds = 4

  init(_ first: AlignmentOutline, _ second: AlignmentOutline) {
    (self.first, self.second) = (first, second)
    ids = IDMapping(first, second)
    for _ in 0..<Self.mostRounds {
      let found = alignment()
      if found == matches { break }
      matches = found
      otherMatches = Array(repeating: nil, count: second.steps.count)
      for (index, other) in found.enumerated() { if let other { otherMatches[other] = index } }
      mapReads()
    }
    findMoved()
  }

  /// The step of the second log for one of the first, at the same place or at another one.
  func counterpart(of index: Int) -> Int? { matches[index] ?? moved[index] }

  /// The step of the first log for one of the second.
  func counterpart(ofSecond index: Int) -> Int? { otherMatches[index] ?? otherMoved[index] }

  private mutating func mapReads() {
    ids = IDMapping(first, second)
    for (index, other) in matches.enumerated() {
      if let other { mapReads(index, other) }
    }
  }

  private mutating func mapReads(_ index: Int, _ other: Int) {
    let reads = first.reads[first.steps[index].reads]
    let others = second.reads[second.steps[other].reads]
    for (read, other) in zip(reads, others) where read.key == other.key && read.rest == other.rest {
      for (id, other) in zip(first.ids[read.ids], second.ids[other.ids]) {
        ids.mapRead(id, other)
      }
    }
  }
}

// MARK: - Identity of steps

extension LogAlignment {
  /// The step that sent something, as both logs name it.
  private enum Cause: Hashable {
    case none
    /// A step that has a counterpart, by its index in the first log.
    case step(Int)
    /// A step without one, by what it is.
    case path(Int32)
  }

  /// The identity of a step without its values.
  private struct Kind: Hashable {
    let path: Int32
    let sender: Int32
    let cause: Cause
  }

  /// The identity of a step with its values.
  private struct Signature: Hashable {
    let kind: Kind
    let payload: UInt64
    let ids: [LoggedID?]
  }

  private func kind(_ step: AlignmentOutline.Step) -> Kind {
    Kind(path: step.path, sender: step.sender, cause: cause(of: step))
  }

  private func kind(second step: AlignmentOutline.Step) -> Kind {
    Kind(path: step.path, sender: step.sender, cause: cause(ofSecond: step))
  }

  private func cause(of step: AlignmentOutline.Step) -> Cause {
    guard let cause = step.cause else { return .none }
    let isKnown = !matches.isEmpty && counterpart(of: cause) != nil
    return isKnown ? .step(cause) : .path(first.steps[cause].path)
  }

  private func cause(ofSecond step: AlignmentOutline.Step) -> Cause {
    guard let cause = step.cause else { return .none }
    if !otherMatches.isEmpty, let other = counterpart(ofSecond: cause) { return .step(other) }
    return .path(second.steps[cause].path)
  }

  private func signature(_ step: AlignmentOutline.Step, withReads: Bool = true) -> Signature {
    var values = first.ids[step.ids].map { ids.canonical(first: $0) }
    if withReads {
      for read in first.reads[step.reads] {
        values += first.ids[read.ids].map { ids.canonical(first: $0) }
      }
    }
    return Signature(kind: kind(step), payload: step.payload, ids: values)
  }

  private func signature(second step: AlignmentOutline.Step, withReads: Bool = true) -> Signature {
    var values = second.ids[step.ids].map { ids.canonical(second: $0) }
    if withReads {
      for read in second.reads[step.reads] {
        values += second.ids[read.ids].map { ids.canonical(second: $0) }
      }
    }
    return Signature(kind: kind(second: step), payload: step.payload, ids: values)
  }

  /// Numbers for equal values of both logs.
  private struct Numbers<Value: Hashable> {
    private var numbers: [Value: Int32] = [:]

    mutating func number(_ value: Value) -> Int32 {
      if let known = numbers[value] { return known }
      let number = Int32(truncatingIfNeeded: numbers.count)
      numbers[value] = number
      return number
    }
  }
}

// MARK: - The search

extension LogAlignment {
  private mutating func alignment() -> [Int?] {
    var kinds = Numbers<Kind>()
    var signatures = Numbers<Signature>()
    let names = first.steps.map { kinds.number(kind($0)) }
    let otherNames = second.steps.map { kinds.number(kind(second: $0)) }
    let all = first.steps.map { signatures.number(signature($0)) }
    let others = second.steps.map { signatures.number(signature(second: $0)) }
    // Actions first: effect events are paired between them.
    let actions = first.steps.indices.filter { !first.steps[$0].isEffectEvent }
    let otherActions = second.steps.indices.filter { !second.steps[$0].isEffectEvent }
    let exact = SequenceAlignment(actions.map { all[$0] }, otherActions.map { others[$0] })
    work += exact.work
    let found = complete(
      exact.counterparts,
      actions.map { names[$0] },
      otherActions.map { otherNames[$0] }
    )
    var result: [Int?] = Array(repeating: nil, count: names.count)
    for (index, other) in found.enumerated() {
      result[actions[index]] = other.map { otherActions[$0] }
    }
    alignEffectEvents(&result, names, otherNames)
    return result
  }

  /// Pairs effect events between paired actions.
  private mutating func alignEffectEvents(
    _ result: inout [Int?],
    _ names: [Int32],
    _ otherNames: [Int32]
  ) {
    let pairs = result.enumerated().compactMap { index, other in other.map { (index, $0) } }
    var start = (0, 0)
    for end in pairs + [(names.count, otherNames.count)] {
      let events = (start.0..<end.0).filter { first.steps[$0].isEffectEvent }
      let others = (start.1..<end.1).filter { second.steps[$0].isEffectEvent }
      start = (end.0 + 1, end.1 + 1)
      guard !events.isEmpty, !others.isEmpty else { continue }
      let found = SequenceAlignment(events.map { names[$0] }, others.map { otherNames[$0] })
      work += found.work
      for (index, other) in found.counterparts.enumerated() {
        result[events[index]] = other.map { others[$0] }
      }
    }
  }

  /// Equal steps one after the other in both logs, between stretches in which none are.
  private struct Run {
    var first: Range<Int>
    var second: Range<Int>
  }

  /// Adds counterparts whose values differ, between those that are equal.
  ///
  /// An equal step counts as two whose values differ: runs that keep more of those apart are given up.
  private mutating func complete(
    _ exact: [Int?],
    _ names: [Int32],
    _ otherNames: [Int32]
  ) -> [Int?] {
    var runs: [Run] = []
    for (index, other) in exact.enumerated() {
      guard let other else { continue }
      if let last = runs.last, last.first.upperBound == index, last.second.upperBound == other {
        runs[runs.count - 1].first = last.first.lowerBound..<index + 1
        runs[runs.count - 1].second = last.second.lowerBound..<other + 1
      } else {
        runs.append(Run(first: index..<index + 1, second: other..<other + 1))
      }
    }
    // A run without elements ends both logs.
    let ends = (names.count, otherNames.count)
    runs.append(Run(first: ends.0..<ends.0, second: ends.1..<ends.1))
    var result: [Int?] = Array(repeating: nil, count: names.count)
    var start = (0, 0)
    for index in runs.indices {
      let run = runs[index]
      let next = index + 1 < runs.count ? runs[index + 1] : nil
      if let next, separates(run, from: start, to: next, names, otherNames) { continue }
      fill(
        start.0..<run.first.lowerBound,
        start.1..<run.second.lowerBound,
        names,
        otherNames,
        &result
      )
      for (one, other) in zip(run.first, run.second) { result[one] = other }
      start = (run.first.upperBound, run.second.upperBound)
    }
    return result
  }

  private mutating func fill(
    _ range: Range<Int>,
    _ other: Range<Int>,
    _ names: [Int32],
    _ otherNames: [Int32],
    _ result: inout [Int?]
  ) {
    guard !range.isEmpty, !other.isEmpty else { return }
    let found = SequenceAlignment(Array(names[range]), Array(otherNames[other]))
    work += found.work
    for (offset, counterpart) in found.counterparts.enumerated() {
      guard let counterpart else { continue }
      result[range.lowerBound + offset] = other.lowerBound + counterpart
    }
  }

  /// Whether dropping a run of equal steps gives more pairs.
  private mutating func separates(
    _ run: Run,
    from start: (Int, Int),
    to next: Run,
    _ names: [Int32],
    _ otherNames: [Int32]
  ) -> Bool {
    let before = (run.first.lowerBound - start.0, run.second.lowerBound - start.1)
    let after = (
      next.first.lowerBound - run.first.upperBound, next.second.lowerBound - run.second.upperBound
    )
    // Both logs have more before it, or the run shifts neither: it keeps nothing apart.
    let shifts = (before.0 - before.1, after.0 - after.1)
    guard shifts.0 * shifts.1 < 0, min(abs(shifts.0), abs(shifts.1)) > run.first.count else {
      return false
    }
    let size = before.0 + before.1 + after.0 + after.1 + 2 * run.first.count
    guard size <= Self.mostUnsettled else { return false }
    let with =
      count(start.0..<run.first.lowerBound, start.1..<run.second.lowerBound, names, otherNames)
      + count(
        run.first.upperBound..<next.first.lowerBound,
        run.second.upperBound..<next.second.lowerBound,
        names,
        otherNames
      )
    let without = count(
      start.0..<next.first.lowerBound,
      start.1..<next.second.lowerBound,
      names,
      otherNames
    )
    return without > with + 2 * run.first.count
  }

  /// Stretches with more steps are left as they were found; bounds the work that is done twice.
  private static let mostUnsettled = 4096

  private mutating func count(
    _ range: Range<Int>,
    _ other: Range<Int>,
    _ names: [Int32],
    _ otherNames: [Int32]
  ) -> Int {
    guard !range.isEmpty, !other.isEmpty else { return 0 }
    let found = SequenceAlignment(Array(names[range]), Array(otherNames[other]))
    work += found.work
    return found.counterparts.count { $0 != nil }
  }

  /// Looks for steps that only one log has at their place, and that the other one has at another place.
  ///
  /// A step whose cause has moved is found in the round after its cause.
  private mutating func findMoved() {
    for _ in 0..<Self.mostRounds {
      let rest = matches.indices.filter { counterpart(of: $0) == nil }
      let others = otherMatches.indices.filter { counterpart(ofSecond: $0) == nil }
      guard !rest.isEmpty, !others.isEmpty else { return }
      var places = Dictionary(
        grouping: others.reversed(),
        by: { signature(second: second.steps[$0], withReads: false) }
      )
      var hasFound = false
      for index in rest {
        guard let other = places[signature(first.steps[index], withReads: false)]?.popLast() else {
          continue
        }
        (moved[index], otherMoved[other]) = (other, index)
        hasFound = true
      }
      guard hasFound else { return }
      for (index, other) in moved.sorted(by: { $0.key < $1.key }) { mapReads(index, other) }
    }
  }
}
