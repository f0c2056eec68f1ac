public import Foundation

extension IdentifiedArray {
  /// Appends an element unless the array already contains an element with the same id.
  @discardableResult
  public mutating func append(_ element: Element) -> (inserted: Bool, index: Int) {
    insert(element, at: count)
  }

  /// Appends the elements of a sequence, except those whose ids the array already contains.
  public mutating func append(contentsOf elements: some Sequence<Element>) {
    for element in elements { append(element) }
  }

  /// Inserts an element at an index unless the array already contains an element with the same id.
  ///
  /// - Returns: Whether the element was inserted, and the index of the element with that id.
  @discardableResult
  public mutating func insert(
    _ element: Element,
    at index: Int
  ) -> (inserted: Bool, index: Int) {
    let (inserted, index) = ids.insert(identify(element), at: index)
    if inserted { storage.insert(contentsOf: [element], at: index) }
    return (inserted, index)
  }

  /// Replaces the element with the same id and returns the old element, or appends the new one and returns `nil`.
  ///
  /// ```swift
  /// for todo in loaded { state.todos.updateOrAppend(todo) }
  /// ```
  @discardableResult
  public mutating func updateOrAppend(_ element: Element) -> Element? {
    updateOrInsert(element, at: count).originalMember
  }

  /// Replaces the element with the same id, or inserts the new element at an index.
  ///
  /// Returns the replaced element, or `nil` if there was none, and the index of the new element.
  ///
  /// ```swift
  /// state.todos.updateOrInsert(draft, at: 0)  // a new draft comes first, a known one keeps its index
  /// ```
  @discardableResult
  public mutating func updateOrInsert(
    _ element: Element,
    at index: Int
  ) -> (originalMember: Element?, index: Int) {
    let (inserted, index) = insert(element, at: index)
    return (inserted ? nil : update(element, at: index), index)
  }

  /// Replaces the element at an index and returns the old element.
  ///
  /// - Precondition: No other element has the id of the new one.
  @discardableResult
  public mutating func update(_ element: Element, at index: Int) -> Element {
    let old = storage[index]
    self[index] = element
    return old
  }

  /// Replaces the elements in a range.
  ///
  /// New elements are omitted if their ids occur outside of the range or earlier among the new elements.
  ///
  /// ```swift
  /// var rows: IdentifiedArrayOf<Row> = [Row(id: 1), Row(id: 2)]
  /// rows.replaceSubrange(0..<1, with: [Row(id: 2), Row(id: 3)])
  /// rows.map(\.id)  // [3, 2]
  /// ```
  public mutating func replaceSubrange(
    _ range: Range<Int>,
    with newElements: some Collection<Element>
  ) {
    removeSubrange(range)
    var (added, addedIDs): ([Element], [ID]) = ([], [])
    var seen: Set<ID> = []
    for element in newElements {
      let id = identify(element)
      guard !ids.contains(id), seen.insert(id).inserted else { continue }
      added.append(element)
      addedIDs.append(id)
    }
    ids.insert(contentsOf: addedIDs, at: range.lowerBound)
    storage.insert(contentsOf: added, at: range.lowerBound)
  }

  /// Inserts the elements of a collection at an index, except those whose ids the array already contains.
  public mutating func insert(contentsOf newElements: some Collection<Element>, at index: Int) {
    replaceSubrange(index..<index, with: newElements)
  }

  /// Has no effect, because the storage consists of chunks and doesn't benefit from reserved capacity.
  public mutating func reserveCapacity(_ minimumCapacity: Int) {}

  /// Updates the stored id of an element that was changed in place.
  @usableFromInline
  mutating func elementHasChanged(at index: Int) {
    let id = identify(storage[index])
    guard ids[index] != id else { return }
    if let other = ids.firstIndex(of: id) { Self.fail(index, other) }
    ids.replace(at: index, with: id)
  }

  /// Replaces all elements and their ids.
  ///
  /// Two elements with the same id are a fatal error.
  mutating func replaceAll(with elements: [Element]) {
    var ids = OrderedSet<ID>()
    for element in elements {
      let (inserted, index) = ids.append(identify(element))
      if !inserted { Self.fail(ids.count, index) }
    }
    self.ids = ids
    storage = ChunkedArray(elements)
  }

  static func fail(_ index: Int, _ other: Int) -> Never {
    preconditionFailure("Elements \(other) and \(index) of an identified array have the same id.")
  }
}

extension IdentifiedArray {
  /// Removes and returns the element with an id, or returns `nil` if there is none.
  @discardableResult
  public mutating func remove(id: ID) -> Element? {
    ids.firstIndex(of: id).map { remove(at: $0) }
  }

  /// Removes and returns the element with the same id as the given one, or returns `nil` if there is none.
  @discardableResult
  public mutating func remove(_ element: Element) -> Element? {
    remove(id: identify(element))
  }

  /// Removes and returns the element at an index.
  @discardableResult
  public mutating func remove(at index: Int) -> Element {
    let element = storage[index]
    removeSubrange(index..<index + 1)
    return element
  }

  /// Removes and returns the last element.
  ///
  /// The array must not be empty.
  ///
  /// ```swift
  /// let last = state.history.isEmpty ? nil : state.history.removeLast()
  /// ```
  @discardableResult
  public mutating func removeLast() -> Element {
    remove(at: count - 1)
  }

  /// Removes the given number of elements from the end.
  ///
  /// The number must not exceed the number of elements in the array.
  ///
  /// ```swift
  /// rows.removeLast(rows.count - 10)  // keeps the first ten
  /// ```
  public mutating func removeLast(_ count: Int) {
    removeSubrange((self.count - count)..<self.count)
  }

  /// Removes and returns the first element.
  ///
  /// The array must not be empty.
  ///
  /// ```swift
  /// let next = state.queue.removeFirst()
  /// ```
  @discardableResult
  public mutating func removeFirst() -> Element {
    remove(at: 0)
  }

  /// Removes the given number of elements from the start.
  ///
  /// The number must not exceed the number of elements in the array.
  public mutating func removeFirst(_ count: Int) {
    removeSubrange(0..<count)
  }

  /// Removes the elements in a range of indices.
  ///
  /// The range must lie within the array.
  ///
  /// ```swift
  /// rows.removeSubrange(10..<rows.count)
  /// ```
  public mutating func removeSubrange(_ positions: Range<Int>) {
    removeSubranges([positions])
  }

  /// Removes the elements in ranges of indices, which must ascend and not overlap.
  mutating func removeSubranges(_ ranges: [Range<Int>]) {
    ids.removeSubranges(ranges)
    storage.removeSubranges(ranges)
  }

  /// Removes all elements.
  public mutating func removeAll(keepingCapacity: Bool = false) {
    self = IdentifiedArray(id: identifier)
  }

  /// Removes the elements that satisfy a predicate.
  public mutating func removeAll(
    where shouldBeRemoved: (Element) throws -> Bool
  ) rethrows {
    // Removes ranges in place, so that the remaining elements keep their chunks.
    removeSubranges(try ranges(where: shouldBeRemoved))
  }

  /// Returns an identified array of the elements that satisfy a predicate.
  public func filter(_ isIncluded: (Element) throws -> Bool) rethrows -> IdentifiedArray {
    var filtered = IdentifiedArray(id: identifier)
    for (id, element) in zip(ids, self) where try isIncluded(element) {
      filtered.ids.append(id)
      filtered.storage.append(element)
    }
    return filtered
  }

  /// Returns the ranges of indices of the elements that satisfy a predicate.
  private func ranges(where condition: (Element) throws -> Bool) rethrows -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    for (index, element) in enumerated() where try condition(element) {
      if ranges.last?.upperBound == index {
        ranges[ranges.count - 1] = ranges[ranges.count - 1].lowerBound..<index + 1
      } else {
        ranges.append(index..<index + 1)
      }
    }
    return ranges
  }
}

extension IdentifiedArray {
  /// Sorts the elements in place, using a predicate as the comparison.
  public mutating func sort(
    by areInIncreasingOrder: (Element, Element) throws -> Bool
  ) rethrows {
    try reorder { try $0.sort(by: areInIncreasingOrder) }
  }

  /// Sorts the elements in place, in ascending order.
  public mutating func sort() where Element: Comparable {
    sort(by: <)
  }

  /// Shuffles the elements in place with the system's random numbers.
  ///
  /// Logs don't record these random numbers. In a reducer, use `shuffle(using:)` with the dependency
  /// `withRandomNumberGenerator`.
  public mutating func shuffle() {
    reorder { $0.shuffle() }
  }

  /// Shuffles the elements in place with a random number generator.
  ///
  /// ```swift
  /// @Dependency(\.withRandomNumberGenerator) var withRandomNumberGenerator
  /// withRandomNumberGenerator { state.cards.shuffle(using: &$0) }
  /// ```
  public mutating func shuffle(using generator: inout some RandomNumberGenerator) {
    reorder { $0.shuffle(using: &generator) }
  }

  /// Reverses the order of the elements in place.
  public mutating func reverse() {
    reorder { $0.reverse() }
  }

  /// Moves the elements that satisfy a predicate to the end, and returns the index of the first of them.
  ///
  /// The order of the elements may change within both groups.
  ///
  /// ```swift
  /// let firstDone = todos.partition { $0.isDone }
  /// todos[firstDone...].map(\.title)  // the titles of finished todos
  /// ```
  public mutating func partition(
    by belongsInSecondPartition: (Element) throws -> Bool
  ) rethrows -> Int {
    try reorder { try $0.partition(by: belongsInSecondPartition) }
  }

  /// Exchanges the elements at two indices, which must lie within the array.
  ///
  /// ```swift
  /// todos.swapAt(0, todos.count - 1)
  /// ```
  public mutating func swapAt(_ first: Int, _ second: Int) {
    storage.swapAt(first, second)
    ids.swapAt(first, second)
  }

  /// Calls a closure that reorders a copy of the elements, and replaces the elements with the copy.
  ///
  /// If the closure throws, the array stays unchanged.
  private mutating func reorder<Result>(
    _ change: (inout [Element]) throws -> Result
  ) rethrows -> Result {
    var elements = elements
    let result = try change(&elements)
    storage = ChunkedArray(elements)
    ids = OrderedSet(uncheckedUniqueElements: elements.map(identify))
    return result
  }
}

extension IdentifiedArray {
  /// Removes the elements at the indices of a set.
  public mutating func remove(atOffsets offsets: IndexSet) {
    removeSubranges(Array(offsets.rangeView))
  }

  /// Moves elements to a position before the element at an index, as lists do when the user drags rows.
  ///
  /// The index refers to the order before the move: `move(fromOffsets: [0], toOffset: 2)` changes `[a, b, c]` to
  /// `[b, a, c]`.
  public mutating func move(fromOffsets source: IndexSet, toOffset destination: Int) {
    let moved = source.map { storage[$0] }
    let start = destination - source.count(in: 0..<destination)
    remove(atOffsets: source)
    insert(contentsOf: moved, at: start)
  }
}
