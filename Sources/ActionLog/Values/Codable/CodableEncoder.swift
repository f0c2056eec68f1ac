/// Brings a type that is `Encodable` into the log.
///
/// Containers may be asked for in any order and filled later, so what is written is kept as a tree until it is whole.
final class CodableEncoder: Encoder {
  let node: Node
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]
  private let depth: Int

  init(node: Node = Node(), depth: Int) {
    self.node = node
    self.depth = depth
  }

  /// A part of the tree.
  final class Node {
    enum Content {
      case empty
      case text([UInt8])
      case object([(name: String, node: Node)])
      case array([Node])
    }
    var content = Content.empty

    /// Appends an element and hands it out.
    func element() -> Node {
      let node = Node()
      guard case .array(let nodes) = content else { return node }
      content = .array(nodes + [node])
      return node
    }

    /// Adds a member, or empties the one that is there, and hands it out.
    func member(_ name: String) -> Node {
      guard case .object(var members) = content else { return Node() }
      let node = Node()
      if let index = members.firstIndex(where: { $0.name.hasSameBytes(as: name) }) {
        members[index].node = node
      } else {
        members.append((name, node))
      }
      content = .object(members)
      return node
    }

    var count: Int { if case .array(let nodes) = content { nodes.count } else { 0 } }

    func write(to encoder: inout LogEncoder) {
      switch content {
      // A type that writes nothing is an object without members, as other encoders have it.
      case .empty:
        encoder.beginObject()
        encoder.endObject()
      case .text(let bytes): encoder.raw(bytes)
      case .object(let members):
        encoder.beginObject()
        for (name, node) in members {
          encoder.key(name)
          node.write(to: &encoder)
        }
        encoder.endObject()
      case .array(let nodes):
        encoder.beginArray()
        for node in nodes { node.write(to: &encoder) }
        encoder.endArray()
      }
    }

    /// Writes one value here, in whichever way its type goes into the log.
    func write<Value>(_ value: Value, depth: Int) {
      var encoder = LogEncoder()
      encoder.depth = depth
      encoder.value(value)
      content = .text(encoder.bytes)
    }
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if case .object = node.content {} else { node.content = .object([]) }
    return KeyedEncodingContainer(Keyed<Key>(node: node, depth: depth))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    if case .array = node.content {} else { node.content = .array([]) }
    return Unkeyed(node: node, depth: depth)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    Single(node: node, depth: depth)
  }
}
