/// Finds a common subsequence of two sequences of numbers: the longest one, unless the search takes too long.
///
/// The search is Myers' algorithm in linear space. Its work grows with the length times the number of differences. If
/// the number of edits exceeds a limit, the search splits the sequences at the farthest point that it reached.
///
/// E. Myers, An O(ND) Difference Algorithm and Its Variations, Algorithmica 1 (1986). GNU diff uses the same limit
/// strategy.
struct SequenceAlignment {
  /// For each element of the first sequence, the index of its counterpart in the second sequence, or `nil`.
  private(set) var counterparts: [Int?]
  /// The number of visited elements and diagonals: a measure of cost that is the same on every machine.
  private(set) var work = 0

  private let first: [Int32]
  private let second: [Int32]
  /// The indexes, in the original first sequence, of the elements of `first`.
  ///
  /// `first` omits the common prefix and suffix, and elements that the second sequence lacks.
  private let firstPlaces: [Int]
  private let secondPlaces: [Int]
  private var removed: [Bool]
  private var inserted: [Bool]
  /// For each diagonal of the edit graph, the farthest x coordinate that a path from the start of a box reaches.
  private var forward: [Int]
  private var backward: [Int]

  /// The maximum number of edits that the search follows from either end of a box.
  private let mostEdits: Int

  /// Aligns two sequences of numbers.
  ///
  /// - Parameters:
  ///   - all: The first sequence.
  ///   - others: The second sequence.
  ///   - mostEdits: The maximum number of edits that the search follows from either end of a box. With 1,024, a search
  ///     visits at most 1,024 times 2,048 diagonals.
  init(_ all: [Int32], _ others: [Int32], mostEdits: Int = 1024) {
    self.mostEdits = mostEdits
    counterparts = Array(repeating: nil, count: all.count)
    var start = 0
    let shorter = min(all.count, others.count)
    while start < shorter, all[start] == others[start] {
      counterparts[start] = start
      start += 1
    }
    var common = 0
    while common < shorter - start, all[all.count - 1 - common] == others[others.count - 1 - common]
    {
      counterparts[all.count - 1 - common] = others.count - 1 - common
      common += 1
    }
    work = start + common
    // An element that only one sequence has can't be part of a common subsequence, so it is left out of the search.
    let (rest, otherRest) = (start..<all.count - common, start..<others.count - common)
    let (known, knownOthers) = (Set(all[rest]), Set(others[otherRest]))
    firstPlaces = knownOthers.isEmpty ? [] : rest.filter { knownOthers.contains(all[$0]) }
    secondPlaces = known.isEmpty ? [] : otherRest.filter { known.contains(others[$0]) }
    first = firstPlaces.map { all[$0] }
    second = secondPlaces.map { others[$0] }
    removed = Array(repeating: false, count: first.count)
    inserted = Array(repeating: false, count: second.count)
    guard !first.isEmpty else {
      (forward, backward) = ([], [])
      return
    }
    let diagonals = first.count + second.count + 3
    forward = Array(repeating: 0, count: diagonals)
    backward = Array(repeating: 0, count: diagonals)
    search()
    (forward, backward) = ([], [])
    pair()
  }

  private mutating func pair() {
    var other = 0
    for index in first.indices where !removed[index] {
      while other < second.count, inserted[other] { other += 1 }
      guard other < second.count else { return }
      counterparts[firstPlaces[index]] = secondPlaces[other]
      other += 1
    }
  }

  private struct EditGraphBox {
    var x: Range<Int>
    var y: Range<Int>
  }

  private mutating func search() {
    var boxes = [EditGraphBox(x: first.indices, y: second.indices)]
    while var box = boxes.popLast() {
      trim(&box)
      if box.x.isEmpty || box.y.isEmpty {
        for index in box.x { removed[index] = true }
        for index in box.y { inserted[index] = true }
        continue
      }
      let (x, y) = split(box)
      boxes.append(EditGraphBox(x: x..<box.x.upperBound, y: y..<box.y.upperBound))
      boxes.append(EditGraphBox(x: box.x.lowerBound..<x, y: box.y.lowerBound..<y))
    }
  }

  /// Removes the common prefix and suffix of both ranges from a box.
  private mutating func trim(_ box: inout EditGraphBox) {
    var (start, otherStart) = (box.x.lowerBound, box.y.lowerBound)
    var (end, otherEnd) = (box.x.upperBound, box.y.upperBound)
    while start < end, otherStart < otherEnd, first[start] == second[otherStart] {
      (start, otherStart) = (start + 1, otherStart + 1)
    }
    while start < end, otherStart < otherEnd, first[end - 1] == second[otherEnd - 1] {
      (end, otherEnd) = (end - 1, otherEnd - 1)
    }
    work += box.x.count - (end - start)
    box = EditGraphBox(x: start..<end, y: otherStart..<otherEnd)
  }

  /// Returns a point on a shortest path through a box, or the farthest point that was reached within the edit limit.
  private mutating func split(_ box: EditGraphBox) -> (x: Int, y: Int) {
    let (left, right) = (box.x.lowerBound, box.x.upperBound)
    let (top, bottom) = (box.y.lowerBound, box.y.upperBound)
    // Diagonals are numbered x - y. The arrays have an extra element before the first and after the last diagonal.
    let base = second.count + 1
    let (lowest, highest) = (left - bottom, right - top)
    let (start, end) = (left - top, right - bottom)
    let isOdd = (start - end) % 2 != 0
    var (low, high, otherLow, otherHigh) = (start, start, end, end)
    forward[base + start] = left
    backward[base + end] = right
    var edits = 0
    while true {
      edits += 1
      if low > lowest {
        low -= 1
        forward[base + low - 1] = -1
      } else {
        low += 1
      }
      if high < highest {
        high += 1
        forward[base + high + 1] = -1
      } else {
        high -= 1
      }
      for diagonal in stride(from: high, through: low, by: -2) {
        let (below, above) = (forward[base + diagonal - 1], forward[base + diagonal + 1])
        let origin = below < above ? above : below + 1
        var (x, y) = (origin, origin - diagonal)
        while x < right, y < bottom, first[x] == second[y] { (x, y) = (x + 1, y + 1) }
        forward[base + diagonal] = x
        work += x - origin + 1
        if isOdd, otherLow <= diagonal, diagonal <= otherHigh, backward[base + diagonal] <= x {
          return (x, y)
        }
      }
      if otherLow > lowest {
        otherLow -= 1
        backward[base + otherLow - 1] = .max
      } else {
        otherLow += 1
      }
      if otherHigh < highest {
        otherHigh += 1
        backward[base + otherHigh + 1] = .max
      } else {
        otherHigh -= 1
      }
      for diagonal in stride(from: otherHigh, through: otherLow, by: -2) {
        let (below, above) = (backward[base + diagonal - 1], backward[base + diagonal + 1])
        let origin = below < above ? below : above - 1
        var (x, y) = (origin, origin - diagonal)
        while x > left, y > top, first[x - 1] == second[y - 1] { (x, y) = (x - 1, y - 1) }
        backward[base + diagonal] = x
        work += origin - x + 1
        if !isOdd, low <= diagonal, diagonal <= high, x <= forward[base + diagonal] {
          return (x, y)
        }
      }
      if edits >= mostEdits {
        return farthest(box, low...high, otherLow...otherHigh, base)
      }
    }
  }

  /// Returns the point at which either search has made the most progress from its corner of the box.
  private func farthest(
    _ box: EditGraphBox,
    _ diagonals: ClosedRange<Int>,
    _ others: ClosedRange<Int>,
    _ base: Int
  ) -> (x: Int, y: Int) {
    var best = (x: box.x.lowerBound, sum: -1)
    for diagonal in stride(from: diagonals.upperBound, through: diagonals.lowerBound, by: -2) {
      var x = min(forward[base + diagonal], box.x.upperBound)
      if x - diagonal > box.y.upperBound { x = box.y.upperBound + diagonal }
      if best.sum < 2 * x - diagonal { best = (x, 2 * x - diagonal) }
    }
    var other = (x: box.x.upperBound, sum: Int.max)
    for diagonal in stride(from: others.upperBound, through: others.lowerBound, by: -2) {
      var x = max(backward[base + diagonal], box.x.lowerBound)
      if x - diagonal < box.y.lowerBound { x = box.y.lowerBound + diagonal }
      if 2 * x - diagonal < other.sum { other = (x, 2 * x - diagonal) }
    }
    let ahead = best.sum - box.x.lowerBound - box.y.lowerBound
    let behind = box.x.upperBound + box.y.upperBound - other.sum
    return behind < ahead ? (best.x, best.sum - best.x) : (other.x, other.sum - other.x)
  }
}
