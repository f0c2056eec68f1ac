/// An encoder that writes an `Encodable` type to the log.
///
/// It refers to a node in the tree that is being written. It has two words, so an existential holds it without
/// allocation.
struct CodableEncoder: Encoder {
  let shared: EncodingState
  let node: Int32
  let depth: Int32

  /// The tree that all encoders and containers of a value write to.
  final class EncodingState {
    var tree = EncodedTree()
    /// A tree for nested values, which is reused.
    var spare: EncodingState?
  }

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    shared.tree.begin(.object, at: node)
    if shared.tree.isMarking, !StoredFields.isEnum(type) {
      return KeyedEncodingContainer(MarkingKeyed<Key>(place: self))
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
  /// Returns the encoder for a member.
  func member(_ name: String) -> CodableEncoder {
    CodableEncoder(shared: shared, node: shared.tree.member(name, of: node), depth: depth)
  }

  /// Returns the encoder for the next element.
  func element() -> CodableEncoder {
    CodableEncoder(shared: shared, node: shared.tree.element(of: node), depth: depth)
  }

  /// Writes a value in the form that its type has in the log.
  func write<Value>(_ value: Value) {
    if let type = Value.self as? any LogValue.Type { return write(value, as: type) }
    guard let type = Value.self as? any Encodable.Type else {
      return shared.tree.leaf(at: node, depth: depth) { $0.value(value) }
    }
    write(value, as: type)
  }

  private func write<Value, Known: LogValue>(_ value: Value, as type: Known.Type) {
    let same = TypeEquality<Value, Known>()
    shared.tree.leaf(at: node, depth: depth) { encoder in
      if let same { encoder.value(same(value)) } else { encoder.opaque(type) }
    }
  }

  private func write<Value, Known: Encodable>(_ value: Value, as type: Known.Type) {
    guard let same = TypeEquality<Value, Known>() else {
      return shared.tree.leaf(at: node, depth: depth) { $0.opaque(type) }
    }
    encode(same(value))
  }

  /// Encodes a value with its own `encode(to:)`.
  ///
  /// If that throws, the value is opaque.
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
  /// Writes a value as its `encode(to:)` does.
  ///
  /// If that throws, writes an opaque value.
  mutating func encodable<Value: Encodable>(_ value: Value) {
    var spare = self.spare.take()
    // A container of the previous value that is still held must not write into this one.
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

    // Writes `nil` instead of leaving it out, so that it differs from a member that an older log lacks.
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

  /// A container that marks names created at runtime as data.
  ///
  /// Names in code are cases of an enum.
  private struct MarkingKeyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let place: CodableEncoder
    var codingPath: [any CodingKey] { [] }

    private func member(_ key: Key) -> CodableEncoder {
      place.member(LogMark.data.on(key: key.stringValue))
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

/// A coding key that consists of a name.
struct AnyCodingKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(_ name: String) {
    stringValue = name
    intValue = Int(name)
  }

  init?(stringValue: String) { self.init(stringValue) }

  init?(intValue: Int) { self.init(String(intValue)) }

  /// The key that `superEncoder()` of a keyed container uses.
  static let `super` = AnyCodingKey("super")
}
