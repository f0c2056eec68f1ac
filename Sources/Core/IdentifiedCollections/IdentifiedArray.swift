/// An array whose elements have ids that differ, by whose hashes they are found.
///
/// ```swift
/// var todos: IdentifiedArrayOf<Todo> = [milk, bread]
/// todos[id: milk.id]?.isDone = true
/// todos[id: bread.id] = nil
/// ```
///
/// No two elements have one id. What would add a second one leaves it out (`append`, `insert`, `+`, `init(_:)`), and it is a
/// programmer's error to put an element in the place of one while another has its id. Until then an element may be
/// replaced by one with another id: `todos[0] = milk`.
///
/// Copies share what no one has changed since: a change of one element of a copy costs about the same whether there are ten
/// or ten thousand.
///
/// It is `Sendable` where its ids and elements are.
public struct IdentifiedArray<ID: Hashable, Element> {
  /// The ids of the elements, in their order.
  public internal(set) var ids: OrderedSet<ID> = []
  @usableFromInline var storage = ChunkedArray<Element>()
  let identifier: any (KeyPath<Element, ID> & Sendable)

  /// An empty array whose elements have their ids at a key path.
  public init(id: any (KeyPath<Element, ID> & Sendable)) {
    identifier = id
  }

  /// The elements as a plain array, which is made when it is first asked for after a change.
  ///
  /// ```swift
  /// let plain: [Todo] = todos.elements  // for code that takes an array
  /// ```
  public var elements: [Element] { storage.array }
}

/// An array of identifiable elements.
public typealias IdentifiedArrayOf<Element: Identifiable> = IdentifiedArray<Element.ID, Element>

extension IdentifiedArray: Sendable where ID: Sendable, Element: Sendable {}

extension IdentifiedArray {
  /// Elements that have their ids at a key path; it is a programmer's error if two are equal.
  public init(
    uniqueElements elements: some Sequence<Element>,
    id: any (KeyPath<Element, ID> & Sendable)
  ) {
    self.init(id: id)
    replaceAll(with: Array(elements))
  }

  /// Elements that have their ids at a key path; of two with one id the first stays.
  public init(
    _ elements: some Sequence<Element>,
    id: any (KeyPath<Element, ID> & Sendable)
  ) {
    self.init(id: id)
    append(contentsOf: elements)
  }

  /// Elements that have their ids at a key path, when these are known to differ: they are not compared.
  public init(
    uncheckedUniqueElements elements: some Sequence<Element>,
    id: any (KeyPath<Element, ID> & Sendable)
  ) {
    self.init(id: id)
    appendUnchecked(elements)
  }

  /// Elements that have their ids at a key path; of two with one id, `combine` makes one.
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
  /// An empty array.
  public init() {
    self.init(id: \.id)
  }

  /// Elements whose ids differ; it is a programmer's error if two are equal.
  public init(uniqueElements elements: some Sequence<Element>) {
    self.init()
    replaceAll(with: Array(elements))
  }

  /// Elements whose ids are known to differ: they are not compared.
  public init(uncheckedUniqueElements elements: some Sequence<Element>) {
    self.init()
    appendUnchecked(elements)
  }

  /// Elements; of two with one id, `combine` makes one.
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
  /// The elements of a literal, whose ids differ.
  public init(arrayLiteral elements: Element...) {
    self.init(uniqueElements: elements)
  }
}

extension IdentifiedArray {
  /// The element with an id.
  ///
  /// Setting `nil` removes it; setting an element where there was none appends it. It is a programmer's error if the new
  /// element has another id.
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
      // The element is moved out, so that it changes in place and what it holds is not copied.
      var element: Element? = storage.detach(at: index)
      defer { putBack(element, at: index, id: id) }
      yield &element
    }
  }

  private mutating func putBack(_ element: Element?, at index: Int, id: ID) {
    if let element {
      checkID(of: element, is: id)
      storage.putBack(element, at: index)
    } else {
      ids.remove(at: index)
      storage.giveUp(at: index)
    }
  }

  private func checkID(of element: Element, is id: ID) {
    precondition(
      identify(element) == id,
      "The element that was set for the id \(id) has the id \(identify(element))."
    )
  }

  /// The place of the element with an id.
  public func index(id: ID) -> Int? {
    ids.firstIndex(of: id)
  }

  /// Whether there is an element with the id of this one.
  public func contains(_ element: Element) -> Bool where Element: Equatable {
    index(id: identify(element)).map { storage[$0] == element } ?? false
  }
}

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
