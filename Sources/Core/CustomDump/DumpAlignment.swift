/// Which elements of two sequences belong together.
struct DumpAlignment {
  enum Step {
    /// An element of both, which may have changed if it has an identity.
    case both(Int, Int)
    /// An element of the first alone, or one that stands elsewhere in the second.
    case first(Int, movedTo: Int?)
    /// An element of the second alone, or one that stood elsewhere in the first.
    case second(Int, movedFrom: Int?)
  }

  private(set) var steps: [Step] = []
  /// Whether elements that belong together may differ in what they hold, and others are not to be paired.
  let isByIdentity: Bool

  private let first: [DumpChild]
  private let second: [DumpChild]

  /// Aligns elements by their identities if all have one, else by what they are.
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

  /// Numbers that are the same for equal elements.
  private static func classes(_ first: [DumpChild], _ second: [DumpChild]) -> ([Int], [Int]) {
    // What surrounds a change is compared in place, which also serves elements that have no hash.
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
    var classes = Classes()
    let middles = [first, second].map { $0[prefix..<($0.count - suffix)].map(\.value) }
    let numbers = classes.numbers(of: middles)
    let before = (0..<prefix).map { -1 - $0 }
    let after = (0..<suffix).map { -1 - prefix - $0 }
    return (before + numbers[0] + after, before + numbers[1] + after)
  }

  /// Finds the longest common sequence of keys, then what moved, then what is left.
  private mutating func align<Key: Hashable>(_ first: [Key], _ second: [Key]) {
    let kept = CommonSequence.of(first, second)
    let keptFirst = Set(kept.map(\.0))
    let keptSecond = Set(kept.map(\.1))
    // A key that is left once on each side has moved.
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

  /// The places of the keys that stand at one place only.
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

/// Numbers for values, the same for equal ones.
private struct Classes {
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
      // Each value without a hash is compared with all of these, so there must not be too many.
      compared.append((value, next))
    }
    next += 1
  }
}
