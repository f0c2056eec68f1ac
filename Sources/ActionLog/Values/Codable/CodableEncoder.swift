/// An encoder that writes an `Encodable` value to a log.
///
/// The encoder refers to a node in the tree that is being written. It has two words, so an existential stores it
/// without allocation.
struct CodableEncoder: Encoder {
  let shared: EncodingState
  let node: Int32
  let depth: Int32

  /// The tree that all encoders and containers of a value share.
  final class EncodingState {
    var tree = EncodedTree()
    /// An unused instance for nested values, kept for reuse.
    var spare: EncodingState?
  }

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    shared.tree.begin(.object, at: node)
    if shared.tree.isMarking, !StoredFields.isEnum(type) {
      return KeyedEncodingContainer(NameMarkingKeyedEncoder<Key>(place: self))
    }
    return KeyedEncodingContainer(KeyedEncoder<Key>(place: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    shared.tree.begin(.array, at: node)
    return Unkeyed(place: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { Single(place: self) }
}

extension CodableEncoder {
  /// Returns an encoder for the member with the given name.
  func member(_ name: String) -> CodableEncoder {
    CodableEncoder(shared: shared, node: shared.tree.member(name, of: node), depth: depth)
  }

  /// Returns an encoder for the next element.
  func element() -> CodableEncoder {
    CodableEncoder(shared: shared, node: shared.tree.element(of: node), depth: depth)
  }

  /// Writes a value in its logged form.
  func write<Value>(_ value: Value) {
    if let type = Value.self as? any LogValue.Type { return write(value, as: type) }
    guard let type = Value.self as? any Encodable.Type else {
      return shared.tree.leaf(at: node, depth: depth) { $0.value(value) }
    }
    write(value, as: type)
  }

  private func write<Value, Known: LogValue>(_ value: Value, as type: Known.Type) {
    let same = SameTypeProof<Value, Known>()
    shared.tree.leaf(at: node, depth: depth) { encoder in
      if let same { encoder.value(same(value)) } else { encoder.opaque(type) }
    }
  }

  private func write<Value, Known: Encodable>(_ value: Value, as type: Known.Type) {
    guard let same = SameTypeProof<Value, Known>() else {
      return shared.tree.leaf(at: node, depth: depth) { $0.opaque(type) }
    }
    encode(same(value))
  }

  /// Encodes a value with its own `encode(to:)`.
  ///
  /// If the method throws an error, writes an opaque value.
  fileprivate func encode<Value: Encodable>(_ value: Value) {
    guard depth < LogEncoder.deepestNesting else {
      return shared.tree.leaf(at: node, depth: depth) { $0.tooDeep(value) }
    }
    shared.tree.makeRoom(at: node)
    do {
      try value.encode(to: CodableEncoder(shared: shared, node: node, depth: depth + 1))
    } catch {
      // The partial output is discarded.
      let reason = String(describing: error)
      shared.tree.leaf(at: node, depth: depth) { $0.opaque(type(of: value), because: reason) }
    }
  }
}

extension LogEncoder {
  /// Writes the output of a value's own `encode(to:)`.
  ///
  /// If the method throws an error, writes an opaque value.
  mutating func encodable<Value: Encodable>(_ value: Value) {
    var spare = self.spare.take()
    // A container that a previous value still refers to must not write into this value.
    let shared =
      isKnownUniquelyReferenced(&spare)
      ? spare ?? CodableEncoder.EncodingState() : CodableEncoder.EncodingState()
    let depth = Int32(depth)
    self.spare = shared.spare.take()
    shared.tree.begin(&self)
    CodableEncoder(shared: shared, node: 0, depth: depth).encode(value)
    shared.tree.end(&self)
    shared.spare = self.spare.take()
    self.spare = shared
  }

  fileprivate mutating func tooDeep<Value>(_ value: Value) {
    opaque(
      type(of: value),
      because: "it is nested deeper than \(Self.deepestNesting) levels"
    )
  }
}

extension CodableEncoder {
  struct KeyedEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let place: CodableEncoder
    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) { write(key) { $0.encodeNull() } }
    func encode(_ value: Bool, forKey key: Key) { write(key) { $0.encode(value) } }
    func encode(_ value: String, forKey key: Key) { write(key) { $0.encode(value) } }
    func encode(_ value: Double, forKey key: Key) { write(key) { $0.encode(value) } }
    func encode(_ value: Int, forKey key: Key) { write(key) { $0.encode(value) } }
    func encode<Value: Encodable>(_ value: Value, forKey key: Key) { write(value, key) }

    // Writes `nil` as a member, so that it differs from a member that is missing in an older log.
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

  /// A keyed container that marks names created at runtime as data.
  ///
  /// Names that are cases of an enum are part of the source code and get no mark.
  private struct NameMarkingKeyedEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let place: CodableEncoder
    var codingPath: [any CodingKey] { [] }

    private func member(_ key: Key) -> CodableEncoder {
      place.member(MaskerMark.data.on(key: key.stringValue))
    }

    func encodeNil(forKey key: Key) { member(key).write(JSON.null) }
    func encode<Value: Encodable>(_ value: Value, forKey key: Key) { member(key).write(value) }

    func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) {
      member(key).write(value)
    }

    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type,
      forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
      member(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
      member(key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { place.member(AnyCodingKey.super.stringValue) }

    func superEncoder(forKey key: Key) -> any Encoder { member(key) }
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

/// A coding key for any name.
struct AnyCodingKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(_ name: String) {
    stringValue = name
    intValue = Int(name)
  }

  init?(stringValue: String) { self.init(stringValue) }

  init?(intValue: Int) { self.init(String(intValue)) }

  /// The key that a keyed container's `superEncoder()` uses.
  static let `super` = AnyCodingKey("super")
}
