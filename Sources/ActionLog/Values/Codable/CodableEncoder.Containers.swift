extension CodableEncoder {
  struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let place: CodableEncoder
    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) { write(key) { $0.encodeNull() } }
    func encode(_ value: Bool, forKey key: Key) { write(key) { $0.encode(value) } }
    func encode(_ value: String, forKey key: Key) { write(key) { $0.encode(value) } }
    func encode(_ value: Double, forKey key: Key) { write(key) { $0.encode(value) } }
    func encode(_ value: Int, forKey key: Key) { write(key) { $0.encode(value) } }
    func encode<Value: Encodable>(_ value: Value, forKey key: Key) { write(value, key) }

    // `nil` is written and not left out, so that a member that an older log lacks can be told from one that was nil.
    func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) { write(value, key) }
    func encodeIfPresent(_ value: Bool?, forKey key: Key) {
      if let value { encode(value, forKey: key) } else { encodeNil(forKey: key) }
    }
    func encodeIfPresent(_ value: String?, forKey key: Key) {
      if let value { encode(value, forKey: key) } else { encodeNil(forKey: key) }
    }
    func encodeIfPresent(_ value: Double?, forKey key: Key) {
      if let value { encode(value, forKey: key) } else { encodeNil(forKey: key) }
    }
    func encodeIfPresent(_ value: Float?, forKey key: Key) { write(value, key) }
    func encodeIfPresent(_ value: Int?, forKey key: Key) {
      if let value { encode(value, forKey: key) } else { encodeNil(forKey: key) }
    }
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
      place.member(key.stringValue).write(value)
    }

    private func write(_ key: Key, _ body: (inout LogEncoder) -> Void) {
      place.shared.tree.member(key.stringValue, of: place.node, depth: place.depth, body)
    }

    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type,
      forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
      place.member(key.stringValue).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
      place.member(key.stringValue).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { place.member(AnyCodingKey.super.stringValue) }

    func superEncoder(forKey key: Key) -> any Encoder { place.member(key.stringValue) }
  }

  struct Unkeyed: UnkeyedEncodingContainer {
    let place: CodableEncoder
    var codingPath: [any CodingKey] { [] }
    var count: Int { place.shared.tree.count(of: place.node) }

    func encodeNil() { place.element().write(JSON.null) }
    func encode<Value: Encodable>(_ value: Value) { place.element().write(value) }

    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type
    ) -> KeyedEncodingContainer<Nested> {
      place.element().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
      place.element().unkeyedContainer()
    }

    func superEncoder() -> any Encoder { place.element() }
  }

  struct Single: SingleValueEncodingContainer {
    let place: CodableEncoder
    var codingPath: [any CodingKey] { [] }

    func encodeNil() { place.write(JSON.null) }
    func encode<Value: Encodable>(_ value: Value) { place.write(value) }
  }
}
