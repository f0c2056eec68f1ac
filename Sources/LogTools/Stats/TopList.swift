/// An element that a `TopList` can rank.
protocol Ranked: Equatable, Sendable {
  /// The number by which elements are compared, such as a size in bytes.
  var rank: Int { get }
}

/// The highest-ranked elements of a sequence, in descending order.
///
/// Elements with equal rank stay in the order in which they were added.
struct TopList<Element: Ranked>: Equatable, Sendable {
  private(set) var elements: [Element] = []

  /// The maximum number of stored elements, which is the length of the longest list in a report.
  private static var most: Int { 10 }

  /// Returns whether an element with this rank would be stored.
  func takes(_ rank: Int) -> Bool {
    elements.count < Self.most || rank > elements[elements.count - 1].rank
  }

  mutating func add(_ element: Element) {
    guard takes(element.rank) else { return }
    let place = elements.firstIndex { $0.rank < element.rank } ?? elements.count
    elements.insert(element, at: place)
    if elements.count > Self.most { elements.removeLast() }
  }

  mutating func add(_ others: TopList) { for element in others.elements { add(element) } }
}
