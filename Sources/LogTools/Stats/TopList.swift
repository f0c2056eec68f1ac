/// An element of a list of the largest.
protocol Ranked: Equatable, Sendable {
  /// The size by which it is listed.
  var rank: Int { get }
}

/// The largest of many elements, the largest first; of equal ones the first come first.
struct TopList<Element: Ranked>: Equatable, Sendable {
  private(set) var elements: [Element] = []

  /// The number of elements that are kept.
  private static var most: Int { 10 }

  /// Whether an element of this rank would be kept.
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
