/// The members that a `Codable` value writes into one object, as they are before they are encoded.
///
/// Of two values that write the same members, only those are encoded that have changed.
struct CodableMembers {
  private(set) var names: [String] = []
  private var values: [any CodableMember] = []

  /// The members of a value; nil when it writes something else than one object of values.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - capabilities: What is known of its type.
  init?<Value: Encodable>(of value: Value, _ capabilities: TypeCapabilities) {
    guard capabilities.writesMembers else { return nil }
    let collector = Collector()
    do {
      try value.encode(to: collector)
      guard collector.isObject, !collector.hasRepeatedNames else { throw Refusal() }
    } catch {
      capabilities.noteOtherThanMembers()
      return nil
    }
    names = collector.names
    values = collector.values
  }

  /// Adds what turns these members into others, which have the same names.
  ///
  /// - Returns: Whether that is all; if not, what was written is to be forgotten.
  func difference(to new: CodableMembers, into patch: inout PatchBuilder) -> Bool {
    for index in names.indices {
      let (old, new) = (values[index], new.values[index])
      guard old.difference(to: new, named: names[index], into: &patch) else { return false }
    }
    return true
  }

  private struct Refusal: Error {}
}

/// A member of a type that is to be found out.
private protocol CodableMember {
  func difference(
    to new: any CodableMember,
    named name: String,
    into patch: inout PatchBuilder
  ) -> Bool
}

extension CodableMembers {
  private struct Member<Value>: CodableMember {
    let value: Value

    /// Compares two values of one type that are what their bits are.
    func difference(
      to new: any CodableMember,
      named name: String,
      into patch: inout PatchBuilder
    ) -> Bool {
      guard let new = new as? Member<Value>, patch.isPlain(Value.self) else { return false }
      if !hasSameBits(value, new.value) { patch.nested(name) { $0.value(value, new.value) } }
      return true
    }
  }

  /// Takes the members of a value, and encodes nothing.
  private final class Collector: Encoder {
    var names: [String] = []
    var values: [any CodableMember] = []
    /// Whether the value has asked for one object, and for nothing else.
    private(set) var isObject = false
    private var isRefused = false

    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// Whether two members have one name.
    var hasRepeatedNames: Bool {
      // Of a few names no set need be made.
      guard names.count <= 16 else { return Set(names).count < names.count }
      return names.indices.contains { names[..<$0].contains(names[$0]) }
    }

    func add<Value>(_ value: Value, named name: String) throws {
      if isRefused { throw Refusal() }
      names.append(name)
      values.append(Member(value: value))
    }

    /// A place for what cannot be compared by members, where it is thrown away.
    func refuse() -> CodableEncoder {
      (isRefused, isObject) = (true, false)
      let shared = CodableEncoder.Shared()
      var text = LogEncoder()
      shared.tree.begin(&text)
      return CodableEncoder(shared: shared, node: 0, depth: 0)
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
      if isRefused { return refuse().container(keyedBy: type) }
      isObject = true
      return KeyedEncodingContainer(Keyed<Key>(collector: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { refuse().unkeyedContainer() }

    func singleValueContainer() -> any SingleValueEncodingContainer {
      refuse().singleValueContainer()
    }
  }

  private struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let collector: Collector
    var codingPath: [any CodingKey] { [] }

    private func add<Value>(_ value: Value, _ key: Key) throws {
      try collector.add(value, named: key.stringValue)
    }

    func encodeNil(forKey key: Key) throws { try add(JSON.null, key) }
    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { try add(value, key) }

    // As when it is written: `nil` is a member.
    func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
      try add(value, key)
    }
    func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try add(value, key) }
    func encodeIfPresent(_ value: String?, forKey key: Key) throws { try add(value, key) }
    func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try add(value, key) }
    func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try add(value, key) }
    func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try add(value, key) }
    func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try add(value, key) }
    func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try add(value, key) }
    func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try add(value, key) }
    func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try add(value, key) }
    func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try add(value, key) }
    func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try add(value, key) }
    func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try add(value, key) }
    func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try add(value, key) }
    func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try add(value, key) }

    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type,
      forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
      collector.refuse().container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
      collector.refuse().unkeyedContainer()
    }

    func superEncoder() -> any Encoder { collector.refuse() }

    func superEncoder(forKey key: Key) -> any Encoder { collector.refuse() }
  }
}

extension PatchBuilder {
  /// Compares two values that do not describe themselves by the members that they write.
  ///
  /// - Returns: Whether members are all that they write; if not, nothing is done.
  mutating func members<Value>(from old: Value, to new: Value) -> Bool {
    let capabilities = types.capabilities(of: Value.self)
    guard !isCopying, capabilities.isPlain, !hasSameBits(old, new),
      capabilities.logValue == nil, let type = Value.self as? any Encodable.Type
    else { return false }
    return members(of: old, new, as: type, capabilities)
  }

  private mutating func members<Value, Known: Encodable>(
    of old: Value,
    _ new: Value,
    as type: Known.Type,
    _ capabilities: TypeCapabilities
  ) -> Bool {
    guard depth < LogEncoder.deepestNesting, let same = TypeEquality<Value, Known>(),
      let old = CodableMembers(of: same(old), capabilities),
      let new = CodableMembers(of: same(new), capabilities), old.names == new.names
    else { return false }
    let (start, length) = (encoder.mark, path.count)
    depth += 1
    let isDone = old.difference(to: new, into: &self)
    depth -= 1
    if !isDone {
      encoder.rewind(to: start)
      path.removeSubrange(length...)
    }
    return isDone
  }
}
