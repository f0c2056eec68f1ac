/// How the elements of one array became those of another: which stayed, moved, changed, went and came.
///
/// Elements are the same if their bits are, or else their text. What is the same is matched in order; the longest run of
/// matches that did not change places stays, the others move. What is not matched between two that stay is paired.
struct RowAlignment {
  /// The old indices of elements that went.
  private(set) var removed: [Int] = []
  /// The new indices of elements that came.
  private(set) var inserted: [Int] = []
  /// The indices of elements that take each other's place.
  private(set) var paired: [(old: Int, new: Int)] = []
  /// The old and new indices of the same elements, in the new order.
  private var matched: [(old: Int, new: Int)] = []
  private var staying: Set<Int> = []
  private let old: Range<Int>

  /// The alignment of the rows of two ranges.
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
    // Arrays that were made anew have other storage for the same values. In one that is as long as before, and where
    // nothing else matches, the values have most likely changed in place.
    if !restOfOld.isEmpty, !restOfNew.isEmpty, old.count != new.count || !matched.isEmpty {
      func text(_ element: Element) -> [UInt8] {
        LogEncoder.text(at: depth) { $0.value(element) }
      }
      match(&restOfOld, &restOfNew, { text(oldRows[$0]) }, { text(newRows[$0]) })
    }
    align(restOfOld, restOfNew)
  }

  /// The alignment of elements that are the same if their keys are.
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
    // Of runs that are equally long, the one that has stayed where it was is told best.
    let fixed = Set(matched.lazy.filter { $0.old == $0.new }.map(\.old))
    if fixed.count == staying.count, fixed != staying {
      (staying, paired, removed, inserted) = (fixed, [], [], [])
      pair(restOfOld, restOfNew)
    }
  }

  /// The alignment of elements that are compared with those at the same place alone.
  init(pairing old: Range<Int>, _ new: Range<Int>) {
    self.old = old
    pair(Array(old), Array(new))
  }

  private mutating func align(_ restOfOld: [Int], _ restOfNew: [Int]) {
    matched.sort { $0.new < $1.new }
    staying = Self.longestRun(matched)
    pair(restOfOld, restOfNew)
  }

  /// Matches elements with equal keys, the first with the first, and leaves the others.
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

  /// The old indices of the longest run that keeps its order, by patience sorting.
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

  /// Pairs what is left of both sides between two elements that stay.
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
  /// The elements that both arrays have, or that take each other's place, in the old order.
  var kept: [(old: Int, new: Int, isMoved: Bool)] {
    let matched = self.matched.map { ($0.old, $0.new, !staying.contains($0.old)) }
    return (matched + paired.map { ($0.old, $0.new, false) }).sorted { $0.0 < $1.0 }
  }

  /// The moves that bring what is left after the removals into its new order; nil when they are too many to be worth it.
  func moves() -> [(from: Int, to: Int)]? {
    let count = matched.count - staying.count
    guard count > 0 else { return [] }
    // Each costs a walk through the array.
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
      // Behind the one that stands before it, which is in its place already.
      let to =
        position == 0 ? 0 : (current.firstIndex(of: target[position - 1]) ?? current.count - 1) + 1
      current.insert(element, at: to)
      if from != to { moves.append((old.lowerBound + from, old.lowerBound + to)) }
    }
    return moves
  }

  private static let mostSteps = 4_000_000
}
