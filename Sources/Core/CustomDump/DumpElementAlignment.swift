/// The alignment of two sequences, which determines the corresponding elements.
struct DumpElementAlignment {
  enum AlignedElement {
    /// The indices of two corresponding elements.
    ///
    /// Elements that are matched by identity may have different contents.
    case both(Int, Int)
    /// The index of an element of the first sequence that was removed, or moved to an index of the second sequence.
    case first(Int, movedTo: Int?)
    /// The index of an element of the second sequence that was inserted, or moved from an index of the first sequence.
    case second(Int, movedFrom: Int?)
  }

  private(set) var steps: [AlignedElement] = []
  /// Whether elements are matched by identity.
  ///
  /// If `true`, corresponding elements may differ, and a removed element is never paired with an inserted one.
  let isByIdentity: Bool

  private let first: [DumpChild]
  private let second: [DumpChild]

  /// Aligns elements by identity if each element has a unique one, otherwise by equality.
  init(_ first: [DumpChild], _ second: [DumpChild]) {
    self.first = first
    self.second = second
    let firstKeys = Self.uniqueIdentities(first)
    let secondKeys = Self.uniqueIdentities(second)
    isByIdentity = firstKeys != nil && secondKeys != nil
    if let firstKeys, let secondKeys {
      align(firstKeys, secondKeys)
    } else {
      let (firstKeys, secondKeys) = Self.classes(first, second)
      align(firstKeys, secondKeys)
    }
  }

  private static func uniqueIdentities(_ children: [DumpChild]) -> [AnyHashable]? {
    let identities = children.compactMap(\.identity)
    guard identities.count == children.count, Set(identities).count == identities.count else {
      return nil
    }
    return identities
  }

  /// Returns a number for each element of both sequences.
  ///
  /// Elements with the same number are equal. The unchanged elements at both ends get their own numbers, even if other
  /// elements are equal to them.
  private static func classes(_ first: [DumpChild], _ second: [DumpChild]) -> ([Int], [Int]) {
    // Compares the unchanged elements at both ends pairwise. Otherwise, each element that isn't `Hashable` would be
    // compared with many others.
    let shorter = min(first.count, second.count)
    var prefix = 0
    while prefix < shorter, DumpEquality.areEqual(first[prefix].value, second[prefix].value) {
      prefix += 1
    }
    var suffix = 0
    while suffix < shorter - prefix,
      DumpEquality.areEqual(
        first[first.count - 1 - suffix].value,
        second[second.count - 1 - suffix].value
      )
    {
      suffix += 1
    }
    var classes = EquivalenceClasses()
    let middles = [first, second].map { $0[prefix..<($0.count - suffix)].map(\.value) }
    let numbers = classes.numbers(of: middles)
    let before = (0..<prefix).map { -1 - $0 }
    let after = (0..<suffix).map { -1 - prefix - $0 }
    return (before + numbers[0] + after, before + numbers[1] + after)
  }

  /// Aligns the longest common subsequence of keys, then marks moved elements.
  ///
  /// All other elements count as removed or inserted.
  private mutating func align<Key: Hashable>(_ first: [Key], _ second: [Key]) {
    let kept = LongestCommonSubsequence.of(first, second)
    let keptFirst = Set(kept.map(\.0))
    let keptSecond = Set(kept.map(\.1))
    // A key that remains exactly once in each sequence has moved.
    let left = Self.single(first.indices.lazy.filter { !keptFirst.contains($0) }, first)
    let right = Self.single(second.indices.lazy.filter { !keptSecond.contains($0) }, second)
    var position = (0, 0)
    for (i, j) in kept + [(first.count, second.count)] {
      steps += (position.0..<i).map {
        .first($0, movedTo: left[first[$0]] == nil ? nil : right[first[$0]])
      }
      steps += (position.1..<j).map {
        .second($0, movedFrom: right[second[$0]] == nil ? nil : left[second[$0]])
      }
      if i < first.count { steps.append(.both(i, j)) }
      position = (i + 1, j + 1)
    }
  }

  /// Returns the index of each key that occurs exactly once among the keys at the given indices.
  private static func single<Key: Hashable>(
    _ indices: some Sequence<Int>,
    _ keys: [Key]
  ) -> [Key: Int] {
    var places: [Key: Int?] = [:]
    for index in indices {
      places[keys[index]] = places[keys[index]] == nil ? .some(index) : .some(nil)
    }
    return places.compactMapValues { $0 }
  }
}

/// A numbering of values that gives equal values the same number, except beyond `mostCompared` unhashable values.
private struct EquivalenceClasses {
  private static let mostCompared = 500

  private var hashed: [AnyHashable: Int] = [:]
  private var compared: [(value: Any, number: Int)] = []
  private var next = 0

  mutating func numbers(of lists: [[Any]]) -> [[Int]] {
    lists.map { list in
      list.map { value in
        let number = known(value) ?? next
        if number == next { add(value) }
        return number
      }
    }
  }

  private func known(_ value: Any) -> Int? {
    if let key = DumpIdentity.hashable(value) { return hashed[key] }
    return compared.first { DumpEquality.areEqual($0.value, value) }?.number
  }

  private mutating func add(_ value: Any) {
    if let key = DumpIdentity.hashable(value) {
      hashed[key] = next
    } else if compared.count < Self.mostCompared {
      // A new value that isn't `Hashable` is compared with each value in this list. The limit bounds the total cost.
      compared.append((value, next))
    }
    next += 1
  }
}

/// An algorithm that computes the longest common subsequence of two lists of keys, or a shorter one for long lists.
enum LongestCommonSubsequence {
  /// The maximum combined length of two lists that `difference(from:)` compares.
  ///
  /// The function needs memory proportional to the square of the length. Lists with unique keys don't use it.
  private static let mostChanges = 2000

  /// Returns the index pairs of the common subsequence, in ascending order.
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
      // The lists are too long for the algorithm for repeated keys, so only equal keys at equal indices match.
      return zip(first.indices, second.indices).filter { first[$0] == second[$1] }
    }
    return byDifference(first, second)
  }

  /// Returns the common subsequence of lists with repeated keys, from `difference(from:)` of the standard library.
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

  /// Returns the common subsequence of lists with unique keys: the longest increasing sequence of indices in `second`.
  private static func increasing<Key: Hashable>(
    _ first: ArraySlice<Key>,
    _ second: ArraySlice<Key>
  ) -> [(Int, Int)] {
    let places = Dictionary(zip(second, second.indices)) { first, _ in first }
    let pairs = first.indices.compactMap { i in places[first[i]].map { (i, $0) } }
    // The pair at `ends[n]` ends a sequence of n + 1 pairs, and has the lowest possible index in `second`.
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
