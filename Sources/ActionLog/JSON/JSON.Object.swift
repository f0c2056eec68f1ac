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
    /// The names in order.
    public private(set) var keys: [String] = []
    /// The values, in the order of the names.
    public private(set) var values: [JSON] = []
    /// Where each name stands; kept only for objects so large that looking through the names would cost more.
    private var positions: [Name: Int]?

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

  private struct Name: Hashable {
    let text: String
    static func == (lhs: Name, rhs: Name) -> Bool { lhs.text.hasSameBytes(as: rhs.text) }
    func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
  }

  /// The number of members.
  public var count: Int { keys.count }

  /// Whether there are no members.
  public var isEmpty: Bool { keys.isEmpty }

  /// The value of a member; setting `nil` removes it, a new name goes to the end.
  public subscript(key: String) -> JSON? {
    get { position(of: key).map { values[$0] } }
    set {
      switch (position(of: key), newValue) {
      case (let position?, let value?): values[position] = value
      case (let position?, nil):
        keys.remove(at: position)
        values.remove(at: position)
        if positions != nil { index() }
      case (nil, let value?):
        positions?[Name(text: key)] = keys.count
        keys.append(key)
        values.append(value)
        if positions == nil, keys.count > Self.largestWithoutIndex { index() }
      case (nil, nil): break
      }
    }
  }

  /// The position of a member; `nil` when there is none of this name.
  public func position(of key: String) -> Int? {
    if let positions { return positions[Name(text: key)] }
    return keys.firstIndex { $0.hasSameBytes(as: key) }
  }

  /// Changes the value at a position in place.
  package mutating func modify<Result>(
    at position: Int,
    _ body: (inout JSON) throws -> Result
  ) rethrows -> Result {
    try body(&values[position])
  }

  /// Makes room for as many members as most objects have.
  mutating func reserve() {
    keys.reserveCapacity(4)
    values.reserveCapacity(4)
  }

  private mutating func index() {
    guard keys.count > Self.largestWithoutIndex else {
      positions = nil
      return
    }
    var positions: [Name: Int] = Dictionary(minimumCapacity: keys.count * 2)
    for (position, key) in keys.enumerated() { positions[Name(text: key)] = position }
    self.positions = positions
  }
}

extension JSON.Object: Sequence {
  /// The members in order.
  ///
  /// ```swift
  /// for (name, value) in object { print(name, value) }  // a 2
  /// ```
  public func makeIterator() -> AnyIterator<(key: String, value: JSON)> {
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
    for (position, key) in lhs.keys.enumerated() {
      // The common case is the same type written twice: the same order.
      let other = rhs.keys[position].hasSameBytes(as: key) ? position : rhs.position(of: key)
      guard let other, lhs.values[position] == rhs.values[other] else { return false }
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
    if position(of: name) != nil { return name }
    guard !name.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    let keys = keys.filter { $0 == name }
    return keys.count == 1 ? keys[0] : nil
  }
}
