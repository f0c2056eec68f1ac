extension JSON {
  /// The members of a JSON object in the order in which they were written.
  ///
  /// ```swift
  /// var object: JSON.Object = ["b": 1]
  /// object["a"] = 2   // {"b":1,"a":2}
  /// object["b"] = nil // {"a":2}
  /// object.isEmpty    // false
  /// ```
  ///
  /// Names are compared scalar by scalar. Of members with the same name the last one counts, in the place of the first.
  public struct Object: Sendable {
    /// The names and values in order, and those of removed members that still have a slot.
    private var (names, slots): ([String], [JSON]) = ([], [])
    /// The slots of the names, of an object so large that looking through the names would cost more; at most one.
    ///
    /// An array has the size of one word, of which each JSON value has this one.
    private var index: [Index] = []

    /// An object without members.
    public init() {}

    /// An object with these members.
    public init(members: some Sequence<(key: String, value: JSON)>) {
      for (key, value) in members { self[key] = value }
    }
  }
}

extension JSON.Object {
  /// How many names are looked through one by one before an index is worth its memory.
  static let largestWithoutIndex = 12

  /// A name, compared scalar by scalar.
  struct Name: Hashable {
    let text: String
    static func == (lhs: Name, rhs: Name) -> Bool { lhs.text.hasSameBytes(as: rhs.text) }
    func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
  }

  /// The slots of the members of a large object.
  private struct Index {
    var positions: [Name: Int] = [:]
    /// The slots of removed members.
    ///
    /// Closing each gap at once would move all members behind it.
    var removed: Set<Int> = []
  }

  /// The names in order.
  public var keys: [String] { live(names) }

  /// The values, in the order of the names.
  public var values: [JSON] { live(slots) }

  private var removed: Set<Int> { index.first?.removed ?? [] }

  private func live<Element>(_ all: [Element]) -> [Element] {
    guard let removed = index.first?.removed, !removed.isEmpty else { return all }
    return all.indices.lazy.filter { !removed.contains($0) }.map { all[$0] }
  }

  /// The number of members.
  public var count: Int { names.count - (index.first?.removed.count ?? 0) }

  /// Whether there are no members.
  public var isEmpty: Bool { count == 0 }

  /// The name of the first member.
  ///
  /// `keys` makes an array of all.
  package var firstKey: String? { removed.isEmpty ? names.first : keys.first }

  /// The value of a member; setting `nil` removes it, a new name goes to the end.
  public subscript(key: String) -> JSON? {
    get { slot(of: key).map { slots[$0] } }
    set {
      switch (slot(of: key), newValue) {
      case (let slot?, let value?): slots[slot] = value
      case (let slot?, nil): remove(key, at: slot)
      case (nil, let value?):
        if !index.isEmpty { index[0].positions[Name(text: key)] = names.count }
        names.append(key)
        slots.append(value)
        if index.isEmpty, names.count > Self.largestWithoutIndex { closeGaps() }
      case (nil, nil): break
      }
    }
  }

  private mutating func remove(_ key: String, at slot: Int) {
    guard !index.isEmpty else {
      names.remove(at: slot)
      slots.remove(at: slot)
      return
    }
    index[0].positions[Name(text: key)] = nil
    index[0].removed.insert(slot)
    (names[slot], slots[slot]) = ("", .null)
    if count <= Self.largestWithoutIndex || index[0].removed.count > count { closeGaps() }
  }

  /// The position of a member; `nil` when there is none of this name.
  public func position(of key: String) -> Int? {
    guard let slot = slot(of: key) else { return nil }
    let removed = removed
    return removed.isEmpty ? slot : slot - removed.lazy.filter { $0 < slot }.count
  }

  /// The slot of a member; `nil` when there is none of this name.
  package func slot(of key: String) -> Int? {
    if let index = index.first { return index.positions[Name(text: key)] }
    return names.firstIndex { $0.hasSameBytes(as: key) }
  }

  /// The slot of the member whose name has these bytes, when there is one.
  func slot(of name: UnsafeBufferPointer<UInt8>) -> Int? {
    guard index.isEmpty else { return slot(of: String(decoding: name, as: UTF8.self)) }
    return names.firstIndex { $0.hasBytes(name) }
  }

  /// The names and the slots of the members, in order.
  var namesBySlot: [(slot: Int, name: String)] {
    let removed = removed
    return names.indices.filter { !removed.contains($0) }.map { ($0, names[$0]) }
  }

  /// The value in a slot.
  package func value(in slot: Int) -> JSON { slots[slot] }

  /// Changes the value in a slot in place.
  package mutating func modify<Result>(
    in slot: Int,
    _ body: (inout JSON) throws -> Result
  ) rethrows -> Result {
    try body(&slots[slot])
  }

  /// Makes room for as many members as most objects have.
  mutating func reserve() {
    names.reserveCapacity(4)
    slots.reserveCapacity(4)
  }

  /// Gives each member the slot of its position, and an index to a large object.
  private mutating func closeGaps() {
    (names, slots) = (live(names), live(slots))
    index = []
    guard names.count > Self.largestWithoutIndex else { return }
    var index = Index(positions: Dictionary(minimumCapacity: names.count * 2))
    for (position, key) in names.enumerated() { index.positions[Name(text: key)] = position }
    self.index = [index]
  }
}

extension JSON.Object: Sequence {
  /// The members in order.
  ///
  /// ```swift
  /// for (name, value) in object { print(name, value) }  // a 2
  /// ```
  public func makeIterator() -> AnyIterator<(key: String, value: JSON)> {
    let (keys, values) = (keys, values)
    var position = 0
    return AnyIterator {
      guard position < keys.count else { return nil }
      defer { position += 1 }
      return (key: keys[position], value: values[position])
    }
  }
}

extension JSON.Object: Hashable {
  /// Compares the members whatever their order.
  public static func == (lhs: JSON.Object, rhs: JSON.Object) -> Bool {
    guard lhs.count == rhs.count else { return false }
    // Versions of one state share what has not changed.
    if lhs.index.isEmpty, rhs.index.isEmpty, lhs.slots.span.isIdentical(to: rhs.slots.span),
      lhs.names.span.isIdentical(to: rhs.names.span)
    {
      return true
    }
    let (keys, values) = (lhs.keys, lhs.values)
    for (position, key) in keys.enumerated() {
      // The common case is the same type written twice: the same order.
      let isSame = rhs.removed.isEmpty && rhs.names[position].hasSameBytes(as: key)
      guard let slot = isSame ? position : rhs.slot(of: key),
        values[position] == rhs.slots[slot]
      else { return false }
    }
    return true
  }

  /// Hashes the members whatever their order.
  public func hash(into hasher: inout Hasher) {
    var sum = 0
    for (key, value) in self {
      var member = Hasher()
      key.hashBytes(into: &member)
      member.combine(value)
      sum ^= member.finalize()
    }
    hasher.combine(sum)
  }
}

extension JSON.Object: ExpressibleByDictionaryLiteral {
  /// An object with these members.
  public init(dictionaryLiteral elements: (String, JSON)...) {
    self.init(members: elements.map { (key: $0.0, value: $0.1) })
  }
}

extension JSON.Object {
  /// The key that is a name, or else the only one that is canonically equivalent to it: what people type and see does not tell
  /// these apart.
  package func key(like name: String) -> String? {
    if slot(of: name) != nil { return name }
    guard !name.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    let keys = keys.filter { $0 == name }
    return keys.count == 1 ? keys[0] : nil
  }
}
