extension IdentifiedArray: RandomAccessCollection, MutableCollection {
  /// The index of the first element.
  public var startIndex: Int { 0 }

  /// The index after the last element.
  public var endIndex: Int { elements.count }

  /// The element at a position.
  ///
  /// An element with another id replaces the element and its id. It is a programmer's error if another element of the
  /// array has that id.
  public subscript(position: Int) -> Element {
    get { elements[position] }
    _modify {
      defer { elementHasChanged(at: position) }
      yield &elements[position]
    }
  }

  /// The elements at a range of positions.
  ///
  /// Elements that are set are inserted even if they have the ids of those that they replace; those that have the id of an
  /// element outside of the range are left out.
  public subscript(bounds: Range<Int>) -> Slice<Self> {
    get { Slice(base: self, bounds: bounds) }
    set { replaceSubrange(bounds, with: newValue) }
  }

  /// Lends the elements in one piece, so that generic algorithms can reorder them.
  ///
  /// - Precondition: The ids differ when `body` returns.
  public mutating func withContiguousMutableStorageIfAvailable<Result>(
    _ body: (inout UnsafeMutableBufferPointer<Element>) throws -> Result
  ) rethrows -> Result? {
    defer { elementsHaveChanged() }
    return try elements.withContiguousMutableStorageIfAvailable(body)
  }
}

extension IdentifiedArray: RangeReplaceableCollection
where Element: Identifiable, ID == Element.ID {}

extension IdentifiedArray: Equatable where Element: Equatable {
  /// Whether two arrays hold equal elements in the same order.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.elements == rhs.elements
  }
}

extension IdentifiedArray: Hashable where Element: Hashable {
  /// Hashes the elements in order.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(elements)
  }
}

extension IdentifiedArray: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// The elements, as an array shows them.
  public var description: String { elements.description }

  /// The elements with their type.
  public var debugDescription: String {
    "IdentifiedArray<\(Element.self)>(\(elements.debugDescription))"
  }

  /// The elements, as an array shows them.
  public var customMirror: Mirror {
    Mirror(self, unlabeledChildren: elements, displayStyle: .collection)
  }
}
