/// The nodes that are registered under one id of cancellation, by the path at which they were made.
///
/// All children of features have one id for what belongs to them, so there can be as many nodes as rows with effects; a
/// cancellation looks only at those that it reaches.
struct CancellableNodes<PathElement: Hashable & Sendable>: Sendable {
  private var nodes: Set<Int> = []
  private var below: [PathElement: CancellableNodes] = [:]

  var isEmpty: Bool { nodes.isEmpty && below.isEmpty }

  mutating func insert(_ node: Int, at path: [PathElement]) { insert(node, at: path[...]) }

  mutating func remove(_ node: Int, at path: [PathElement]) { remove(node, at: path[...]) }

  /// The nodes at a path and below it, in the order in which they started.
  func nodes(below path: [PathElement]) -> [Int] {
    var top = self
    for element in path {
      guard let next = top.below[element] else { return [] }
      top = next
    }
    var found: [Int] = []
    var open = [top]
    while let next = open.popLast() {
      found += next.nodes
      open += next.below.values
    }
    return found.sorted()
  }

  private mutating func insert(_ node: Int, at path: ArraySlice<PathElement>) {
    guard let first = path.first else {
      nodes.insert(node)
      return
    }
    below[first, default: CancellableNodes()].insert(node, at: path.dropFirst())
  }

  private mutating func remove(_ node: Int, at path: ArraySlice<PathElement>) {
    guard let first = path.first else {
      nodes.remove(node)
      return
    }
    below[first]?.remove(node, at: path.dropFirst())
    if below[first]?.isEmpty == true { below[first] = nil }
  }
}
