/// Pairs steps of the same kind with different values, between the pairs of equal steps.
struct AlignmentCompletion {
  /// The kind of each step in the first log, as a number that both logs share.
  private let names: [Int32]
  private let otherNames: [Int32]
  /// The work done by sequence alignments, in the unit of `SequenceAlignment.work`.
  private(set) var work = 0

  init(_ names: [Int32], _ otherNames: [Int32]) {
    (self.names, self.otherNames) = (names, otherNames)
  }

  /// Consecutive steps that are equal in both logs.
  private struct EqualRun {
    var first: Range<Int>
    var second: Range<Int>
  }

  /// Returns the pairs of equal steps, together with pairs of steps that have the same kind but different values.
  ///
  /// A pair of equal steps weighs as much as two pairs with different values. A run of equal steps is dropped if
  /// dropping it adds more new pairs than twice its length.
  ///
  /// - Parameter exact: For each step of the first log, the index of the equal step in the second log.
  /// - Returns: For each step of the first log, the index of its counterpart.
  mutating func complete(_ exact: [Int?]) -> [Int?] {
    var runs: [EqualRun] = []
    for (index, other) in exact.enumerated() {
      guard let other else { continue }
      if let last = runs.last, last.first.upperBound == index, last.second.upperBound == other {
        runs[runs.count - 1].first = last.first.lowerBound..<index + 1
        runs[runs.count - 1].second = last.second.lowerBound..<other + 1
      } else {
        runs.append(EqualRun(first: index..<index + 1, second: other..<other + 1))
      }
    }
    // An empty run marks the end of both logs.
    let ends = (names.count, otherNames.count)
    runs.append(EqualRun(first: ends.0..<ends.0, second: ends.1..<ends.1))
    var result: [Int?] = Array(repeating: nil, count: names.count)
    var start = (0, 0)
    for index in runs.indices {
      let run = runs[index]
      let next = index + 1 < runs.count ? runs[index + 1] : nil
      if let next, separates(run, from: start, to: next) { continue }
      fill(start.0..<run.first.lowerBound, start.1..<run.second.lowerBound, &result)
      for (one, other) in zip(run.first, run.second) { result[one] = other }
      start = (run.first.upperBound, run.second.upperBound)
    }
    return result
  }

  private mutating func fill(
    _ range: Range<Int>,
    _ other: Range<Int>,
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

  /// Returns whether dropping a run of equal steps adds more pairs than twice the length of the run.
  private mutating func separates(
    _ run: EqualRun,
    from start: (Int, Int),
    to next: EqualRun
  ) -> Bool {
    let before = (run.first.lowerBound - start.0, run.second.lowerBound - start.1)
    let after = (
      next.first.lowerBound - run.first.upperBound, next.second.lowerBound - run.second.upperBound
    )
    // The run can only prevent pairs if one log has more steps before it and the other log has more steps after it.
    let shifts = (before.0 - before.1, after.0 - after.1)
    guard shifts.0 * shifts.1 < 0, min(abs(shifts.0), abs(shifts.1)) > run.first.count else {
      return false
    }
    let size = before.0 + before.1 + after.0 + after.1 + 2 * run.first.count
    guard size <= Self.mostUnsettled else { return false }
    let with =
      count(start.0..<run.first.lowerBound, start.1..<run.second.lowerBound)
      + count(
        run.first.upperBound..<next.first.lowerBound,
        run.second.upperBound..<next.second.lowerBound
      )
    let without = count(start.0..<next.first.lowerBound, start.1..<next.second.lowerBound)
    return without > with + 2 * run.first.count
  }

  /// The maximum number of steps around a run for which the search is repeated without the run.
  ///
  /// The limit bounds the duplicated work.
  private static let mostUnsettled = 4096

  private mutating func count(_ range: Range<Int>, _ other: Range<Int>) -> Int {
    guard !range.isEmpty, !other.isEmpty else { return 0 }
    let found = SequenceAlignment(Array(names[range]), Array(otherNames[other]))
    work += found.work
    return found.counterparts.count { $0 != nil }
  }
}
