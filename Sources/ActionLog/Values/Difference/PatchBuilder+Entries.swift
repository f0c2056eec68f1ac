// Sets and dictionaries: only what came, went or changed is written.
extension PatchBuilder {
  /// Compares two sets of values that are what their bits are.
  mutating func elements<Element: Hashable>(from old: Set<Element>, to new: Set<Element>) {
    guard !isCopying else { return }
    let elements = RowComparison<Element>(&types)
    let differing = HashedStorage.differing(old, new, elements) ?? (Array(old), Array(new))
    let changes = EntryChanges(
      from: differing.old,
      to: differing.new,
      findOld: { old.firstIndex(of: $0).map { old[$0] } },
      findNew: { new.firstIndex(of: $0).map { new[$0] } },
      isSame: { elements.isSame($0, $1) }
    )
    let depth = depth
    sorted(
      changes,
      from: old,
      to: new,
      count: old.count,
      all: { old.map { $0 } },
      text: { element in LogEncoder.text(at: depth) { $0.value(element) } }
    )
  }

  /// Compares two dictionaries of values that are what their bits are.
  mutating func entries<Key: Hashable, Value>(from old: [Key: Value], to new: [Key: Value]) {
    guard !isCopying else { return }
    let (keys, values) = (RowComparison<Key>(&types), RowComparison<Value>(&types))
    let differing = HashedStorage.differing(old, new, keys, values) ?? (Array(old), Array(new))
    let changes = EntryChanges<(key: Key, value: Value)>(
      from: differing.old,
      to: differing.new,
      findOld: { entry in old.index(forKey: entry.key).map { old[$0] } },
      findNew: { entry in new.index(forKey: entry.key).map { new[$0] } },
      isSame: { keys.isSame($0.key, $1.key) && values.isSame($0.value, $1.value) }
    )
    guard let coding = DictionaryKeyCoding<Key>() else {
      let depth = depth
      return sorted(
        changes,
        from: old,
        to: new,
        count: old.count,
        all: { old.map { $0 } },
        text: { entry in
          LogEncoder.text(at: depth) { encoder in
            encoder.beginArray()
            encoder.value(entry.key)
            encoder.value(entry.value)
            encoder.endArray()
          }
        }
      )
    }
    // The names of other keys may be the same for keys that differ, and the last one counts.
    guard
      Key.self == String.self || Key.self is any FixedWidthInteger.Type
        || haveNames(old.keys, coding) && haveNames(new.keys, coding)
    else { return compareWritten(old, new) }
    members(changes, named: coding.name)
  }

  /// Whether each of the keys has a name that no other one has.
  private func haveNames<Key>(
    _ keys: some Collection<Key>,
    _ coding: DictionaryKeyCoding<Key>
  ) -> Bool {
    var names: Set<[UInt8]> = []
    return keys.allSatisfy { names.insert(Array(coding.name($0).utf8)).inserted }
  }

  private mutating func members<Key, Value>(
    _ changes: EntryChanges<(key: Key, value: Value)>,
    named name: (Key) -> String
  ) {
    var members: [ChangedMember] = []
    for (index, change) in changes.changes.enumerated() {
      let (oldName, newName) = (
        change.old.map { name($0.key) }, change.new.map { name($0.key) }
      )
      // Equal keys can have different bytes.
      if let oldName, let newName, oldName.hasSameBytes(as: newName) {
        members.append(ChangedMember(name: newName, index: index, hasOld: true, hasNew: true))
        continue
      }
      if let oldName {
        members.append(ChangedMember(name: oldName, index: index, hasOld: true, hasNew: false))
      }
      if let newName {
        members.append(ChangedMember(name: newName, index: index, hasOld: false, hasNew: true))
      }
    }
    // A dictionary has another order in every process.
    members.sort { $0.name.precedesInBytes($1.name) }
    for member in members {
      let (old, new) = changes.changes[member.index]
      nested(member.name) { patch in
        switch (member.hasOld ? old : nil, member.hasNew ? new : nil) {
        case (let old?, let new?): patch.value(old.value, new.value)
        case (nil, let new?): patch.add(new.value)
        case (_, nil): patch.remove()
        }
      }
    }
  }

  /// A member that is written for an entry of a dictionary that has changed.
  private struct ChangedMember {
    let name: String
    /// Which change it is.
    let index: Int
    let hasOld: Bool
    let hasNew: Bool
  }
}

extension PatchBuilder {
  /// Compares what is written as an array in the order of its bytes, for which the texts of all entries are kept from one
  /// change to the next.
  private mutating func sorted<Whole, Entry>(
    _ changes: EntryChanges<Entry>,
    from old: Whole,
    to new: Whole,
    count: Int,
    all: () -> [Entry],
    text: (Entry) -> [UInt8]
  ) {
    var gone = changes.changes.compactMap { $0.old.map(text) }
    var come: [[UInt8]] = []
    for text in changes.changes.compactMap({ $0.new.map(text) }) {
      // Values that are not the same can be written alike.
      if let index = gone.firstIndex(of: text) { gone.remove(at: index) } else { come.append(text) }
    }
    if gone.isEmpty, come.isEmpty {
      if let texts = sortedTexts.take(path, for: old) { keep(texts, of: new) }
      return
    }
    // Both are written then, and nothing is kept.
    guard gone.count + come.count <= 8 + count / 2 else { return compareWritten(old, new) }
    var texts = sortedTexts.take(path, for: old) ?? SortedTexts(all().map(text))
    var removed: [Int] = []
    // A set has another order in every process; from the back, no removal shifts the index of another.
    gone.sort { $1.precedesInBytes($0) }
    for text in gone {
      guard let index = texts.remove(text) else { return compareWritten(old, new) }
      removed.append(index)
    }
    for index in removed { nested(index) { $0.writeRemoval() } }
    come.sort { $0.precedesInBytes($1) }
    for text in come {
      let index = texts.insert(text)
      nested(index) { $0.write(.add, text: text) }
    }
    keep(texts, of: new)
  }

  private mutating func keep<Whole>(_ texts: SortedTexts, of value: Whole) {
    guard let copy = PlainCopy(value, &types) else { return }
    sortedTexts.keep(texts, of: copy, at: path)
  }
}

/// The texts of the elements of an array that is written in the order of their bytes.
struct SortedTexts: Sendable {
  private var texts: [[UInt8]]

  init(_ texts: [[UInt8]]) { self.texts = texts.sorted { $0.precedesInBytes($1) } }

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
  private struct Entry: Sendable {
    let value: PlainCopy
    let texts: SortedTexts
  }

  private var entries: [[UInt8]: Entry] = [:]

  /// So many places are kept; with more, all are forgotten.
  private static let mostPlaces = 64

  /// Hands out the texts of a value; nil when those of another one, or none, are kept.
  mutating func take<Value>(_ path: [UInt8], for value: Value) -> SortedTexts? {
    guard let entry = entries.removeValue(forKey: path),
      let known = entry.value.value(as: Value.self), hasSameBits(known, value)
    else { return nil }
    return entry.texts
  }

  /// Keeps the texts of a value.
  mutating func keep(_ texts: SortedTexts, of value: PlainCopy, at path: [UInt8]) {
    if entries.count >= Self.mostPlaces { entries = [:] }
    entries[path] = Entry(value: value, texts: texts)
  }
}

/// What differs between the entries of two sets or dictionaries.
struct EntryChanges<Entry> {
  /// An entry that went, one that came, or one that took the place of another with an equal key.
  private(set) var changes: [(old: Entry?, new: Entry?)] = []

  /// Compares entries.
  ///
  /// - Parameters:
  ///   - old: The entries before that may have changed.
  ///   - new: The entries after that may have changed.
  ///   - findOld: The entry before with the key of another one.
  ///   - findNew: The entry after with the key of another one.
  ///   - isSame: Whether two entries have the same bits.
  init(
    from old: [Entry],
    to new: [Entry],
    findOld: (Entry) -> Entry?,
    findNew: (Entry) -> Entry?,
    isSame: (Entry, Entry) -> Bool
  ) {
    for old in old {
      let new = findNew(old)
      if let new, isSame(old, new) { continue }
      changes.append((old, new))
    }
    for new in new where findOld(new) == nil { changes.append((nil, new)) }
  }
}
