/// The states of features that are pushed one onto the other, each with an id.
///
/// ```swift
/// var path = StackState<Path.State>()
/// path.append(.detail(Detail.State()))
/// path[id: 0]           // the detail
/// path.pop(from: 0)
/// ```
///
/// Two stacks are equal if their elements are, and have the same ids.
public struct StackState<Element> {
  /// The ids of the elements, from the bottom to the top.
  public internal(set) var ids: OrderedSet<StackElementID> = []
  var elements: [Element] = []

  /// An empty stack.
  public init() {}
}

extension StackState: ExpressibleByArrayLiteral {
  /// The elements of a literal, with new ids.
  public init(arrayLiteral elements: Element...) {
    self.init(elements)
  }
}

extension StackState: Sendable where Element: Sendable {}

extension StackState: Equatable where Element: Equatable {
  /// Whether two stacks have equal elements under the same ids.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.ids == rhs.ids && lhs.elements == rhs.elements
  }
}

extension StackState: Hashable where Element: Hashable {
  /// Hashes the ids and the elements.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ids)
    hasher.combine(elements)
  }
}
