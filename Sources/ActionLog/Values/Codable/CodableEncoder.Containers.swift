extension CodableEncoder {
  struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let node: Node
    let depth: Int
    let codingPath: [any CodingKey] = []

    func encodeNil(forKey key: Key) { write(JSON.null, key) }
    func encode<Value: Encodable>(_ value: Value, forKey key: Key) { write(value, key) }

    // `nil` is written and not left out, so that a member that an older log lacks can be told from one that was nil.
    func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) { write(value, key) }
    func encodeIfPresent(_ value: Bool?, forKey key: Key) { write(value, key) }
    func encodeIfPresent(_ value: String?, forKey key: Key) { write(value, key) }
    func encodeIfPresent(_ value: Double?, forKey key: Key) { write(value, key) }
    func encodeIfPresent(_ value: Float?, forKey key: Key) { write(value, key) }
    func encodeIfPresent(_ value: Int?, forKey key: Key) { write(value, key) }
    func encodeIfPresent(_ value: Int8?, forKey key: Key) { write(value, key) }
    func encodeIfPresent(_ value: Int16?, forKey key: Key) { write(value, key) }
    func encodeIfPresent(_ value: Int32?, forKey key: Key) { write(value, key) }
    func encodeIfPresent(_ value: Int64?, forKey key: Key) { write(value, key) }
    func encodeIfPresent(_ value: UInt?, forKey key: Key) { write(value, key) }
    func encodeIfPresent(_ value: UInt8?, forKey key: Key) { write(value, key) }
    func encodeIfPresent(_ value: UInt16?, forKey key: Key) { write(value, key) }
    func encodeIfPresent(_ value: UInt32?, forKey key: Key) { write(value, key) }
    func encodeIfPresent(_ value: UInt64?, forKey key: Key) { write(value, key) }

    private func write<Value>(_ value: Value, _ key: Key) {
      node.member(key.stringValue).write(value, depth: depth)
    }

    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type,
      forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
      CodableEncoder(node: node.member(key.stringValue), depth: depth).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
      CodableEncoder(node: node.member(key.stringValue), depth: depth).unkeyedContainer()
    }

    func superEncoder() -> any Encoder {
      CodableEncoder(node: node.member(AnyCodingKey.super.stringValue), depth: depth)
    }

    func superEncoder(forKey key: Key) -> any Encoder {
      CodableEncoder(node: node.member(key.stringValue), depth: depth)
    }
  }

  struct Unkeyed: UnkeyedEncodingContainer {
    let node: Node
    let depth: Int
    let codingPath: [any CodingKey] = []
    var count: Int { node.count }

    func encodeNil() { node.element().write(JSON.null, depth: depth) }
    func encode<Value: Encodable>(_ value: Value) { node.element().write(value, depth: depth) }

    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type
    ) -> KeyedEncodingContainer<Nested> {
      CodableEncoder(node: node.element(), depth: depth).container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
      CodableEncoder(node: node.element(), depth: depth).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { CodableEncoder(node: node.element(), depth: depth) }
  }

  struct Single: SingleValueEncodingContainer {
    let node: Node
    let depth: Int
    let codingPath: [any CodingKey] = []

    func encodeNil() { node.write(JSON.null, depth: depth) }
    func encode<Value: Encodable>(_ value: Value) { node.write(value, depth: depth) }
  }
}
