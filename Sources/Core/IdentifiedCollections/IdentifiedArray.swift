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
