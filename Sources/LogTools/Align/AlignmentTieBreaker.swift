/// Chooses among alignments with the same number of pairs.
///
/// If one of several similar steps has no counterpart, a longest common subsequence leaves open which one. The chosen
/// alignment has the pairs that agree best in the values, consequences, and changes of their steps.
struct AlignmentTieBreaker {
  /// The number of pairs that were tried: a measure of cost that is the same on every machine.
  private(set) var work = 0

  /// The maximum distance, in elements, by which a gap (a range of elements without counterparts) moves.
  ///
  /// The limit bounds the work for each gap.
  private static let mostSteps = 1024
  /// The maximum number of elements at the start or end of a gap that may move without the other elements of the gap.
  private static let mostParts = 8

  /// Changes which elements of both sequences have no counterpart, so that the pairs agree best.
  ///
  /// - Parameters:
  ///   - pairs: For each element of the first sequence, the index of its counterpart in the second sequence.
  ///   - names: The first sequence.
  ///   - otherNames: The second sequence.
  ///   - agreement: Returns a score for two indexes, one of each sequence. A higher score means that the elements agree
  ///     better.
  mutating func run(
    _ pairs: inout [Int?],
    _ names: [Int32],
    _ otherNames: [Int32],
    by agreement: (Int, Int) -> Int
  ) {
    slide(&pairs, names, agreement)
    var others = Self.inverse(pairs, otherNames.count)
    slide(&others, otherNames) { agreement($1, $0) }
    pairs = Self.inverse(others, names.count)
  }

  private static func inverse(_ pairs: [Int?], _ count: Int) -> [Int?] {
    var result: [Int?] = Array(repeating: nil, count: count)
    for (index, other) in pairs.enumerated() { if let other { result[other] = index } }
    return result
  }

  private mutating func slide(
    _ pairs: inout [Int?],
    _ names: [Int32],
    _ agreement: (Int, Int) -> Int
  ) {
    var start = 0
    while let gap = Self.gap(in: pairs, from: start) {
      start = gap.upperBound
      // The start of a gap can move backward without the other elements, and the end can move forward.
      let lengths = Set(1...min(gap.count, Self.mostParts)).union([gap.count]).sorted()
      let back = lengths.map { gap.prefix($0) }
        .map { ($0, best($0, pairs, names, agreement, isBackward: true)) }
        .max { $0.1.gain < $1.1.gain }
      let ahead = lengths.map { gap.suffix($0) }
        .map { ($0, best($0, pairs, names, agreement, isBackward: false)) }
        .max { $0.1.gain < $1.1.gain }
      guard let (head, back) = back, let (tail, ahead) = ahead else { continue }
      if back.gain > 0, back.gain >= ahead.gain {
        for step in 1...back.steps {
          pairs[head.upperBound - step] = pairs[head.lowerBound - step]
          pairs[head.lowerBound - step] = nil
        }
        start = head.upperBound
      } else if ahead.gain > 0 {
        for step in 0..<ahead.steps {
          pairs[tail.lowerBound + step] = pairs[tail.upperBound + step]
          pairs[tail.upperBound + step] = nil
        }
        start = tail.upperBound + ahead.steps
      }
    }
  }

  /// Returns the next range of elements without counterparts, or `nil` if there are no more.
  private static func gap(in pairs: [Int?], from start: Int) -> Range<Int>? {
    guard let first = pairs[start...].firstIndex(where: { $0 == nil }) else { return nil }
    return first..<(pairs[first...].firstIndex { $0 != nil } ?? pairs.count)
  }

  /// Returns the distance by which a gap must move in one direction to gain the most agreement, and the gain.
  private mutating func best(
    _ gap: Range<Int>,
    _ pairs: [Int?],
    _ names: [Int32],
    _ agreement: (Int, Int) -> Int,
    isBackward: Bool
  ) -> (steps: Int, gain: Int) {
    var best = (steps: 0, gain: 0)
    var gain = 0
    for step in 1...Self.mostSteps {
      // Each step takes a counterpart from one element and gives it to another.
      let loser = isBackward ? gap.lowerBound - step : gap.upperBound + step - 1
      let winner = isBackward ? gap.upperBound - step : gap.lowerBound + step - 1
      guard pairs.indices.contains(loser), let other = pairs[loser], names[loser] == names[winner]
      else { break }
      work += 1
      gain += agreement(winner, other) - agreement(loser, other)
      if gain > best.gain { best = (step, gain) }
    }
    return best
  }
}
