extension JSON {
  /// The members of a JSON object, in order of insertion.
  ///
  /// ```swift
  /// var object: JSON.Object = ["b": 1]
  /// object["a"] = 2   // {"b":1,"a":2}
  /// object["b"] = nil // {"a":2}
  /// object.isEmpty    // false
  /// ```
  ///
  /// Names are compared scalar by scalar. If a name occurs twice, its last value is stored at the first position.
  public struct Object: Sendable {
    /// The names and values in order, including removed members whose slots still exist.
    private var (names, slots): ([String], [JSON]) = ([], [])
    /// The index of a large object, or an empty array for objects in which a linear search is faster.
    ///
    /// The array adds one machine word to each JSON value. An optional structure would add more.
    private var index: [Index] = []

    /// Creates an empty object.
    public init() {}

    /// Creates an object from members.
    ///
    /// If members have the same name, the last value is kept.
    public init(members: some Sequence<(key: String, value: JSON)>) {
      for (key, value) in members { self[key] = value }
    }
  }
}

extension JSON.Object {
  /// The maximum number of members without an index.
  ///
  /// Up to this number, a linear search is fast enough.
  static let largestWithoutIndex = 12

  /// A member's name, compared scalar by scalar.
  struct Name: Hashable {
    let text: String
    static func == (lhs: Name, rhs: Name) -> Bool { lhs.text.hasSameBytes(as: rhs.text) }
    func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
  }

  /// A table from the names of a large object's members to their slots.
  private struct Index {
    var positions: [Name: Int] = [:]
    /// The slots of removed members.
    ///
    /// If a slot were removed immediately, all members after it would have to move.
    var removed: Set<Int> = []
  }

  /// The names of the members, in order of insertion.
  public var keys: [String] { live(names) }

  /// The values of the members, in the order of `keys`.
  public var values: [JSON] { live(slots) }

  private var removed: Set<Int> { index.first?.removed ?? [] }

  private func live<Element>(_ all: [Element]) -> [Element] {
    guard let removed = index.first?.removed, !removed.isEmpty else { return all }
    return all.indices.lazy.filter { !removed.contains($0) }.map { all[$0] }
  }

  /// The number of members in the object.
  public var count: Int { names.count - (index.first?.removed.count ?? 0) }

  /// Whether the object has no members.
  public var isEmpty: Bool { count == 0 }

  /// The name of the first member, or `nil` if the object is empty.
  ///
  /// Avoids the array that `keys` creates.
  package var firstKey: String? { removed.isEmpty ? names.first : keys.first }

  /// The value of the member with a name, or `nil` if there is none.
  ///
  /// Setting `nil` removes the member. Setting a value for a new name appends a member.
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

  /// Returns the position of a member in the order of `keys`, or `nil` if no member has this name.
  public func position(of key: String) -> Int? {
    guard let slot = slot(of: key) else { return nil }
    let removed = removed
    return removed.isEmpty ? slot : slot - removed.lazy.filter { $0 < slot }.count
  }

  /// Returns the slot of a member, or `nil` if no member has this name.
  package func slot(of key: String) -> Int? {
    if let index = index.first { return index.positions[Name(text: key)] }
    return names.firstIndex { $0.hasSameBytes(as: key) }
  }

  /// Returns the slot of a member, or `nil` if no member has this name.
  ///
  /// Objects of the same type usually have their members in the same order.
  ///
  /// - Parameters:
  ///   - key: The name of the member.
  ///   - expected: The slot of the member in an object of the same type.
  /// - Returns: The slot.
  func slot(of key: String, expectedAt expected: Int) -> Int? {
    // The name of a removed member is empty.
    if expected < names.count, names[expected].hasSameBytes(as: key),
      index.isEmpty || index[0].removed.isEmpty
    {
      return expected
    }
    return slot(of: key)
  }

  /// Returns the slot of the member whose name has these UTF-8 bytes, or `nil` if no member has it.
  func slot(of name: UnsafeBufferPointer<UInt8>) -> Int? {
    guard index.isEmpty else { return slot(of: String(decoding: name, as: UTF8.self)) }
    return names.firstIndex { $0.hasBytes(name) }
  }

  /// The slots and names of the members, in order of insertion.
  var namesBySlot: [(slot: Int, name: String)] {
    let removed = removed
    return names.indices.filter { !removed.contains($0) }.map { ($0, names[$0]) }
  }

  package func value(in slot: Int) -> JSON { slots[slot] }

  /// Changes the value in a slot without a copy.
  package mutating func modify<Result>(
    in slot: Int,
    _ body: (inout JSON) throws -> Result
  ) rethrows -> Result {
    try body(&slots[slot])
  }

  /// Reserves capacity for the size of a typical object.
  mutating func reserve() {
    names.reserveCapacity(4)
    slots.reserveCapacity(4)
  }

  /// Removes the slots of removed members, and rebuilds the index of a large object.
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
  /// Returns an iterator over the members, in order of insertion.
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
  /// Compares two objects without regard to the order of their members.
  public static func == (lhs: JSON.Object, rhs: JSON.Object) -> Bool {
    lhs.count == rhs.count && lhs.hasEqualMembers(in: rhs) { _ in false }
  }

  /// Returns whether another object has equal values for all members of this object, except for excluded members.
  ///
  /// - Parameters:
  ///   - other: The other object, which may have more members.
  ///   - isExcluded: Returns whether the member with a name isn't compared.
  /// - Returns: Whether the compared members are equal.
  func hasEqualMembers(in other: Self, except isExcluded: (_ name: String) -> Bool) -> Bool {
    // Versions of one state share the storage of unchanged objects.
    if index.isEmpty, other.index.isEmpty, slots.span.isIdentical(to: other.slots.span),
      names.span.isIdentical(to: other.names.span)
    {
      return true
    }
    let removed = removed
    for own in names.indices where removed.isEmpty || !removed.contains(own) {
      if isExcluded(names[own]) { continue }
      guard let slot = other.slot(of: names[own], expectedAt: own), slots[own] == other.slots[slot]
      else { return false }
    }
    return true
  }

  /// Hashes the members without regard to their order.
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
  /// Creates an object from the names and values of a dictionary literal.
  public init(dictionaryLiteral elements: (String, JSON)...) {
    self.init(members: elements.map { (key: $0.0, value: $0.1) })
  }
}

extension JSON.Object {
  /// Returns the key that equals a name, or otherwise the only key that is canonically equivalent to the name.
  ///
  /// Returns `nil` if no key is equivalent, or if several keys are. People can't distinguish equivalent names when they
  /// type or read them.
  package func key(like name: String) -> String? {
    if slot(of: name) != nil { return name }
    guard !name.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    let keys = keys.filter { $0 == name }
    return keys.count == 1 ? keys[0] : nil
  }
}
