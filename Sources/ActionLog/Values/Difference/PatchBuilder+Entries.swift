// Sets and dictionaries: only what came, went or changed is written.
extension PatchBuilder {
  /// Compares two sets of values that are what their bits are.
  mutating func elements<Element: Hashable>(from old: Set<Element>, to new: Set<Element>) {
    guard !isCopying else { return }
    guard min(old.count, new.count) > 0 || max(old.count, new.count) < 2 else {
      return replace(with: new)
    }
    let start = start
    defer { shorten(since: start, count: new.count, shortest: 2) { new } }
    let (depth, marks) = (depth, marks)
    func text(_ element: Element) -> [UInt8] {
      LogEncoder.text(at: depth, marking: marks) { $0.value(element) }
    }
    HashedStorage.Comparison(Set<Element>.self, &types).withDiffering(old, new) { before, after in
      sorted(
        before.places.map { text(before.first($0)) },
        after.places.map { text(after.first($0)) },
        from: old,
        to: new,
        count: old.count,
        all: { old.map(text) }
      )
    }
  }

  /// Compares two dictionaries of values that are what their bits are.
  mutating func entries<Key: Hashable, Value>(from old: [Key: Value], to new: [Key: Value]) {
    guard !isCopying else { return }
    guard min(old.count, new.count) > 0 || max(old.count, new.count) < 2 else {
      return replace(with: new)
    }
    let start = start
    // A name with quotes and colon, a value and a comma.
    defer { shorten(since: start, count: new.count, shortest: 5) { new } }
    let coding = DictionaryKeyCoding<Key>()
    // The names of other keys may be the same for keys that differ, and the last one counts.
    if let coding, Key.self != String.self, !(Key.self is any FixedWidthInteger.Type),
      !haveNames(old.keys, coding) || !haveNames(new.keys, coding)
    {
      return compareContainers(old, new)
    }
    let (depth, marks) = (depth, marks)
    func text(_ key: Key, _ value: Value) -> [UInt8] {
      LogEncoder.text(at: depth, marking: marks) { encoder in
        encoder.beginArray()
        encoder.value(key)
        encoder.value(value)
        encoder.endArray()
      }
    }
    HashedStorage.Comparison([Key: Value].self, &types).withDiffering(old, new) { before, after in
      if let coding {
        members(
          before.places.map { NamedPlace(name: coding.name(before.first($0)), place: $0) },
          after.places.map { NamedPlace(name: coding.name(after.first($0)), place: $0) }
        ) { patch, old, new in
          switch (old, new) {
          case (let old?, let new?):
            patch.value(before.second(old, as: Value.self), after.second(new, as: Value.self))
          case (nil, let new?): patch.add(after.second(new, as: Value.self))
          case (_, nil): patch.remove()
          }
        }
      } else {
        sorted(
          before.places.map { text(before.first($0), before.second($0)) },
          after.places.map { text(after.first($0), after.second($0)) },
          from: old,
          to: new,
          count: old.count,
          all: { old.map(text) }
        )
      }
    }
  }

  /// Whether each of the keys has a name that no other one has.
  private func haveNames<Key>(
    _ keys: some Collection<Key>,
    _ coding: DictionaryKeyCoding<Key>
  ) -> Bool {
    var names: Set<[UInt8]> = []
    return keys.allSatisfy { names.insert(Array(coding.name($0).utf8)).inserted }
  }

  /// A key as it is written, and the place of its entry.
  private struct NamedPlace {
    let name: String
    let place: Int
  }

  /// Compares entries that are written as members.
  ///
  /// - Parameters:
  ///   - old: The entries before that may have changed.
  ///   - new: The entries after that may have changed.
  ///   - compare: Compares the values at two places, of which one may be missing.
  private mutating func members(
    _ old: [NamedPlace],
    _ new: [NamedPlace],
    compare: (inout PatchBuilder, Int?, Int?) -> Void
  ) {
    // A dictionary has another order in every process. Names are compared by their bytes, which equal keys can differ in.
    let old = old.sorted { $0.name.precedesInBytes($1.name) }
    let new = new.sorted { $0.name.precedesInBytes($1.name) }
    var (left, right) = (0, 0)
    while left < old.count || right < new.count {
      let isOld =
        left < old.count && (right == new.count || !new[right].name.precedesInBytes(old[left].name))
      let isNew =
        right < new.count && (left == old.count || !old[left].name.precedesInBytes(new[right].name))
      let name = isOld ? old[left].name : new[right].name
      nested(marks == nil ? name : LogMark.data.on(key: name)) { patch in
        compare(&patch, isOld ? old[left].place : nil, isNew ? new[right].place : nil)
      }
      if isOld { left += 1 }
      if isNew { right += 1 }
    }
  }
}

extension PatchBuilder {
  /// Compares what is written as an array in the order of its bytes, for which the texts of all entries are kept from one
  /// change to the next.
  ///
  /// - Parameters:
  ///   - old: The texts of entries before that may have changed.
  ///   - new: The texts of entries after that may have changed.
  ///   - whole: The set or dictionary before.
  ///   - newWhole: The set or dictionary after.
  ///   - count: How many entries there were before.
  ///   - all: The texts of all entries before.
  private mutating func sorted<Whole>(
    _ old: [[UInt8]],
    _ new: [[UInt8]],
    from whole: Whole,
    to newWhole: Whole,
    count: Int,
    all: () -> [[UInt8]]
  ) {
    // Values that are not the same can be written alike.
    let (gone, come) = SortedTexts(old).differences(from: SortedTexts(new))
    if gone.isEmpty, come.isEmpty {
      if let texts = sortedTexts.removeTexts(path, for: whole) { store(texts, of: newWhole) }
      return
    }
    // Both are written then, and nothing is kept.
    guard gone.count + come.count <= 8 + count / 2 else {
      return compareContainers(whole, newWhole)
    }
    var texts = sortedTexts.removeTexts(path, for: whole) ?? SortedTexts(all())
    var removed: [Int] = []
    // A set has another order in every process; from the back, no removal shifts the index of another.
    for text in gone.reversed() {
      guard let index = texts.remove(text) else { return compareWritten(whole, newWhole) }
      removed.append(index)
    }
    for index in removed { nested(index) { $0.writeRemoval() } }
    for text in come {
      let index = texts.insert(text)
      nested(index) { $0.write(.add, text: text) }
    }
    store(texts, of: newWhole)
  }

  private mutating func store<Whole>(_ texts: SortedTexts, of value: Whole) {
    guard let copy = PlainCopy(value, &types) else { return }
    sortedTexts.store(texts, of: copy, at: path)
  }
}

/// The texts of the elements of an array that is written in the order of their bytes.
struct SortedTexts: Sendable {
  private var texts: [[UInt8]]

  init(_ texts: [[UInt8]]) { self.texts = texts.sorted { $0.precedesInBytes($1) } }

  /// The texts that are here and not there, and the other way round, in order.
  func differences(from other: SortedTexts) -> (here: [[UInt8]], there: [[UInt8]]) {
    var (here, there): ([[UInt8]], [[UInt8]]) = ([], [])
    var (left, right) = (texts[...], other.texts[...])
    while let first = left.first, let second = right.first {
      if first == second {
        left.removeFirst()
        right.removeFirst()
      } else if first.precedesInBytes(second) {
        here.append(left.removeFirst())
      } else {
        there.append(right.removeFirst())
      }
    }
    return (here + left, there + right)
  }

  /// Where a text stands, or would stand.
  private func index(of text: [UInt8]) -> Int {
    var (low, high) = (0, texts.count)
    while low < high {
      let middle = (low + high) / 2
      if texts[middle].precedesInBytes(text) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Removes a text.
  ///
  /// - Returns: Where it stood; nil when it is not there.
  mutating func remove(_ text: [UInt8]) -> Int? {
    let index = index(of: text)
    guard index < texts.count, texts[index] == text else { return nil }
    texts.remove(at: index)
    return index
  }

  /// Inserts a text.
  ///
  /// - Returns: Where it stands.
  mutating func insert(_ text: [UInt8]) -> Int {
    let index = index(of: text)
    texts.insert(text, at: index)
    return index
  }
}

/// The texts of sets and dictionaries that have changed, by their place, each with the value whose texts they are.
struct KeptTexts: Sendable {
  private struct CachedTexts: Sendable {
    let value: PlainCopy
    let texts: SortedTexts
  }

  private var entries: [[UInt8]: CachedTexts] = [:]

  /// So many places are kept; with more, all are forgotten.
  private static let mostPlaces = 64

  /// Hands out the texts of a value; nil when those of another one, or none, are kept.
  mutating func removeTexts<Value>(_ path: [UInt8], for value: Value) -> SortedTexts? {
    guard let entry = entries.removeValue(forKey: path), entry.value.isSame(as: value) else {
      return nil
    }
    return entry.texts
  }

  /// Keeps the texts of a value.
  mutating func store(_ texts: SortedTexts, of value: PlainCopy, at path: [UInt8]) {
    if entries.count >= Self.mostPlaces { entries = [:] }
    entries[path] = CachedTexts(value: value, texts: texts)
  }
}
