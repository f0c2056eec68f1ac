extension IdentifiedArray: RandomAccessCollection, MutableCollection {
  /// The index of the first element.
  @inlinable public var startIndex: Int { 0 }

  /// The index after the last element.
  @inlinable public var endIndex: Int { storage.count }

  /// The element at a position.
  ///
  /// An element with another id replaces the element and its id. It is a programmer's error if another element of the
  /// array has that id.
  @inlinable
  public subscript(position: Int) -> Element {
    get { storage[position] }
    _modify {
      defer { elementHasChanged(at: position) }
      yield &storage[position]
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

  /// Iterates over the elements in order.
  @inlinable
  public func makeIterator() -> ChunkIterator<Element> { storage.makeIterator() }

  /// Lends the elements if they lie in one piece, as few elements do.
  @inlinable
  public func withContiguousStorageIfAvailable<Result>(
    _ body: (UnsafeBufferPointer<Element>) throws -> Result
  ) rethrows -> Result? {
    try storage.withContiguousStorageIfAvailable(body)
  }

  /// Lends the elements in one piece, so that generic algorithms can reorder them.
  ///
  /// - Precondition: The ids differ when `body` returns.
  public mutating func withContiguousMutableStorageIfAvailable<Result>(
    _ body: (inout UnsafeMutableBufferPointer<Element>) throws -> Result
  ) rethrows -> Result? {
    var elements = elements
    defer { replaceAll(with: elements) }
    return try elements.withContiguousMutableStorageIfAvailable(body)
  }
}

extension IdentifiedArray: RangeReplaceableCollection
where Element: Identifiable, ID == Element.ID {}

extension IdentifiedArray: Equatable where Element: Equatable {
  /// Whether two arrays hold equal elements in the same order.
  ///
  /// What copies share is not compared.
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.storage == rhs.storage }
}

extension IdentifiedArray: Hashable where Element: Hashable {
  /// Hashes the elements in order.
  public func hash(into hasher: inout Hasher) { hasher.combine(storage) }
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
