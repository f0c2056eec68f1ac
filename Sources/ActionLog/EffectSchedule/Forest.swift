/// Trees whose nodes are stored in one array, so that a copy takes one allocation.
///
/// A node is identified by its index in the array. The next insertion reuses the index of a removed node.
struct Forest<Value: Sendable>: Sendable {
  private struct Node: Sendable {
    var value: Value
    var parent: Int
    /// The child that was inserted last, or `none`.
    var child = none
    /// The next sibling, or `none`.
    ///
    /// In a free node, the index of the next free node.
    var next = none
    var previous = none
  }

  private static var none: Int { -1 }
  private var nodes: [Node] = []
  private var free = none
  private(set) var count = 0
  /// The value of free nodes.
  ///
  /// Replaces the value of a removed node, so that the objects it refers to are released.
  private let blank: Value

  init(blank: Value) { self.blank = blank }

  var isEmpty: Bool { count == 0 }

  subscript(node: Int) -> Value {
    get { nodes[node].value }
    _modify { yield &nodes[node].value }
  }

  func parent(of node: Int) -> Int? { Self.known(nodes[node].parent) }

  func hasChildren(_ node: Int) -> Bool { nodes[node].child != Self.none }

  private static func known(_ node: Int) -> Int? { node == none ? nil : node }

  /// Inserts a node below another one, or as a root if `parent` is `nil`.
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
  /// - Returns: The node's value.
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

  /// Calls a function with each child of a node, in reverse order of insertion.
  func forEachChild(of node: Int, _ body: (Int) -> Void) {
    var next = nodes[node].child
    while let child = Self.known(next) {
      body(child)
      next = nodes[child].next
    }
  }

  /// Returns a node and its ancestors, beginning with the node.
  func path(to node: Int) -> [Int] {
    var path = [node]
    var next = node
    while let parent = parent(of: next) {
      path.append(parent)
      next = parent
    }
    return path
  }

  /// The indexes of all nodes, including free ones, which have the blank value.
  var indices: Range<Int> { nodes.indices }

  /// The values of all nodes in no particular order, including the blank values of free nodes.
  var values: some Sequence<Value> { nodes.lazy.map { $0.value } }
}
