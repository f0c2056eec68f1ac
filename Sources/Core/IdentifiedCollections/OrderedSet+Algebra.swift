extension OrderedSet {
  /// The elements of this set that a sequence does not hold.
  public func subtracting(_ other: some Sequence<Element>) -> OrderedSet {
    let other = Set(other)
    return OrderedSet(filter { !other.contains($0) })
  }

  /// Removes the elements of a sequence.
  public mutating func subtract(_ other: some Sequence<Element>) {
    self = subtracting(other)
  }

  /// The elements of this set, then those of a sequence that are new.
  public func union(_ other: some Sequence<Element>) -> OrderedSet {
    var union = self
    for element in other { union.append(element) }
    return union
  }

  /// The elements of this set that a sequence holds too.
  public func intersection(_ other: some Sequence<Element>) -> OrderedSet {
    let other = Set(other)
    return OrderedSet(filter(other.contains))
  }

  /// Whether a set holds all elements of this one.
  public func isSubset(of other: OrderedSet) -> Bool {
    allSatisfy(other.contains)
  }
}

extension OrderedSet: ExpressibleByArrayLiteral {
  /// The elements of a literal; of equal ones the first stays.
  public init(arrayLiteral elements: Element...) {
    self.init(elements)
  }
}

extension OrderedSet: Equatable, Hashable {
  /// Whether two sets hold the same elements in the same order.
  public static func == (lhs: OrderedSet, rhs: OrderedSet) -> Bool {
    lhs.storage == rhs.storage
  }

  /// Hashes the elements in order.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(storage)
  }
}

extension OrderedSet: CustomStringConvertible {
  /// The elements in order, as an array shows them.
  public var description: String { elements.description }
}
