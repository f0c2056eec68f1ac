public import Foundation

extension IdentifiedArray {
  /// Adds an element at the end, unless there is one with its id.
  @discardableResult
  public mutating func append(_ element: Element) -> (inserted: Bool, index: Int) {
    insert(element, at: count)
  }

  /// Adds the elements of a sequence whose ids are new.
  public mutating func append(contentsOf elements: some Sequence<Element>) {
    for element in elements { append(element) }
  }

  /// Adds an element, unless there is one with its id; the index says where that stands in either case.
  @discardableResult
  public mutating func insert(
    _ element: Element,
    at index: Int
  ) -> (inserted: Bool, index: Int) {
    let (inserted, index) = ids.insert(identify(element), at: index)
    if inserted { storage.insert(contentsOf: [element], at: index) }
    return (inserted, index)
  }

  /// Replaces the element with the same id and returns it, or adds a new one at the end and returns `nil`.
  ///
  /// ```swift
  /// for todo in loaded { state.todos.updateOrAppend(todo) }
  /// ```
  @discardableResult
  public mutating func updateOrAppend(_ element: Element) -> Element? {
    updateOrInsert(element, at: count).originalMember
  }

  /// Replaces the element with the same id and returns it, or adds a new one at an index; the index says where it stands in either case.
  ///
  /// ```swift
  /// state.todos.updateOrInsert(draft, at: 0)  // a new one comes first, an old one stays where it is
  /// ```
  @discardableResult
  public mutating func updateOrInsert(
    _ element: Element,
    at index: Int
  ) -> (originalMember: Element?, index: Int) {
    let (inserted, index) = insert(element, at: index)
    return (inserted ? nil : update(element, at: index), index)
  }

  /// Replaces the element at an index and returns it.
  ///
  /// - Precondition: No other element has the id of the new one.
  @discardableResult
  public mutating func update(_ element: Element, at index: Int) -> Element {
    let old = storage[index]
    self[index] = element
    return old
  }

  /// Replaces the elements in a range by those of a collection whose ids no other element has.
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

  /// Adds the elements of a collection whose ids are new at an index.
  public mutating func insert(contentsOf newElements: some Collection<Element>, at index: Int) {
    replaceSubrange(index..<index, with: newElements)
  }

  /// Does nothing: elements that are added need no room for all.
  public mutating func reserveCapacity(_ minimumCapacity: Int) {}

  /// Takes the id of an element that was changed in place.
  @usableFromInline
  mutating func elementHasChanged(at index: Int) {
    let id = identify(storage[index])
    guard ids[index] != id else { return }
    if let other = ids.firstIndex(of: id) { Self.fail(index, other) }
    ids.replace(at: index, with: id)
  }

  /// Takes elements and their ids, which may have changed.
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
  /// Removes the element with an id and returns it.
  @discardableResult
  public mutating func remove(id: ID) -> Element? {
    ids.firstIndex(of: id).map { remove(at: $0) }
  }

  /// Removes the element with the id of this one and returns it.
  @discardableResult
  public mutating func remove(_ element: Element) -> Element? {
    remove(id: identify(element))
  }

  /// Removes the element at an index and returns it.
  @discardableResult
  public mutating func remove(at index: Int) -> Element {
    let element = storage[index]
    removeSubrange(index..<index + 1)
    return element
  }

  /// Removes the last element and returns it; the array must not be empty.
  ///
  /// ```swift
  /// let last = state.history.isEmpty ? nil : state.history.removeLast()
  /// ```
  @discardableResult
  public mutating func removeLast() -> Element {
    remove(at: count - 1)
  }

  /// Removes a number of elements from the end, at most as many as there are.
  ///
  /// ```swift
  /// rows.removeLast(rows.count - 10)  // the first ten stay
  /// ```
  public mutating func removeLast(_ count: Int) {
    removeSubrange((self.count - count)..<self.count)
  }

  /// Removes the first element and returns it; the array must not be empty.
  ///
  /// ```swift
  /// let next = state.queue.removeFirst()
  /// ```
  @discardableResult
  public mutating func removeFirst() -> Element {
    remove(at: 0)
  }

  /// Removes a number of elements from the beginning, at most as many as there are.
  public mutating func removeFirst(_ count: Int) {
    removeSubrange(0..<count)
  }

  /// Removes the elements in a range of positions, which must lie in the array.
  ///
  /// ```swift
  /// rows.removeSubrange(10..<rows.count)
  /// ```
  public mutating func removeSubrange(_ positions: Range<Int>) {
    removeSubranges([positions])
  }

  /// Removes the elements in ranges of positions that do not overlap, in order.
  mutating func removeSubranges(_ ranges: [Range<Int>]) {
    ids.removeSubranges(ranges)
    storage.removeSubranges(ranges)
  }

  /// Removes all elements.
  public mutating func removeAll(keepingCapacity: Bool = false) {
    self = IdentifiedArray(id: identifier)
  }

  /// Removes the elements that satisfy a condition.
  public mutating func removeAll(
    where shouldBeRemoved: (Element) throws -> Bool
  ) rethrows {
    // What stays lies where it was.
    removeSubranges(try ranges(where: shouldBeRemoved))
  }

  /// The elements that satisfy a condition, as an identified array.
  public func filter(_ isIncluded: (Element) throws -> Bool) rethrows -> IdentifiedArray {
    var filtered = IdentifiedArray(id: identifier)
    for (id, element) in zip(ids, self) where try isIncluded(element) {
      filtered.ids.append(id)
      filtered.storage.append(element)
    }
    return filtered
  }

  /// The ranges of indices at which a condition holds.
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
  /// Sorts the elements.
  public mutating func sort(
    by areInIncreasingOrder: (Element, Element) throws -> Bool
  ) rethrows {
    try reorder { try $0.sort(by: areInIncreasingOrder) }
  }

  /// Sorts the elements.
  public mutating func sort() where Element: Comparable {
    sort(by: <)
  }

  /// Shuffles the elements.
  ///
  /// A log does not hold these random numbers. In a reducer, use `shuffle(using:)` with the dependency `withRandomNumberGenerator`.
  public mutating func shuffle() {
    reorder { $0.shuffle() }
  }

  /// Shuffles the elements with random numbers from a generator.
  ///
  /// ```swift
  /// @Dependency(\.withRandomNumberGenerator) var withRandomNumberGenerator
  /// withRandomNumberGenerator { state.cards.shuffle(using: &$0) }
  /// ```
  public mutating func shuffle(using generator: inout some RandomNumberGenerator) {
    reorder { $0.shuffle(using: &generator) }
  }

  /// Turns the order around.
  public mutating func reverse() {
    reorder { $0.reverse() }
  }

  /// Moves the elements that satisfy a condition to the end, and returns where they start; the order among them may change.
  ///
  /// ```swift
  /// let firstDone = todos.partition { $0.isDone }
  /// todos[firstDone...].map(\.title)  // those that are done
  /// ```
  public mutating func partition(
    by belongsInSecondPartition: (Element) throws -> Bool
  ) rethrows -> Int {
    try reorder { try $0.partition(by: belongsInSecondPartition) }
  }

  /// Exchanges two elements, at positions that must lie in the array.
  ///
  /// ```swift
  /// todos.swapAt(0, todos.count - 1)
  /// ```
  public mutating func swapAt(_ first: Int, _ second: Int) {
    storage.swapAt(first, second)
    ids.swapAt(first, second)
  }

  /// Gives the elements another order, unless that fails.
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

  /// Moves elements in front of the one at an index, as lists do when the user drags rows.
  ///
  /// The index counts before the move: `[a, b, c].move(fromOffsets: [0], toOffset: 2)` is `[b, a, c]`.
  public mutating func move(fromOffsets source: IndexSet, toOffset destination: Int) {
    let moved = source.map { storage[$0] }
    let start = destination - source.count(in: 0..<destination)
    remove(atOffsets: source)
    insert(contentsOf: moved, at: start)
  }
}
