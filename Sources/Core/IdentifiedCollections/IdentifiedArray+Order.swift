public import Foundation

extension IdentifiedArray {
  /// Sorts the elements.
  public mutating func sort(
    by areInIncreasingOrder: (Element, Element) throws -> Bool
  ) rethrows {
    try reorder { try $0.sort(by: areInIncreasingOrder) }
  }

  /// Sorts the elements.
  public mutating func sort() where Element: Comparable {
    sort(by: <)
  }

  /// Shuffles the elements.
  public mutating func shuffle() {
    reorder { $0.shuffle() }
  }

  /// Shuffles the elements with random numbers from a generator.
  public mutating func shuffle(using generator: inout some RandomNumberGenerator) {
    reorder { $0.shuffle(using: &generator) }
  }

  /// Turns the order around.
  public mutating func reverse() {
    reorder { $0.reverse() }
  }

  /// Moves the elements that satisfy a condition to the end, and returns where they start.
  public mutating func partition(
    by belongsInSecondPartition: (Element) throws -> Bool
  ) rethrows -> Int {
    try reorder { try $0.partition(by: belongsInSecondPartition) }
  }

  /// Exchanges two elements.
  public mutating func swapAt(_ first: Int, _ second: Int) {
    storage.swapAt(first, second)
    ids.swapAt(first, second)
  }

  /// Gives the elements another order, unless that fails.
  private mutating func reorder<Result>(
    _ change: (inout [Element]) throws -> Result
  ) rethrows -> Result {
    var elements = elements
    let result = try change(&elements)
    storage = ChunkedArray(elements)
    ids = OrderedSet(uncheckedUniqueElements: elements.map(identify))
    return result
  }
}

extension IdentifiedArray {
  /// Removes the elements at the indices of a set.
  public mutating func remove(atOffsets offsets: IndexSet) {
    removeSubranges(Array(offsets.rangeView))
  }

  /// Moves elements in front of the one at an index, as lists do when the user drags rows.
  ///
  /// The index counts before the move: `[a, b, c].move(fromOffsets: [0], toOffset: 2)` is `[b, a, c]`.
  public mutating func move(fromOffsets source: IndexSet, toOffset destination: Int) {
    let moved = source.map { storage[$0] }
    let start = destination - source.count(in: 0..<destination)
    remove(atOffsets: source)
    insert(contentsOf: moved, at: start)
  }
}
