public import Foundation

extension IdentifiedArray {
  /// Sorts the elements.
  public mutating func sort(
    by areInIncreasingOrder: (Element, Element) throws -> Bool
  ) rethrows {
    // Also when it throws in the middle.
    defer { elementsHaveChanged() }
    try elements.sort(by: areInIncreasingOrder)
  }

  /// Sorts the elements.
  public mutating func sort() where Element: Comparable {
    sort(by: <)
  }

  /// Shuffles the elements.
  public mutating func shuffle() {
    elements.shuffle()
    elementsHaveChanged()
  }

  /// Shuffles the elements with random numbers from a generator.
  public mutating func shuffle(using generator: inout some RandomNumberGenerator) {
    elements.shuffle(using: &generator)
    elementsHaveChanged()
  }

  /// Turns the order around.
  public mutating func reverse() {
    elements.reverse()
    elementsHaveChanged()
  }

  /// Moves the elements that satisfy a condition to the end, and returns where they start.
  public mutating func partition(
    by belongsInSecondPartition: (Element) throws -> Bool
  ) rethrows -> Int {
    defer { elementsHaveChanged() }
    return try elements.partition(by: belongsInSecondPartition)
  }

  /// Exchanges two elements.
  public mutating func swapAt(_ first: Int, _ second: Int) {
    elements.swapAt(first, second)
    elementsHaveChanged()
  }
}

extension IdentifiedArray {
  /// Removes the elements at the indices of a set.
  public mutating func remove(atOffsets offsets: IndexSet) {
    for range in offsets.rangeView.reversed() { removeSubrange(range) }
  }

  /// Moves elements in front of the one at an index, as lists do when the user drags rows.
  ///
  /// The index counts before the move: `[a, b, c].move(fromOffsets: [0], toOffset: 2)` is `[b, a, c]`.
  public mutating func move(fromOffsets source: IndexSet, toOffset destination: Int) {
    let moved = source.map { elements[$0] }
    let before = (0..<destination).filter { !source.contains($0) }.map { elements[$0] }
    let after = (destination..<elements.count).filter { !source.contains($0) }
      .map { elements[$0] }
    elements = before + moved + after
    elementsHaveChanged()
  }
}
