/// Trees whose nodes stand in one array, so that a copy of all is one allocation and a change costs what it changes.
///
/// A node is named by its place in the array. When it has gone, the next one that is inserted gets its place.
struct Forest<Value: Sendable>: Sendable {
  private struct Node: Sendable {
    var value: Value
    var parent: Int
    /// The child that was inserted last.
    var child = none
    /// The children of the same parent beside it; of a free place, the next free one.
    var next = none
    var previous = none
  }

  private static var none: Int { -1 }
  private var nodes: [Node] = []
  private var free = none
  /// How many nodes there are.
  private(set) var count = 0
  /// Takes the place of values that have gone, so that nothing they refer to stays.
  private let blank: Value

  /// No trees.
  init(blank: Value) { self.blank = blank }

  var isEmpty: Bool { count == 0 }

  /// The value of a node.
  subscript(node: Int) -> Value {
    get { nodes[node].value }
    _modify { yield &nodes[node].value }
  }

  func parent(of node: Int) -> Int? { Self.known(nodes[node].parent) }

  func hasChildren(_ node: Int) -> Bool { nodes[node].child != Self.none }

  private static func known(_ node: Int) -> Int? { node == none ? nil : node }

  /// Inserts a node below another one, or as a root.
  mutating func insert(_ value: Value, below parent: Int?) -> Int {
    var node = Node(value: value, parent: parent ?? Self.none)
    let place = Self.known(free) ?? nodes.count
    if let parent {
      node.next = nodes[parent].child
      if let sibling = Self.known(node.next) { nodes[sibling].previous = place }
      nodes[parent].child = place
    }
    if place == nodes.count {
      nodes.append(node)
    } else {
      free = nodes[place].next
      nodes[place] = node
    }
    count += 1
    return place
  }

  /// Removes a node that has no children.
  ///
  /// - Returns: Its value.
  mutating func remove(_ place: Int) -> Value {
    let node = nodes[place]
    if let next = Self.known(node.next) { nodes[next].previous = node.previous }
    if let previous = Self.known(node.previous) {
      nodes[previous].next = node.next
    } else if let parent = Self.known(node.parent) {
      nodes[parent].child = node.next
    }
    nodes[place] = Node(value: blank, parent: Self.none, next: free)
    free = place
    count -= 1
    return node.value
  }

  /// Calls a function with each child of a node, the last one first.
  func forEachChild(of node: Int, _ body: (Int) -> Void) {
    var next = nodes[node].child
    while let child = Self.known(next) {
      body(child)
      next = nodes[child].next
    }
  }

  /// A node and all above it.
  func path(to node: Int) -> [Int] {
    var path = [node]
    var next = node
    while let parent = parent(of: next) {
      path.append(parent)
      next = parent
    }
    return path
  }

  /// The places of all nodes, and free ones, which have the blank value.
  var indices: Range<Int> { nodes.indices }

  /// The values in no order, and the blank one for places that are free.
  var values: some Sequence<Value> { nodes.lazy.map { $0.value } }
}
