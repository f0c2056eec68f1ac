/// A set that keeps its elements in the order in which they came.
///
/// ```swift
/// var ids: OrderedSet = [3, 1, 3]
/// Array(ids)               // [3, 1]
/// ids.firstIndex(of: 1)    // 1, found by its hash
/// ```
public struct OrderedSet<Element: Hashable> {
  @usableFromInline var storage = ChunkedArray<Element>()
  private var places = PartitionedDictionary<Element, ElementPosition>()

  /// Where an element is.
  private struct ElementPosition: Sendable {
    let chunkKey: Int
    /// The offset in the chunk, unless something was inserted or removed before it since.
    let offset: Int
  }

  /// An empty set.
  public init() {}

  /// The elements of a sequence; of equal ones the first stays.
  public init(_ elements: some Sequence<Element>) {
    for element in elements { append(element) }
  }

  /// Elements that are known to differ.
  init(uncheckedUniqueElements elements: [Element]) {
    storage = ChunkedArray(elements)
    places = PartitionedDictionary(minimumCapacity: elements.count)
    indexChunks(storage.chunks.indices)
  }

  /// The elements in order, as a plain array, which is made when it is first asked for after a change.
  ///
  /// ```swift
  /// OrderedSet([3, 1, 3]).elements  // [3, 1]
  /// ```
  public var elements: [Element] { storage.array }

  /// The place of an element.
  public func firstIndex(of element: Element) -> Int? {
    guard let place = places[element], let index = storage.chunk(key: place.chunkKey) else {
      return nil
    }
    let chunk = storage.chunks[index]
    if place.offset < chunk.elements.count, chunk.elements[place.offset] == element {
      return chunk.start + place.offset
    }
    return chunk.elements.firstIndex(of: element).map { chunk.start + $0 }
  }

  /// Whether the set holds an element.
  public func contains(_ element: Element) -> Bool {
    places[element] != nil
  }

  /// The elements that another set does not hold, in order.
  ///
  /// What both share is not looked at.
  func elements(missingIn other: OrderedSet) -> [Element] {
    var missing: [Element] = []
    let (start, end) = storage.commonChunks(with: other.storage)
    for chunk in storage.chunks[start..<storage.chunks.count - end] {
      let ends = other.storage.chunk(key: chunk.key).map {
        chunk.elements.commonEnds(with: other.storage.chunks[$0].elements)
      }
      let (first, last) = (ends?.start ?? 0, chunk.elements.count - (ends?.end ?? 0))
      missing += chunk.elements[first..<last].filter { !other.contains($0) }
    }
    return missing
  }
}

extension OrderedSet {
  /// Adds an element at the end, unless it is there already.
  @discardableResult
  public mutating func append(_ element: Element) -> (inserted: Bool, index: Int) {
    insert(element, at: count)
  }

  /// Adds an element, unless it is there already; the index says where it stands in either case.
  @discardableResult
  public mutating func insert(
    _ element: Element,
    at index: Int
  ) -> (inserted: Bool, index: Int) {
    if let index = firstIndex(of: element) { return (false, index) }
    if index == count {
      storage.append(element)
      noteElement(at: index)
    } else {
      insert(contentsOf: [element], at: index)
    }
    return (true, index)
  }

  /// Adds elements that differ, and of which the set holds none.
  mutating func insert(contentsOf elements: [Element], at index: Int) {
    let moved = storage.insert(contentsOf: elements, at: index)
    indexChunks(moved)
    // Where others moved, the new ones are in the same chunks.
    guard moved.isEmpty else { return }
    for index in index..<index + elements.count { noteElement(at: index) }
  }

  /// Removes an element and returns where it stood.
  @discardableResult
  public mutating func remove(_ element: Element) -> Int? {
    guard let index = firstIndex(of: element) else { return nil }
    remove(at: index)
    return index
  }

  /// Removes the element at an index.
  @discardableResult
  public mutating func remove(at index: Int) -> Element {
    let element = self[index]
    removeSubranges([index..<index + 1])
    return element
  }

  /// Removes all elements.
  public mutating func removeAll(keepingCapacity: Bool = false) {
    self = OrderedSet()
  }

  /// Removes the elements in ranges of indices that do not overlap, in order.
  mutating func removeSubranges(_ ranges: [Range<Int>]) {
    for index in ranges.joined() { places[self[index]] = nil }
    indexChunks(storage.removeSubranges(ranges))
  }

  /// Replaces the element at an index by one that the set does not hold.
  mutating func replace(at index: Int, with element: Element) {
    places[self[index]] = nil
    storage[index] = element
    noteElement(at: index)
  }

  /// Exchanges two elements.
  mutating func swapAt(_ first: Int, _ second: Int) {
    storage.swapAt(first, second)
    noteElement(at: first)
    noteElement(at: second)
  }

  /// Notes where an element is.
  private mutating func noteElement(at index: Int) {
    let chunk = storage.chunks[storage.chunk(of: index)]
    let offset = index - chunk.start
    places[chunk.elements[offset]] = ElementPosition(chunkKey: chunk.key, offset: offset)
  }

  /// Notes where the elements of some chunks are.
  private mutating func indexChunks(_ chunks: some Sequence<Int>) {
    for chunk in chunks {
      let chunk = storage.chunks[chunk]
      for (offset, element) in chunk.elements.enumerated() {
        places[element] = ElementPosition(chunkKey: chunk.key, offset: offset)
      }
    }
  }
}

extension OrderedSet: Sendable where Element: Sendable {}

extension OrderedSet: RandomAccessCollection {
  /// The index of the first element.
  public var startIndex: Int { 0 }

  /// The index after the last element.
  public var endIndex: Int { storage.count }

  /// The element at an index.
  @inlinable public subscript(index: Int) -> Element { storage[index] }

  /// Iterates over the elements in order.
  @inlinable
  public func makeIterator() -> ChunkIterator<Element> { storage.makeIterator() }

  /// Lends the elements if they lie in one piece.
  @inlinable
  public func withContiguousStorageIfAvailable<Result>(
    _ body: (UnsafeBufferPointer<Element>) throws -> Result
  ) rethrows -> Result? {
    try storage.withContiguousStorageIfAvailable(body)
  }
}

extension OrderedSet {
  /// The elements of this set that a sequence does not hold.
  ///
  /// ```swift
  /// let closed = before.ids.subtracting(after.ids)  // the ids of the rows that are gone
  /// ```
  public func subtracting(_ other: some Sequence<Element>) -> OrderedSet {
    let other = Set(other)
    return OrderedSet(filter { !other.contains($0) })
  }

  /// Removes the elements of a sequence.
  ///
  /// ```swift
  /// selection.subtract(deletedIDs)
  /// ```
  public mutating func subtract(_ other: some Sequence<Element>) {
    self = subtracting(other)
  }

  /// The elements of this set, then those of a sequence that are new.
  ///
  /// ```swift
  /// OrderedSet([3, 1]).union([2, 3])  // [3, 1, 2]
  /// ```
  public func union(_ other: some Sequence<Element>) -> OrderedSet {
    var union = self
    for element in other { union.append(element) }
    return union
  }

  /// The elements of this set that a sequence holds too.
  ///
  /// ```swift
  /// OrderedSet([3, 1, 2]).intersection([1, 3])  // [3, 1]
  /// ```
  public func intersection(_ other: some Sequence<Element>) -> OrderedSet {
    let other = Set(other)
    return OrderedSet(filter(other.contains))
  }

  /// Whether a set holds all elements of this one.
  ///
  /// ```swift
  /// guard selection.isSubset(of: rows.ids) else { return .none }
  /// ```
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

/// A dictionary in parts, of which copies share those that no one has changed since.
struct PartitionedDictionary<Key: Hashable, Value> {
  /// None, or as many as a power of two.
  private var parts: [[Key: Value]] = []
  private var count = 0

  /// How many entries a part has before there are twice as many parts.
  private static var capacity: Int { 128 }

  init() {}

  /// An empty dictionary with parts for a number of entries.
  init(minimumCapacity: Int) {
    var partCount = 1
    while partCount * Self.capacity < minimumCapacity { partCount *= 2 }
    parts = Array(repeating: [:], count: partCount)
  }

  subscript(key: Key) -> Value? {
    get { parts.isEmpty ? nil : parts[part(of: key)][key] }
    set {
      if parts.isEmpty { parts = [[:]] }
      let part = part(of: key)
      let before = parts[part].count
      parts[part][key] = newValue
      count += parts[part].count - before
      if count > parts.count * Self.capacity { doubleParts() }
    }
  }

  private func part(of key: Key) -> Int {
    parts.count == 1 ? 0 : key.hashValue & (parts.count - 1)
  }

  private mutating func doubleParts() {
    let old = parts
    parts = Array(repeating: [:], count: old.count * 2)
    for entries in old {
      for (key, value) in entries { parts[part(of: key)][key] = value }
    }
  }
}

extension PartitionedDictionary: Sendable where Key: Sendable, Value: Sendable {}
