extension IdentifiedArray {
  /// Adds an element at the end, unless there is one with its id.
  @discardableResult
  public mutating func append(_ element: Element) -> (inserted: Bool, index: Int) {
    insert(element, at: elements.count)
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
    if inserted { elements.insert(element, at: index) }
    return (inserted, index)
  }

  /// Replaces the element with the same id and returns it, or adds a new one at the end.
  @discardableResult
  public mutating func updateOrAppend(_ element: Element) -> Element? {
    updateOrInsert(element, at: elements.count).originalMember
  }

  /// Replaces the element with the same id and returns it, or adds a new one at an index.
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
    let old = elements[index]
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
    var index = range.lowerBound
    for element in newElements where insert(element, at: index).inserted { index += 1 }
  }

  /// Adds the elements of a collection whose ids are new at an index.
  public mutating func insert(contentsOf newElements: some Collection<Element>, at index: Int) {
    replaceSubrange(index..<index, with: newElements)
  }

  /// Makes room for a number of elements.
  public mutating func reserveCapacity(_ minimumCapacity: Int) {
    ids.reserveCapacity(minimumCapacity)
    elements.reserveCapacity(minimumCapacity)
  }

  /// Takes the id of an element that was changed in place.
  mutating func elementHasChanged(at index: Int) {
    let id = identify(elements[index])
    guard ids[index] != id else { return }
    if let other = ids.firstIndex(of: id) { Self.fail(index, other) }
    ids.replace(at: index, with: id)
  }

  /// Takes the ids of elements that were changed in place or have another order.
  mutating func elementsHaveChanged() {
    var ids = OrderedSet<ID>()
    ids.reserveCapacity(elements.count)
    for element in elements {
      let (inserted, index) = ids.append(identify(element))
      if !inserted { Self.fail(ids.count, index) }
    }
    self.ids = ids
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
    ids.remove(at: index)
    return elements.remove(at: index)
  }

  /// Removes the last element and returns it.
  @discardableResult
  public mutating func removeLast() -> Element {
    remove(at: elements.count - 1)
  }

  /// Removes some elements from the end.
  public mutating func removeLast(_ count: Int) {
    removeSubrange((elements.count - count)..<elements.count)
  }

  /// Removes the first element and returns it.
  @discardableResult
  public mutating func removeFirst() -> Element {
    remove(at: 0)
  }

  /// Removes some elements from the beginning.
  public mutating func removeFirst(_ count: Int) {
    removeSubrange(0..<count)
  }

  /// Removes the elements at some positions.
  public mutating func removeSubrange(_ positions: Range<Int>) {
    ids.removeSubrange(positions)
    elements.removeSubrange(positions)
  }

  /// Removes all elements.
  public mutating func removeAll(keepingCapacity: Bool = false) {
    ids.removeAll(keepingCapacity: keepingCapacity)
    elements.removeAll(keepingCapacity: keepingCapacity)
  }

  /// Removes the elements that satisfy a condition.
  public mutating func removeAll(
    where shouldBeRemoved: (Element) throws -> Bool
  ) rethrows {
    self = try filter { try !shouldBeRemoved($0) }
  }

  /// The elements that satisfy a condition, as an identified array.
  public func filter(_ isIncluded: (Element) throws -> Bool) rethrows -> IdentifiedArray {
    var filtered = IdentifiedArray(id: identifier)
    for (index, element) in elements.enumerated() where try isIncluded(element) {
      filtered.ids.append(ids[index])
      filtered.elements.append(element)
    }
    return filtered
  }
}
