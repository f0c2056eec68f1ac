// Only the added, removed, and changed entries of sets and dictionaries are written.
extension PatchBuilder {
  /// Compares two sets, whose elements can be compared bitwise, and writes the changes.
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

  /// Compares two dictionaries, whose keys and values can be compared bitwise, and writes the changes.
  mutating func entries<Key: Hashable, Value>(from old: [Key: Value], to new: [Key: Value]) {
    guard !isCopying else { return }
    guard min(old.count, new.count) > 0 || max(old.count, new.count) < 2 else {
      return replace(with: new)
    }
    let start = start
    // An entry takes at least five bytes: a name with quotes and a colon, a value, and a comma.
    defer { shorten(since: start, count: new.count, shortest: 5) { new } }
    let coding = DictionaryKeyCoding<Key>()
    // Different keys of other types can have the same name. The log then contains only the last entry.
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
          before.places.map { EntryNameAndIndex(name: coding.name(before.first($0)), place: $0) },
          after.places.map { EntryNameAndIndex(name: coding.name(after.first($0)), place: $0) }
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

  /// Whether all keys have distinct names.
  private func haveNames<Key>(
    _ keys: some Collection<Key>,
    _ coding: DictionaryKeyCoding<Key>
  ) -> Bool {
    var names: Set<[UInt8]> = []
    return keys.allSatisfy { names.insert(Array(coding.name($0).utf8)).inserted }
  }

  /// The name of a key in the log, and the index of its entry.
  private struct EntryNameAndIndex {
    let name: String
    let place: Int
  }

  /// Compares entries that are written as members of an object.
  ///
  /// - Parameters:
  ///   - old: The old entries that could have changed.
  ///   - new: The new entries that could have changed.
  ///   - compare: A closure that compares the values at two indexes. One index is `nil` for an added or removed entry.
  private mutating func members(
    _ old: [EntryNameAndIndex],
    _ new: [EntryNameAndIndex],
    compare: (inout PatchBuilder, Int?, Int?) -> Void
  ) {
    // The order of a dictionary differs between processes, so entries are sorted. Names are compared by their bytes,
    // because canonically equivalent names can have different bytes.
    let old = old.sorted { $0.name.precedesInBytes($1.name) }
    let new = new.sorted { $0.name.precedesInBytes($1.name) }
    var (left, right) = (0, 0)
    while left < old.count || right < new.count {
      let isOld =
        left < old.count && (right == new.count || !new[right].name.precedesInBytes(old[left].name))
      let isNew =
        right < new.count && (left == old.count || !old[left].name.precedesInBytes(new[right].name))
      let name = isOld ? old[left].name : new[right].name
      nested(marks == nil ? name : MaskerMark.data.on(key: name)) { patch in
        compare(&patch, isOld ? old[left].place : nil, isNew ? new[right].place : nil)
      }
      if isOld { left += 1 }
      if isNew { right += 1 }
    }
  }
}

extension PatchBuilder {
  /// Compares collections that are written as arrays in byte order.
  ///
  /// Keeps the sorted texts of all entries for the next change.
  ///
  /// - Parameters:
  ///   - old: The JSON texts of the old entries that could have changed.
  ///   - new: The JSON texts of the new entries that could have changed.
  ///   - whole: The complete old set or dictionary.
  ///   - newWhole: The complete new set or dictionary.
  ///   - count: The number of old entries.
  ///   - all: A closure that returns the texts of all old entries.
  private mutating func sorted<Whole>(
    _ old: [[UInt8]],
    _ new: [[UInt8]],
    from whole: Whole,
    to newWhole: Whole,
    count: Int,
    all: () -> [[UInt8]]
  ) {
    // Different values can have the same text.
    let (gone, come) = SortedElementTexts(old).differences(from: SortedElementTexts(new))
    if gone.isEmpty, come.isEmpty {
      if let texts = sortedTexts.removeTexts(path, for: whole) { store(texts, of: newWhole) }
      return
    }
    // If too many entries changed, the complete texts of both collections are compared, and no texts are kept.
    guard gone.count + come.count <= 8 + count / 2 else {
      return compareContainers(whole, newWhole)
    }
    var texts = sortedTexts.removeTexts(path, for: whole) ?? SortedElementTexts(all())
    var removed: [Int] = []
    // The order of a set differs between processes, so the texts are sorted. Removals from the end keep the indexes of
    // earlier entries valid.
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

  private mutating func store<Whole>(_ texts: SortedElementTexts, of value: Whole) {
    guard let copy = SendableCopy(value, &types) else { return }
    sortedTexts.store(texts, of: copy, at: path)
  }
}

/// The JSON texts of an array's elements, in byte order.
struct SortedElementTexts: Sendable {
  private var texts: [[UInt8]]

  init(_ texts: [[UInt8]]) { self.texts = texts.sorted { $0.precedesInBytes($1) } }

  /// Returns the texts that only this instance contains and those that only `other` contains, in byte order.
  func differences(from other: SortedElementTexts) -> (here: [[UInt8]], there: [[UInt8]]) {
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

  /// Returns the index of a text, or the index at which it would be inserted.
  private func index(of text: [UInt8]) -> Int {
    var (low, high) = (0, texts.count)
    while low < high {
      let middle = (low + high) / 2
      if texts[middle].precedesInBytes(text) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Removes the JSON text of an element.
  ///
  /// - Returns: The index at which the text was, or `nil` if it doesn't exist.
  mutating func remove(_ text: [UInt8]) -> Int? {
    let index = index(of: text)
    guard index < texts.count, texts[index] == text else { return nil }
    texts.remove(at: index)
    return index
  }

  /// Inserts the JSON text of an element.
  ///
  /// - Returns: The index at which the text was inserted.
  mutating func insert(_ text: [UInt8]) -> Int {
    let index = index(of: text)
    texts.insert(text, at: index)
    return index
  }
}

/// The sorted texts of sets and dictionaries that have changed, by path, and a copy of each collection.
struct SortedTextCache: Sendable {
  private struct CachedTexts: Sendable {
    let value: SendableCopy
    let texts: SortedElementTexts
  }

  private var entries: [[UInt8]: CachedTexts] = [:]

  /// The maximum number of paths with texts.
  ///
  /// If another path is added, all texts are dropped.
  private static let mostPlaces = 64

  /// Removes and returns the texts at a path, or returns `nil` if no texts of `value` are stored there.
  mutating func removeTexts<Value>(_ path: [UInt8], for value: Value) -> SortedElementTexts? {
    guard let entry = entries.removeValue(forKey: path), entry.value.isSame(as: value) else {
      return nil
    }
    return entry.texts
  }

  /// Stores the texts of a collection at a path.
  mutating func store(_ texts: SortedElementTexts, of value: SendableCopy, at path: [UInt8]) {
    if entries.count >= Self.mostPlaces { entries = [:] }
    entries[path] = CachedTexts(value: value, texts: texts)
  }
}
