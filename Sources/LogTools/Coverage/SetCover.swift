import ReplayCommands

/// Selects as few sets as possible that together contain all elements.
///
/// ```swift
/// SetCover(of: [[1, 2], [2, 3], [1, 2, 3]].map { BitSet($0) }).chosen  // [2]
/// ```
package struct SetCover: Sendable {
  /// The indexes of the chosen sets, starting with the set that adds the most elements.
  package let chosen: [Int]
  /// The number of elements that each chosen set adds to the sets before it.
  package let added: [Int]
  /// Whether no smaller selection exists.
  ///
  /// If `false`, the search stopped at its limit, so a smaller selection may exist.
  package let isSmallest: Bool

  /// Searches for a smallest cover.
  ///
  /// - Parameters:
  ///   - sets: The candidate sets.
  ///   - costs: The cost of each set, in any unit. Among equally good sets, the search chooses the one with the lowest
  ///     cost.
  ///   - mostSteps: The maximum number of set lookups in each group of sets that share elements.
  package init(of sets: [BitSet], costs: [Int] = [], mostSteps: Int = 20_000_000) {
    let costs = costs.count == sets.count ? costs : sets.map { _ in 0 }
    var chosen: Set<Int> = []
    var isSmallest = true
    for group in Self.groups(of: sets) {
      var search = BranchAndBoundCover(
        sets: group.map { sets[$0] },
        costs: group.map { costs[$0] },
        stepsLeft: mostSteps
      )
      for index in search.smallest() { chosen.insert(group[index]) }
      isSmallest = isSmallest && search.stepsLeft > 0
    }
    self.isSmallest = isSmallest
    (self.chosen, added) = Self.ordered(chosen, sets, costs)
  }

  /// Divides the sets into groups that have no elements in common, so that each group can be searched separately.
  private static func groups(of sets: [BitSet]) -> [[Int]] {
    var parents = Array(sets.indices)
    func root(_ index: Int) -> Int {
      var index = index
      while parents[index] != index { index = parents[index] }
      return index
    }
    var owners: [Int: Int] = [:]
    for (index, set) in sets.enumerated() {
      for number in set.numbers {
        if let owner = owners[number] {
          let (one, other) = (root(owner), root(index))
          parents[max(one, other)] = min(one, other)
        } else {
          owners[number] = index
        }
      }
      // Path compression shortens later lookups.
      parents[index] = root(index)
    }
    return Dictionary(grouping: sets.indices, by: root).sorted { $0.key < $1.key }.map(\.value)
  }

  /// Orders the chosen sets so that each one adds as many elements as possible to those before it.
  private static func ordered(
    _ chosen: Set<Int>,
    _ sets: [BitSet],
    _ costs: [Int]
  ) -> ([Int], [Int]) {
    var (rest, covered) = (chosen.sorted(), BitSet())
    var (order, added) = ([Int](), [Int]())
    while !rest.isEmpty {
      let gains = rest.map { sets[$0].subtracting(covered).count }
      let best = rest.indices.max { one, other in
        (gains[one], -costs[rest[one]], -one) < (gains[other], -costs[rest[other]], -other)
      }
      guard let best else { break }
      order.append(rest[best])
      added.append(gains[best])
      covered.formUnion(sets[rest.remove(at: best)])
    }
    return (order, added)
  }
}

/// A branch-and-bound search for the smallest cover of one group of sets.
private struct BranchAndBoundCover {
  let sets: [BitSet]
  let costs: [Int]
  var stepsLeft: Int
  private var best: Set<Int> = []

  init(sets: [BitSet], costs: [Int], stepsLeft: Int) {
    (self.sets, self.costs, self.stepsLeft) = (sets, costs, stepsLeft)
  }

  mutating func smallest() -> Set<Int> {
    var all = BitSet()
    for set in sets { all.formUnion(set) }
    let candidates = withoutDominated()
    best = greedy(all, candidates)
    search(all, candidates, chosen: [])
    return best
  }

  /// Returns the indexes of sets that are not subsets of other sets.
  ///
  /// Among equal sets, only the one with the lowest cost is returned.
  private func withoutDominated() -> [Int] {
    let order = sets.indices.sorted { one, other in
      (-sets[one].count, costs[one], one) < (-sets[other].count, costs[other], other)
    }
    var kept: [Int] = []
    var seen: Set<BitSet> = []
    for index in order where !sets[index].isEmpty && seen.insert(sets[index]).inserted {
      // The sets are sorted by size, so every superset has been visited already.
      if !kept.contains(where: { sets[index].isSubset(of: sets[$0]) }) { kept.append(index) }
    }
    return kept
  }

  private func greedy(_ numbers: BitSet, _ candidates: [Int]) -> Set<Int> {
    var (left, chosen) = (numbers, Set<Int>())
    while !left.isEmpty {
      let best = candidates.max { one, other in
        let (gain, otherGain) = (
          sets[one].countInCommon(with: left), sets[other].countInCommon(with: left)
        )
        return (gain, -costs[one], -one) < (otherGain, -costs[other], -other)
      }
      guard let best, chosen.insert(best).inserted else { break }
      left.subtract(sets[best])
    }
    return chosen
  }

  /// Searches for a cover that is smaller than `best`, and stores it there.
  private mutating func search(_ numbers: BitSet, _ candidates: [Int], chosen: Set<Int>) {
    guard !numbers.isEmpty else {
      if chosen.count < best.count { best = chosen }
      return
    }
    guard stepsLeft > 0 else { return }
    stepsLeft -= candidates.count
    let largest = candidates.map { sets[$0].countInCommon(with: numbers) }.max() ?? 0
    guard largest > 0, chosen.count + (numbers.count + largest - 1) / largest < best.count else {
      return
    }
    // Every cover contains a set with the rarest element, so only these sets are tried.
    var rarest: [Int] = []
    for number in numbers.numbers {
      stepsLeft -= candidates.count
      let having = candidates.filter { sets[$0].contains(number) }
      if rarest.isEmpty || having.count < rarest.count { rarest = having }
      if rarest.count == 1 { break }
    }
    var others = candidates
    for set in rarest.sorted(by: { gain($0, numbers) > gain($1, numbers) }) {
      search(numbers.subtracting(sets[set]), others, chosen: chosen.union([set]))
      // All covers that contain this set have been searched.
      others.removeAll { $0 == set }
    }
  }

  private func gain(_ set: Int, _ numbers: BitSet) -> Int {
    sets[set].countInCommon(with: numbers)
  }
}
