/// Pairs steps of the same kind with different values, between the pairs of equal steps.
struct AlignmentCompletion {
  /// The kinds of the steps of both logs, as numbers.
  private let names: [Int32]
  private let otherNames: [Int32]
  /// The amount of work, in units that do not depend on the machine.
  private(set) var work = 0

  init(_ names: [Int32], _ otherNames: [Int32]) {
    (self.names, self.otherNames) = (names, otherNames)
  }

  /// A run of consecutive steps that are equal in both logs, between ranges without equal steps.
  private struct EqualRun {
    var first: Range<Int>
    var second: Range<Int>
  }

  /// Adds pairs of steps with different values, between the pairs of equal steps.
  ///
  /// A pair of equal steps weighs as much as two pairs with different values. A run of equal steps is dropped if this
  /// gives more than twice its length in new pairs.
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
    // An empty run ends both logs.
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

  /// Returns whether dropping a run of equal steps gives more pairs.
  private mutating func separates(
    _ run: EqualRun,
    from start: (Int, Int),
    to next: EqualRun
  ) -> Bool {
    let before = (run.first.lowerBound - start.0, run.second.lowerBound - start.1)
    let after = (
      next.first.lowerBound - run.first.upperBound, next.second.lowerBound - run.second.upperBound
    )
    // If both logs have more steps before the run, or it shifts neither log, it separates no pairs.
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

  /// The maximum length of a range that is searched again.
  ///
  /// Bounds the duplicated work.
  private static let mostUnsettled = 4096

  private mutating func count(_ range: Range<Int>, _ other: Range<Int>) -> Int {
    guard !range.isEmpty, !other.isEmpty else { return 0 }
    let found = SequenceAlignment(Array(names[range]), Array(otherNames[other]))
    work += found.work
    return found.counterparts.count { $0 != nil }
  }
}
