/// A set that keeps its elements in the order in which they came.
///
/// ```swift
/// var ids: OrderedSet = [3, 1, 3]
/// Array(ids)               // [3, 1]
/// ids.firstIndex(of: 1)    // 1, without a search
/// ```
public struct OrderedSet<Element: Hashable> {
  /// The elements in order.
  public private(set) var elements: [Element] = []
  private var positions: [Element: Int] = [:]

  /// An empty set.
  public init() {}

  /// The elements of a sequence; of equal ones the first stays.
  public init(_ elements: some Sequence<Element>) {
    for element in elements { append(element) }
  }

  /// Elements that are known to differ.
  init(uncheckedUniqueElements elements: [Element]) {
    self.elements = elements
    updatePositions(from: 0)
  }

  /// The place of an element.
  public func firstIndex(of element: Element) -> Int? {
    positions[element]
  }

  /// Whether the set holds an element.
  public func contains(_ element: Element) -> Bool {
    positions[element] != nil
  }

  /// Adds an element at the end, unless it is there already.
  @discardableResult
  public mutating func append(_ element: Element) -> (inserted: Bool, index: Int) {
    insert(element, at: elements.count)
  }

  /// Adds an element, unless it is there already; the index says where it stands in either case.
  @discardableResult
  public mutating func insert(
    _ element: Element,
    at index: Int
  ) -> (inserted: Bool, index: Int) {
    if let index = positions[element] { return (false, index) }
    elements.insert(element, at: index)
    updatePositions(from: index)
    return (true, index)
  }

  /// Removes an element and returns where it stood.
  @discardableResult
  public mutating func remove(_ element: Element) -> Int? {
    guard let index = positions[element] else { return nil }
    remove(at: index)
    return index
  }

  /// Removes the element at an index.
  @discardableResult
  public mutating func remove(at index: Int) -> Element {
    let element = elements.remove(at: index)
    positions[element] = nil
    updatePositions(from: index)
    return element
  }

  /// Removes all elements.
  public mutating func removeAll(keepingCapacity: Bool = false) {
    elements.removeAll(keepingCapacity: keepingCapacity)
    positions.removeAll(keepingCapacity: keepingCapacity)
  }

  /// Removes the elements in a range of indices.
  mutating func removeSubrange(_ range: Range<Int>) {
    for element in elements[range] { positions[element] = nil }
    elements.removeSubrange(range)
    updatePositions(from: range.lowerBound)
  }

  /// Replaces the element at an index by one that the set does not hold.
  mutating func replace(at index: Int, with element: Element) {
    positions[elements[index]] = nil
    elements[index] = element
    positions[element] = index
  }

  /// Makes room for a number of elements.
  mutating func reserveCapacity(_ minimumCapacity: Int) {
    elements.reserveCapacity(minimumCapacity)
    positions.reserveCapacity(minimumCapacity)
  }

  private mutating func updatePositions(from first: Int) {
    for index in elements.indices[first...] { positions[elements[index]] = index }
  }
}

extension OrderedSet: Sendable where Element: Sendable {}

extension OrderedSet: RandomAccessCollection {
  /// The index of the first element.
  public var startIndex: Int { 0 }

  /// The index behind the last element.
  public var endIndex: Int { elements.count }

  /// The element at an index.
  public subscript(index: Int) -> Element { elements[index] }
}
