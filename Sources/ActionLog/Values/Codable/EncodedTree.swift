/// The output of a `Codable` value: its text, and the nodes that describe its containers.
///
/// Containers can be requested in any order and filled later. If they are filled in the order of the text, the text is
/// the result. Otherwise, the result is assembled from the nodes.
struct EncodedTree {
  enum Kind: UInt8 {
    /// A node without output.
    ///
    /// The result has an object without members there, as with other encoders.
    case empty
    case value, object, array
  }

  private struct EncodedNode {
    var kind = Kind.empty
    let parent: Int32
    /// The index of the next node in the same container, or -1.
    var next: Int32 = -1
    var firstChild: Int32 = -1
    var lastChild: Int32 = -1
    var count: Int32 = 0
    /// The range of the member's name in the text, including quotes and the colon.
    let name: Range<Int>
    var text = 0..<0
  }

  private var encoder = LogEncoder()
  private var nodes: [EncodedNode] = []
  /// The index of the innermost container that is not closed in the text.
  private var open: Int32 = 0
  private var isInOrder = true
  /// The members of large containers: for each container, the index of a node by the text of its name.
  private var index: [Int32: [[UInt8]: Int32]] = [:]

  /// Starts a value after the output of an encoder, which the tree owns until `end(_:)` is called.
  mutating func begin(_ encoder: inout LogEncoder) {
    _ = encoder.startOfNextValue()
    // Swaps the encoders, so that the output is not copied.
    swap(&encoder, &self.encoder)
    nodes.removeAll(keepingCapacity: true)
    nodes.append(EncodedNode(parent: -1, name: 0..<self.encoder.count))
    open = 0
    isInOrder = true
    if !index.isEmpty { index = [:] }
  }

  /// Finishes the value and returns the output to the encoder.
  mutating func end(_ encoder: inout LogEncoder) {
    reach(0)
    if isInOrder {
      close(0)
    } else {
      var whole = LogEncoder()
      assemble(0, into: &whole)
      self.encoder.truncate(to: nodes[0].name.upperBound)
      self.encoder.raw(whole.releaseBytes())
    }
    swap(&encoder, &self.encoder)
  }

  /// Assembles the output of a node and the nodes inside it.
  private func assemble(_ node: Int32, into whole: inout LogEncoder) {
    let content = nodes[Int(node)]
    switch content.kind {
    case .empty:
      whole.beginObject()
      whole.endObject()
    case .value: whole.raw(encoder.bytes[content.text])
    case .object, .array:
      let isObject = content.kind == .object
      if isObject { whole.beginObject() } else { whole.beginArray() }
      var child = content.firstChild
      while child >= 0 {
        if isObject { whole.key(written: encoder.bytes[nodes[Int(child)].name]) }
        assemble(child, into: &whole)
        child = nodes[Int(child)].next
      }
      if isObject { whole.endObject() } else { whole.endArray() }
    }
  }
}

extension EncodedTree {
  /// Whether the encoder writes marks for a masker.
  var isMarking: Bool { encoder.isMarking }

  /// Returns the number of elements or members of a container.
  func count(of node: Int32) -> Int { Int(nodes[Int(node)].count) }

  /// Turns a node into a container of the given kind, unless it already is one.
  mutating func begin(_ kind: Kind, at node: Int32) {
    guard nodes[Int(node)].kind != kind else { return }
    makeRoom(at: node)
    nodes[Int(node)].kind = kind
    guard isInOrder else { return }
    if kind == .object { encoder.beginObject() } else { encoder.beginArray() }
  }

  /// Adds an element to an array, and returns the index of its node.
  mutating func element(of array: Int32) -> Int32 {
    reach(array)
    return add(to: array, name: 0..<0)
  }

  /// Adds a member to an object, or replaces the member with the same name, and returns the index of its node.
  mutating func member(_ name: String, of object: Int32) -> Int32 {
    reach(object)
    let start = encoder.startOfNextValue()
    encoder.key(name)
    let range = start..<encoder.count
    guard let old = member(named: range, of: object) else { return add(to: object, name: range) }
    // The member keeps its position, so the text is no longer in order.
    isInOrder = false
    return replacement(of: old, in: object)
  }

  /// Writes the value of a node that has no nodes inside it.
  @inline(__always)
  mutating func leaf(at node: Int32, depth: Int32, _ write: (inout LogEncoder) -> Void) {
    makeRoom(at: node)
    let start = encoder.startOfNextValue()
    let outer = encoder.depth
    encoder.depth = Int(depth)
    write(&encoder)
    encoder.depth = outer
    nodes[Int(node)].kind = .value
    nodes[Int(node)].text = start..<encoder.count
  }

  /// Adds a member whose value has no nodes inside it.
  @inline(__always)
  mutating func member(
    _ name: String,
    of object: Int32,
    depth: Int32,
    _ write: (inout LogEncoder) -> Void
  ) {
    leaf(at: member(name, of: object), depth: depth, write)
  }

  /// Prepares a node for output, and discards its previous output.
  mutating func makeRoom(at node: Int32) {
    reach(node)
    guard nodes[Int(node)].kind != .empty else { return }
    isInOrder = false
    nodes[Int(node)].kind = .empty
    nodes[Int(node)].firstChild = -1
    nodes[Int(node)].lastChild = -1
    nodes[Int(node)].count = 0
    index[node] = nil
  }
}

extension EncodedTree {
  /// Makes a node the innermost open container, and closes the containers inside it.
  private mutating func reach(_ node: Int32) {
    while isInOrder, open != node {
      guard open > 0 else {
        isInOrder = false
        return
      }
      close(open)
      open = nodes[Int(open)].parent
    }
  }

  private mutating func close(_ node: Int32) {
    switch nodes[Int(node)].kind {
    case .empty:
      encoder.beginObject()
      encoder.endObject()
    case .value: break
    case .object: encoder.endObject()
    case .array: encoder.endArray()
    }
  }

  private mutating func add(to container: Int32, name: Range<Int>) -> Int32 {
    let (parent, child) = (Int(container), Int32(nodes.count))
    nodes.append(EncodedNode(parent: container, name: name))
    let last = nodes[parent].lastChild
    if last < 0 { nodes[parent].firstChild = child } else { nodes[Int(last)].next = child }
    nodes[parent].lastChild = child
    nodes[parent].count += 1
    if isInOrder { open = child }
    return child
  }

  /// Replaces a node with a new one, and returns the index of the new node.
  ///
  /// Further output of the old node is ignored.
  private mutating func replacement(of old: Int32, in container: Int32) -> Int32 {
    let (parent, child) = (Int(container), Int32(nodes.count))
    let name = nodes[Int(old)].name
    nodes.append(EncodedNode(parent: container, next: nodes[Int(old)].next, name: name))
    if nodes[parent].lastChild == old { nodes[parent].lastChild = child }
    if nodes[parent].firstChild == old {
      nodes[parent].firstChild = child
    } else {
      var before = nodes[parent].firstChild
      while nodes[Int(before)].next != old { before = nodes[Int(before)].next }
      nodes[Int(before)].next = child
    }
    index[container]?[Array(encoder.bytes[name])] = child
    return child
  }

  /// Returns the node of the object's member whose name equals the text in a range, or `nil` if there is none.
  private mutating func member(named name: Range<Int>, of object: Int32) -> Int32? {
    guard nodes[Int(object)].count < Self.mostWithoutIndex else {
      return indexedMember(named: name, of: object)
    }
    return encoder.bytes.withUnsafeBufferPointer { bytes in
      let text = UnsafeBufferPointer(rebasing: bytes[name])
      var child = nodes[Int(object)].firstChild
      while child >= 0 {
        let other = nodes[Int(child)].name
        if other.count == name.count,
          UnsafeBufferPointer(rebasing: bytes[other]).hasSameBytes(as: text)
        {
          return child
        }
        child = nodes[Int(child)].next
      }
      return nil
    }
  }

  /// The maximum number of members without an index.
  ///
  /// Up to this number, a linear search is fast enough.
  private static let mostWithoutIndex = 16

  /// Returns the node of a large object's member whose name equals the text in a range.
  ///
  /// If there is none, returns `nil` and registers the name for the next node.
  private mutating func indexedMember(named name: Range<Int>, of object: Int32) -> Int32? {
    if index[object] == nil {
      var names: [[UInt8]: Int32] = [:]
      var child = nodes[Int(object)].firstChild
      while child >= 0 {
        names[Array(encoder.bytes[nodes[Int(child)].name])] = child
        child = nodes[Int(child)].next
      }
      index[object] = names
    }
    let text = Array(encoder.bytes[name])
    if let known = index[object]?[text] { return known }
    index[object]?[text] = Int32(nodes.count)
    return nil
  }
}
