extension StackState {
  /// Removes an element and all above it.
  public mutating func pop(from id: StackElementID) {
    guard let index = ids.firstIndex(of: id) else { return }
    removeSubrange(index...)
  }

  /// Removes all elements above one.
  public mutating func pop(to id: StackElementID) {
    guard let index = ids.firstIndex(of: id) else { return }
    removeSubrange((index + 1)...)
  }
}

extension StackState: RandomAccessCollection, RangeReplaceableCollection {
  /// The index of the element at the bottom.
  public var startIndex: Int { 0 }

  /// The index above the top.
  public var endIndex: Int { elements.count }

  /// The element at an index.
  public subscript(index: Int) -> Element { elements[index] }

  /// Replaces elements; those that come in get new ids.
  public mutating func replaceSubrange(
    _ range: Range<Int>,
    with newElements: some Collection<Element>
  ) {
    var ids = Array(self.ids)
    var drawn = self.ids
    let newIDs = newElements.map { _ in
      let id = Self.nextID(besides: drawn)
      drawn.append(id)
      return id
    }
    ids.replaceSubrange(range, with: newIDs)
    self.ids = OrderedSet(ids)
    elements.replaceSubrange(range, with: newElements)
  }

  /// Removes the elements of which a function says so; the others keep their ids.
  ///
  /// - Parameter shouldBeRemoved: Whether an element goes.
  public mutating func removeAll(where shouldBeRemoved: (Element) throws -> Bool) rethrows {
    let kept = try zip(ids, elements).filter { try !shouldBeRemoved($0.1) }
    guard kept.count < elements.count else { return }
    ids = OrderedSet(kept.map(\.0))
    elements = kept.map(\.1)
  }

  private static func nextID(besides ids: OrderedSet<StackElementID>) -> StackElementID {
    let counter = DependencyValues._current.stackElementIDs
    // A stack may have come from elsewhere, with ids that the counter doesn't know.
    let floor = (ids.map(\.number).max() ?? -1) + 1
    let id = ReadScope.read("stackElementID", standIn: counter.next(from: floor)) {
      counter.next(from: floor)
    }
    return ids.contains(id) ? counter.next(from: floor) : id
  }
}
