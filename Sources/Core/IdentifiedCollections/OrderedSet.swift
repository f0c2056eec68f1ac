/// A set whose elements have an order, which is by default the order in which they are added.
///
/// ```swift
/// var ids: OrderedSet = [3, 1, 3]
/// Array(ids)               // [3, 1]
/// ids.firstIndex(of: 1)    // 1, found by its hash
/// ```
public struct OrderedSet<Element: Hashable> {
  @usableFromInline var storage = ChunkedArray<Element>()
  private var places = PartitionedDictionary<Element, ElementPosition>()

  /// The position of an element in the storage: the key of a chunk, and an offset in the chunk.
  private struct ElementPosition: Sendable {
    let chunkKey: Int
    /// The offset in the chunk, which is exact only until an insertion or a removal before the element.
    let offset: Int
  }

  /// Creates an empty set.
  public init() {}

  /// Creates a set of the elements of a sequence, omitting repeated elements.
  public init(_ elements: some Sequence<Element>) {
    for element in elements { append(element) }
  }

  /// Creates a set of elements without checking that they are unique.
  init(uncheckedUniqueElements elements: [Element]) {
    storage = ChunkedArray(elements)
    places = PartitionedDictionary(minimumCapacity: elements.count)
    indexChunks(storage.chunks.indices)
  }

  /// The elements as an `Array`, in order.
  ///
  /// The array is created at the first access after a mutation.
  ///
  /// ```swift
  /// OrderedSet([3, 1, 3]).elements  // [3, 1]
  /// ```
  public var elements: [Element] { storage.array }

  /// Returns the index of an element, or `nil` if the set doesn't contain it.
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

  /// Returns whether the set contains an element.
  public func contains(_ element: Element) -> Bool {
    places[element] != nil
  }

  /// Returns whether two sets are copies that haven't changed since they were copied.
  @inlinable
  func isCopy(of other: OrderedSet) -> Bool { storage.isCopy(of: other.storage) }

  /// Returns the elements of this set that another set doesn't contain, in order.
  ///
  /// Storage that both sets share is skipped.
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
  /// Appends an element unless the set already contains it.
  ///
  /// - Returns: Whether the element was appended, and the index of the element.
  @discardableResult
  public mutating func append(_ element: Element) -> (inserted: Bool, index: Int) {
    insert(element, at: count)
  }

  /// Inserts an element at an index unless the set already contains it.
  ///
  /// - Returns: Whether the element was inserted, and the index of the element.
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

  /// Inserts elements at an index.
  ///
  /// The elements must be unique, and the set must not contain them.
  mutating func insert(contentsOf elements: [Element], at index: Int) {
    let moved = storage.insert(contentsOf: elements, at: index)
    indexChunks(moved)
    // If a chunk was split, the new elements belong to the chunks that have just been indexed.
    guard moved.isEmpty else { return }
    for index in index..<index + elements.count { noteElement(at: index) }
  }

  /// Removes an element and returns its former index, or returns `nil` if the set doesn't contain the element.
  @discardableResult
  public mutating func remove(_ element: Element) -> Int? {
    guard let index = firstIndex(of: element) else { return nil }
    remove(at: index)
    return index
  }

  /// Removes and returns the element at an index.
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

  /// Removes the elements in ranges of indices, which must ascend and not overlap.
  mutating func removeSubranges(_ ranges: [Range<Int>]) {
    for index in ranges.joined() { places[self[index]] = nil }
    indexChunks(storage.removeSubranges(ranges))
  }

  /// Replaces the element at an index with an element that the set doesn't contain.
  mutating func replace(at index: Int, with element: Element) {
    places[self[index]] = nil
    storage[index] = element
    noteElement(at: index)
  }

  /// Exchanges the elements at two indices.
  mutating func swapAt(_ first: Int, _ second: Int) {
    storage.swapAt(first, second)
    noteElement(at: first)
    noteElement(at: second)
  }

  /// Stores the position of the element at an index in `places`.
  private mutating func noteElement(at index: Int) {
    let chunk = storage.chunks[storage.chunk(of: index)]
    let offset = index - chunk.start
    places[chunk.elements[offset]] = ElementPosition(chunkKey: chunk.key, offset: offset)
  }

  /// Stores the positions of all elements of the given chunks in `places`.
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
  /// The index of the first element, which is 0.
  public var startIndex: Int { 0 }

  /// The index after the last element, which is the number of elements.
  public var endIndex: Int { storage.count }

  /// The element at an index.
  @inlinable public subscript(index: Int) -> Element { storage[index] }

  /// Returns an iterator over the elements in order.
  @inlinable
  public func makeIterator() -> ChunkIterator<Element> { storage.makeIterator() }

  /// Calls a closure with the elements, or returns `nil` if they are not stored contiguously.
  @inlinable
  public func withContiguousStorageIfAvailable<Result>(
    _ body: (UnsafeBufferPointer<Element>) throws -> Result
  ) rethrows -> Result? {
    try storage.withContiguousStorageIfAvailable(body)
  }
}

extension OrderedSet {
  /// Returns the elements of this set that a sequence doesn't contain.
  ///
  /// ```swift
  /// let closed = before.ids.subtracting(after.ids)  // the ids of the removed rows
  /// ```
  public func subtracting(_ other: some Sequence<Element>) -> OrderedSet {
    let other = Set(other)
    return OrderedSet(filter { !other.contains($0) })
  }

  /// Removes the elements of a sequence from this set.
  ///
  /// ```swift
  /// selection.subtract(deletedIDs)
  /// ```
  public mutating func subtract(_ other: some Sequence<Element>) {
    self = subtracting(other)
  }

  /// Returns the elements of this set, followed by the elements of a sequence that this set doesn't contain.
  ///
  /// ```swift
  /// OrderedSet([3, 1]).union([2, 3])  // [3, 1, 2]
  /// ```
  public func union(_ other: some Sequence<Element>) -> OrderedSet {
    var union = self
    for element in other { union.append(element) }
    return union
  }

  /// Returns the elements of this set that a sequence also contains.
  ///
  /// ```swift
  /// OrderedSet([3, 1, 2]).intersection([1, 3])  // [3, 1]
  /// ```
  public func intersection(_ other: some Sequence<Element>) -> OrderedSet {
    let other = Set(other)
    return OrderedSet(filter(other.contains))
  }

  /// Returns whether another set contains all elements of this set.
  ///
  /// ```swift
  /// guard selection.isSubset(of: rows.ids) else { return .none }
  /// ```
  public func isSubset(of other: OrderedSet) -> Bool {
    allSatisfy(other.contains)
  }
}

extension OrderedSet: ExpressibleByArrayLiteral {
  /// Creates a set from a literal, omitting repeated elements.
  public init(arrayLiteral elements: Element...) {
    self.init(elements)
  }
}

extension OrderedSet: Equatable, Hashable {
  /// Returns whether two sets contain the same elements in the same order.
  @inlinable
  public static func == (lhs: OrderedSet, rhs: OrderedSet) -> Bool {
    lhs.isCopy(of: rhs) || lhs.storage == rhs.storage
  }

  /// Hashes the elements in order.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(storage)
  }
}

extension OrderedSet: CustomStringConvertible {
  /// The elements in the format that `Array` uses for its description.
  public var description: String { elements.description }
}

/// A dictionary that stores its entries in parts.
///
/// Copies of the dictionary share unchanged parts.
struct PartitionedDictionary<Key: Hashable, Value> {
  /// The parts, whose number is zero or a power of two.
  ///
  /// A key belongs to the part that the low bits of its hash value select.
  private var parts: [[Key: Value]] = []
  private var count = 0

  /// The average number of entries per part above which the number of parts is doubled.
  ///
  /// A mutation of a copy copies one part and the list of parts.
  private static var capacity: Int { 128 }

  init() {}

  /// Creates an empty dictionary with enough parts for a number of entries.
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
