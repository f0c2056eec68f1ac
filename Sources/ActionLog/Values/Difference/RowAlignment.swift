/// An alignment of two arrays: the elements that stayed, moved, changed, or were removed or inserted.
///
/// Elements match if they have the same id. Without ids, they match if they have the same bits, or otherwise the same
/// text. Equal elements are matched in order. The longest sequence of matches in the same order stays, and the other
/// matches move. Unmatched elements between two that stay are paired.
struct RowAlignment {
  /// The indexes of removed elements, in the old array.
  private(set) var removed: [Int] = []
  /// The indexes of inserted elements, in the new array.
  private(set) var inserted: [Int] = []
  /// The indexes of changed elements, in the old and the new array.
  private(set) var paired: [(old: Int, new: Int)] = []
  /// The indexes of matching elements in the old and the new array, ordered by new index.
  private var matched: [(old: Int, new: Int)] = []
  private var staying: Set<Int> = []
  private let old: Range<Int>

  /// Aligns the rows in two ranges.
  init<Element>(
    _ rows: RowComparison<Element>,
    _ oldRows: Span<Element>,
    _ old: Range<Int>,
    _ newRows: Span<Element>,
    _ new: Range<Int>,
    depth: Int
  ) {
    self.old = old
    var (restOfOld, restOfNew) = (Array(old), Array(new))
    let numbers = rows.numbers(oldRows, old, newRows, new)
    match(
      &restOfOld,
      &restOfNew,
      { numbers.old[$0 - old.lowerBound] },
      { numbers.new[$0 - new.lowerBound] }
    )
    // If the values were created again, they have other storage, so they are matched by text. If the count is the same
    // and no row matched, the values most likely changed in place, and their texts are not compared.
    if !restOfOld.isEmpty, !restOfNew.isEmpty, old.count != new.count || !matched.isEmpty {
      func text(_ element: Element) -> [UInt8] {
        LogEncoder.text(at: depth) { $0.value(element) }
      }
      match(&restOfOld, &restOfNew, { text(oldRows[$0]) }, { text(newRows[$0]) })
    }
    align(restOfOld, restOfNew)
  }

  /// Aligns elements that match if their keys are equal.
  init<Key: Hashable>(
    old: Range<Int>,
    new: Range<Int>,
    oldKey: (Int) -> Key,
    newKey: (Int) -> Key
  ) {
    self.old = old
    var (restOfOld, restOfNew) = (Array(old), Array(new))
    match(&restOfOld, &restOfNew, oldKey, newKey)
    align(restOfOld, restOfNew)
    // Among sequences of equal length, the elements that stayed at their indexes are easiest to explain.
    let fixed = Set(matched.lazy.filter { $0.old == $0.new }.map(\.old))
    if fixed.count == staying.count, fixed != staying {
      (staying, paired, removed, inserted) = (fixed, [], [], [])
      pair(restOfOld, restOfNew)
    }
  }

  /// Pairs the elements at the same positions in both ranges.
  init(pairing old: Range<Int>, _ new: Range<Int>) {
    self.old = old
    pair(Array(old), Array(new))
  }

  private mutating func align(_ restOfOld: [Int], _ restOfNew: [Int]) {
    matched.sort { $0.new < $1.new }
    staying = Self.longestRun(matched)
    pair(restOfOld, restOfNew)
  }

  /// Matches elements with equal keys in order, and leaves the unmatched ones in `old` and `new`.
  private mutating func match<Key: Hashable>(
    _ old: inout [Int],
    _ new: inout [Int],
    _ oldKey: (Int) -> Key,
    _ newKey: (Int) -> Key
  ) {
    var places: [Key: (first: Int, rest: [Int])] = Dictionary(minimumCapacity: old.count)
    for index in old.reversed() {
      let key = oldKey(index)
      if let position = places.index(forKey: key) {
        places.values[position].rest.append(places.values[position].first)
        places.values[position].first = index
      } else {
        places[key] = (index, [])
      }
    }
    var left: [Int] = []
    var taken: Set<Int> = []
    for index in new {
      let key = newKey(index)
      guard let position = places.index(forKey: key) else {
        left.append(index)
        continue
      }
      let place = places.values[position].first
      taken.insert(place)
      matched.append((place, index))
      if let next = places.values[position].rest.popLast() {
        places.values[position].first = next
      } else {
        places.remove(at: position)
      }
    }
    new = left
    old.removeAll { taken.contains($0) }
  }

  /// Returns the old indexes in the longest sequence that is ordered in both arrays.
  ///
  /// Uses patience sorting.
  private static func longestRun(_ matched: [(old: Int, new: Int)]) -> Set<Int> {
    var piles: [Int] = []
    var previous = [Int](repeating: -1, count: matched.count)
    for (position, match) in matched.enumerated() {
      var (low, high) = (0, piles.count)
      while low < high {
        let middle = (low + high) / 2
        if matched[piles[middle]].old < match.old { low = middle + 1 } else { high = middle }
      }
      if low > 0 { previous[position] = piles[low - 1] }
      if low == piles.count { piles.append(position) } else { piles[low] = position }
    }
    var run: Set<Int> = []
    var position = piles.last ?? -1
    while position >= 0 {
      run.insert(matched[position].old)
      position = previous[position]
    }
    return run
  }

  /// Pairs the unmatched elements of both arrays between two elements that stay.
  private mutating func pair(_ restOfOld: [Int], _ restOfNew: [Int]) {
    var (oldRest, newRest) = (restOfOld[...], restOfNew[...])
    let stops = matched.filter { staying.contains($0.old) } + [(old: Int.max, new: Int.max)]
    for stop in stops {
      while let old = oldRest.first, old < stop.old, let new = newRest.first, new < stop.new {
        paired.append((old, new))
        oldRest.removeFirst()
        newRest.removeFirst()
      }
      while let old = oldRest.first, old < stop.old {
        removed.append(oldRest.removeFirst())
        _ = old
      }
      while let new = newRest.first, new < stop.new {
        inserted.append(newRest.removeFirst())
        _ = new
      }
    }
  }
}

extension RowAlignment {
  /// The matching and paired elements, ordered by old index.
  var kept: [(old: Int, new: Int, isMoved: Bool)] {
    let matched = self.matched.map { ($0.old, $0.new, !staying.contains($0.old)) }
    return (matched + paired.map { ($0.old, $0.new, false) }).sorted { $0.0 < $1.0 }
  }

  /// Returns the moves that sort the remaining elements after all removals, or `nil` if there are too many.
  func moves() -> [(from: Int, to: Int)]? {
    let count = matched.count - staying.count
    guard count > 0 else { return [] }
    // Each move scans the array, so the number of steps is limited.
    guard count <= 32 || count * old.count <= Self.mostSteps else { return nil }
    let gone = Set(removed)
    var current = old.filter { !gone.contains($0) }
    let target = (matched + paired).sorted { $0.new < $1.new }.map(\.old)
    let matchedOld = Set(matched.map(\.old))
    var moves: [(from: Int, to: Int)] = []
    for (position, element) in target.enumerated()
    where matchedOld.contains(element) && !staying.contains(element) {
      guard let from = current.firstIndex(of: element) else { continue }
      current.remove(at: from)
      // The element moves to the index after its predecessor, which is already in position.
      let to =
        position == 0 ? 0 : (current.firstIndex(of: target[position - 1]) ?? current.count - 1) + 1
      current.insert(element, at: to)
      if from != to { moves.append((old.lowerBound + from, old.lowerBound + to)) }
    }
    return moves
  }

  private static let mostSteps = 4_000_000
}
