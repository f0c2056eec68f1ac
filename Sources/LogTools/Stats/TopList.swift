/// An element of a list of the largest elements.
protocol Ranked: Equatable, Sendable {
  /// The size by which the element is ranked.
  var rank: Int { get }
}

/// The largest of many elements in descending order.
///
/// Equal elements keep their original order.
struct TopList<Element: Ranked>: Equatable, Sendable {
  private(set) var elements: [Element] = []

  /// The maximum number of elements.
  private static var most: Int { 10 }

  /// Returns whether an element of this rank would be kept.
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
