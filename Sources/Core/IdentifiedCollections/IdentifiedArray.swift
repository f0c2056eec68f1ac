/// An array of elements with unique ids, with hash-based access by id.
///
/// ```swift
/// var todos: IdentifiedArrayOf<Todo> = [milk, bread]
/// todos[id: milk.id]?.isDone = true
/// todos[id: bread.id] = nil
/// ```
///
/// Operations that add elements (`append`, `insert`, `+`, `init(_:)`) omit an element whose id already exists.
/// Replacing an element with one whose id exists elsewhere is a programming error. An element may be replaced by one
/// with a new id: `todos[0] = milk`.
///
/// Copies share unchanged storage. Changing one element of a copy therefore costs about the same for ten elements as
/// for ten thousand.
///
/// The array is `Sendable` if its ids and elements are.
public struct IdentifiedArray<ID: Hashable, Element> {
  /// The ids of the elements, in the order of the elements.
  public internal(set) var ids: OrderedSet<ID> = []
  @usableFromInline var storage = ChunkedArray<Element>()
  let identifier: any (KeyPath<Element, ID> & Sendable)

  /// Creates an empty array whose elements have their ids at a key path.
  public init(id: any (KeyPath<Element, ID> & Sendable)) {
    identifier = id
  }

  /// The elements as an `Array`.
  ///
  /// The array is created at the first access after a mutation.
  ///
  /// ```swift
  /// let plain: [Todo] = todos.elements  // for code that takes an array
  /// ```
  public var elements: [Element] { storage.array }
}

/// An identified array of `Identifiable` elements.
public typealias IdentifiedArrayOf<Element: Identifiable> = IdentifiedArray<Element.ID, Element>

extension IdentifiedArray: Sendable where ID: Sendable, Element: Sendable {}

extension IdentifiedArray {
  /// Creates an array of elements that have their ids at a key path.
  ///
  /// Two elements with the same id are a programming error.
  public init(
    uniqueElements elements: some Sequence<Element>,
    id: any (KeyPath<Element, ID> & Sendable)
  ) {
    self.init(id: id)
    replaceAll(with: Array(elements))
  }

  /// Creates an array of elements that have their ids at a key path.
  ///
  /// An element is omitted if an earlier element has the same id.
  public init(
    _ elements: some Sequence<Element>,
    id: any (KeyPath<Element, ID> & Sendable)
  ) {
    self.init(id: id)
    append(contentsOf: elements)
  }

  /// Creates an array of elements that have their ids at a key path, without checking that the ids are unique.
  public init(
    uncheckedUniqueElements elements: some Sequence<Element>,
    id: any (KeyPath<Element, ID> & Sendable)
  ) {
    self.init(id: id)
    appendUnchecked(elements)
  }

  /// Creates an array of elements that have their ids at a key path, and combines elements with the same id.
  public init(
    _ elements: some Sequence<Element>,
    id: any (KeyPath<Element, ID> & Sendable),
    uniquingIDsWith combine: (Element, Element) throws -> Element
  ) rethrows {
    self.init(id: id)
    try append(elements, uniquingIDsWith: combine)
  }

  func identify(_ element: Element) -> ID {
    element[keyPath: identifier]
  }

  private mutating func appendUnchecked(_ elements: some Sequence<Element>) {
    let elements = Array(elements)
    storage = ChunkedArray(elements)
    ids = OrderedSet(uncheckedUniqueElements: elements.map(identify))
  }

  private mutating func append(
    _ elements: some Sequence<Element>,
    uniquingIDsWith combine: (Element, Element) throws -> Element
  ) rethrows {
    for element in elements {
      let (inserted, index) = append(element)
      if !inserted { self[index] = try combine(storage[index], element) }
    }
  }
}

extension IdentifiedArray where Element: Identifiable, ID == Element.ID {
  /// Creates an empty array.
  public init() {
    self.init(id: \.id)
  }

  /// Creates an array of elements with unique ids.
  ///
  /// Two elements with the same id are a programming error.
  public init(uniqueElements elements: some Sequence<Element>) {
    self.init()
    replaceAll(with: Array(elements))
  }

  /// Creates an array of elements without checking that their ids are unique.
  public init(uncheckedUniqueElements elements: some Sequence<Element>) {
    self.init()
    appendUnchecked(elements)
  }

  /// Creates an array of elements, and combines elements with the same id.
  public init(
    _ elements: some Sequence<Element>,
    uniquingIDsWith combine: (Element, Element) throws -> Element
  ) rethrows {
    self.init()
    try append(elements, uniquingIDsWith: combine)
  }
}

extension IdentifiedArray: ExpressibleByArrayLiteral
where Element: Identifiable, ID == Element.ID {
  /// Creates an array from a literal.
  ///
  /// Two elements with the same id are a programming error.
  public init(arrayLiteral elements: Element...) {
    self.init(uniqueElements: elements)
  }
}

extension IdentifiedArray {
  /// The element with an id; `nil` if there is none.
  ///
  /// Setting `nil` removes the element. Setting an element for a new id appends it. Setting an element with a different
  /// id is a programming error.
  public subscript(id id: ID) -> Element? {
    get { ids.firstIndex(of: id).map { storage[$0] } }
    set {
      guard let newValue else {
        remove(id: id)
        return
      }
      checkID(of: newValue, is: id)
      if let index = ids.firstIndex(of: id) {
        storage[index] = newValue
      } else {
        append(newValue)
      }
    }
    @inlinable
    _modify {
      guard let index = ids.firstIndex(of: id) else {
        var element: Element?
        yield &element
        if let element {
          checkID(of: element, is: id)
          append(element)
        }
        return
      }
      // Moves the element out of the array, so that it has one owner and can change in place.
      var element: Element? = storage.detach(at: index)
      defer { putBack(element, at: index, id: id) }
      yield &element
    }
  }

  @inlinable
  mutating func putBack(_ element: Element?, at index: Int, id: ID) {
    if let element {
      checkID(of: element, is: id)
      storage.putBack(element, at: index)
    } else {
      removeDetached(at: index)
    }
  }

  @usableFromInline
  mutating func removeDetached(at index: Int) {
    ids.remove(at: index)
    storage.giveUp(at: index)
  }

  @usableFromInline
  func checkID(of element: Element, is id: ID) {
    precondition(
      identify(element) == id,
      "The element that was set for the id \(id) has the id \(identify(element))."
    )
  }

  /// Returns the index of the element with an id, or `nil` if there is none.
  public func index(id: ID) -> Int? {
    ids.firstIndex(of: id)
  }

  /// Returns whether the array contains an element that equals the given one.
  public func contains(_ element: Element) -> Bool where Element: Equatable {
    index(id: identify(element)).map { storage[$0] == element } ?? false
  }
}

extension IdentifiedArray: RandomAccessCollection, MutableCollection {
  /// The index of the first element, which is 0.
  @inlinable public var startIndex: Int { 0 }

  /// The index after the last element, which is the number of elements.
  @inlinable public var endIndex: Int { storage.count }

  /// The element at an index.
  ///
  /// Setting an element with another id also replaces the id. It is a programming error if that id occurs elsewhere in
  /// the array.
  @inlinable
  public subscript(position: Int) -> Element {
    get { storage[position] }
    _modify {
      defer { elementHasChanged(at: position) }
      yield &storage[position]
    }
  }

  /// The elements in a range of indices.
  ///
  /// New elements can have the ids of the elements that they replace. New elements whose ids exist outside of the range
  /// are omitted.
  public subscript(bounds: Range<Int>) -> Slice<Self> {
    get { Slice(base: self, bounds: bounds) }
    set { replaceSubrange(bounds, with: newValue) }
  }

  /// Returns an iterator over the elements in order.
  @inlinable
  public func makeIterator() -> ChunkIterator<Element> { storage.makeIterator() }

  /// Calls a closure with the elements, or returns `nil` if they are not stored contiguously.
  ///
  /// Small arrays, which have a single chunk, are stored contiguously.
  @inlinable
  public func withContiguousStorageIfAvailable<Result>(
    _ body: (UnsafeBufferPointer<Element>) throws -> Result
  ) rethrows -> Result? {
    try storage.withContiguousStorageIfAvailable(body)
  }

  /// Calls a closure with a contiguous copy of the elements, and replaces the elements with the changed copy.
  ///
  /// Generic algorithms use this function to reorder elements.
  ///
  /// - Precondition: The ids are unique when `body` returns or throws.
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
  /// Returns whether two arrays contain equal elements in the same order.
  ///
  /// Storage that both arrays share is skipped.
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.storage == rhs.storage }
}

extension IdentifiedArray: Hashable where Element: Hashable {
  /// Hashes the elements in order.
  public func hash(into hasher: inout Hasher) { hasher.combine(storage) }
}

extension IdentifiedArray: CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// The elements in the format that `Array` uses for its description.
  public var description: String { elements.description }

  /// The elements in the format of `Array`, after the type of this array.
  public var debugDescription: String {
    "IdentifiedArray<\(Element.self)>(\(elements.debugDescription))"
  }

  /// A mirror of the elements in the format that `Array` uses.
  public var customMirror: Mirror {
    Mirror(self, unlabeledChildren: elements, displayStyle: .collection)
  }
}
