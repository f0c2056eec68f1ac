/// Compares the members that two `Codable` values write into one object, as they are before they are encoded.
///
/// The old value is asked for its members, which are kept. Then the new one is asked, and each member is compared as it comes: only
/// what has changed is encoded.
final class CodableMembers: Encoder {
  private var names: [String] = []
  private var old: [Any] = []
  /// How many members of the new value have been compared; nil while the old one is asked.
  private var compared: Int?
  /// Where changes are written, while the new value is asked.
  private var patch = PatchBuilder(copies: nil)
  /// Whether the value has asked for one object.
  private var isObject = false
  /// Whether it has asked for something else than an object of values.
  private var isOther = false
  /// Whether names that are made at run time are to be marked, which is not done here.
  private let isMarking: Bool

  init(isMarking: Bool) { self.isMarking = isMarking }

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  private struct Refusal: Error {}

  /// Asks the old value.
  ///
  /// - Returns: Whether it writes one object of values.
  func readOld(_ value: some Encodable) -> Bool {
    do { try value.encode(to: self) } catch { return false }
    return isObject && !isOther && !hasRepeatedNames
  }

  /// Asks the new value, and writes what has changed.
  ///
  /// - Returns: Whether that is all; if not, what was written is to be forgotten.
  func compare(_ value: some Encodable, into patch: inout PatchBuilder) -> Bool {
    compared = 0
    // Swapped, so that the text grows where it is.
    swap(&patch, &self.patch)
    defer { swap(&patch, &self.patch) }
    do { try value.encode(to: self) } catch { return false }
    return !isOther && compared == names.count
  }

  /// Whether two members have one name.
  private var hasRepeatedNames: Bool {
    // Of a few names no set need be made.
    guard names.count <= 16 else { return Set(names).count < names.count }
    return names.indices.contains { names[..<$0].contains(names[$0]) }
  }

  private func add<Value>(_ value: Value, named name: String) throws {
    if isOther { throw Refusal() }
    guard let index = compared else {
      names.append(name)
      old.append(value)
      return
    }
    guard index < names.count, names[index] == name, let old = old[index] as? Value,
      patch.isPlain(Value.self)
    else { throw Refusal() }
    compared = index + 1
    if !hasSameBits(old, value) { patch.nested(name) { $0.value(old, value) } }
  }

  /// A place for what cannot be compared by members, where it is thrown away.
  private func refuse() -> CodableEncoder {
    isOther = true
    let shared = CodableEncoder.EncodingState()
    var text = LogEncoder()
    shared.tree.begin(&text)
    return CodableEncoder(shared: shared, node: 0, depth: 0)
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if isOther || isMarking && !StoredFields.isEnum(type) {
      return refuse().container(keyedBy: type)
    }
    isObject = true
    return KeyedEncodingContainer(KeyedComparison<Key>(comparison: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { refuse().unkeyedContainer() }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    refuse().singleValueContainer()
  }

  private struct KeyedComparison<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let comparison: CodableMembers
    var codingPath: [any CodingKey] { [] }

    private func add<Value>(_ value: Value, _ key: Key) throws {
      try comparison.add(value, named: key.stringValue)
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
      comparison.refuse().container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
      comparison.refuse().unkeyedContainer()
    }

    func superEncoder() -> any Encoder { comparison.refuse() }

    func superEncoder(forKey key: Key) -> any Encoder { comparison.refuse() }
  }
}

extension PatchBuilder {
  /// Compares two values that do not describe themselves by the members that they write.
  ///
  /// - Returns: Whether members are all that they write; if not, nothing is done.
  mutating func members<Value>(from old: Value, to new: Value) -> Bool {
    let capabilities = types.capabilities(of: Value.self)
    guard !isCopying, capabilities.isPlain, capabilities.writesMembers, !hasSameBits(old, new),
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
    guard depth < LogEncoder.deepestNesting, let same = TypeEquality<Value, Known>() else {
      return false
    }
    let members = CodableMembers(isMarking: marks != nil)
    guard members.readOld(same(old)) else {
      capabilities.noteOtherThanMembers()
      return false
    }
    let (start, length) = (encoder.mark, path.count)
    depth += 1
    let isDone = members.compare(same(new), into: &self)
    depth -= 1
    if !isDone {
      encoder.rewind(to: start)
      path.removeSubrange(length...)
    }
    return isDone
  }
}
