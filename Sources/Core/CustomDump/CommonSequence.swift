/// The longest sequence of keys that two lists have in common.
enum CommonSequence {
  /// As many changes as are looked for in lists with repeated keys; more take too much memory.
  private static let mostChanges = 2000

  /// The places of the common keys, in order.
  static func of<Key: Hashable>(_ first: [Key], _ second: [Key]) -> [(Int, Int)] {
    let shorter = min(first.count, second.count)
    var prefix = 0
    while prefix < shorter, first[prefix] == second[prefix] { prefix += 1 }
    var suffix = 0
    while suffix < shorter - prefix,
      first[first.count - 1 - suffix] == second[second.count - 1 - suffix]
    {
      suffix += 1
    }
    let middle = middle(
      first[prefix..<(first.count - suffix)],
      second[prefix..<(second.count - suffix)]
    )
    return (0..<prefix).map { ($0, $0) } + middle
      + (0..<suffix).reversed().map { (first.count - 1 - $0, second.count - 1 - $0) }
  }

  private static func middle<Key: Hashable>(
    _ first: ArraySlice<Key>,
    _ second: ArraySlice<Key>
  ) -> [(Int, Int)] {
    guard !first.isEmpty, !second.isEmpty else { return [] }
    if Set(first).count == first.count && Set(second).count == second.count {
      return increasing(first, second)
    }
    guard first.count + second.count <= mostChanges else {
      // Too many to look for anything but what stands at the same distance from the start.
      return zip(first.indices, second.indices).filter { first[$0] == second[$1] }
    }
    return byDifference(first, second)
  }

  /// Keys that repeat: whatever the standard library's difference leaves in place.
  private static func byDifference<Key: Hashable>(
    _ first: ArraySlice<Key>,
    _ second: ArraySlice<Key>
  ) -> [(Int, Int)] {
    let difference = Array(second).difference(from: Array(first))
    var removed: Set<Int> = []
    var inserted: Set<Int> = []
    for change in difference {
      switch change {
      case .remove(let offset, _, _): removed.insert(first.startIndex + offset)
      case .insert(let offset, _, _): inserted.insert(second.startIndex + offset)
      }
    }
    let kept = zip(
      first.indices.filter { !removed.contains($0) },
      second.indices.filter { !inserted.contains($0) }
    )
    return Array(kept)
  }

  /// Keys that do not repeat: the longest run of places in the second list that increases.
  private static func increasing<Key: Hashable>(
    _ first: ArraySlice<Key>,
    _ second: ArraySlice<Key>
  ) -> [(Int, Int)] {
    let places = Dictionary(zip(second, second.indices)) { first, _ in first }
    let pairs = first.indices.compactMap { i in places[first[i]].map { (i, $0) } }
    // `ends[n]` is the pair with the lowest place at which a run of n + 1 pairs ends.
    var ends: [Int] = []
    var previous: [Int?] = []
    for (index, pair) in pairs.enumerated() {
      var low = 0
      var high = ends.count
      while low < high {
        let middle = (low + high) / 2
        if pairs[ends[middle]].1 < pair.1 { low = middle + 1 } else { high = middle }
      }
      previous.append(low > 0 ? ends[low - 1] : nil)
      if low == ends.count { ends.append(index) } else { ends[low] = index }
    }
    var run: [(Int, Int)] = []
    var last = ends.last
    while let index = last {
      run.append(pairs[index])
      last = previous[index]
    }
    return run.reversed()
  }
}
