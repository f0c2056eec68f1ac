/// An encoder that compares the members of two `Codable` values before they are written as JSON.
///
/// First, the old value encodes its members into this object, which stores them. Next, the new value encodes its
/// members, and each one is compared with the stored one. Unchanged members are not written.
final class CodableMemberComparison: Encoder {
  private var names: [String] = []
  private var old: [Any] = []
  /// The number of the new value's members that were compared, or `nil` while the old value is encoded.
  private var compared: Int?
  /// The builder that receives the changes while the new value is encoded.
  private var patch = PatchBuilder(copies: nil)
  /// Whether the value has requested a keyed container.
  private var isObject = false
  /// Whether the value has requested a container of another kind, or a nested one.
  private var isOther = false
  /// Whether names created at runtime must be marked, which this comparison doesn't support.
  private let isMarking: Bool

  init(isMarking: Bool) { self.isMarking = isMarking }

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  private struct UncomparableMembers: Error {}

  /// Stores the members of the old value.
  ///
  /// - Returns: Whether the value consists of members with distinct names, without nested containers.
  func readOld(_ value: some Encodable) -> Bool {
    do { try value.encode(to: self) } catch { return false }
    return isObject && !isOther && !hasRepeatedNames
  }

  /// Compares the members of the new value with the stored ones, and writes the changes.
  ///
  /// - Returns: Whether all members were compared. If not, the caller must discard the output.
  func compare(_ value: some Encodable, into patch: inout PatchBuilder) -> Bool {
    compared = 0
    // Swaps the builders, so that the output is not copied.
    swap(&patch, &self.patch)
    defer { swap(&patch, &self.patch) }
    do { try value.encode(to: self) } catch { return false }
    return !isOther && compared == names.count
  }

  /// Whether two members have the same name.
  private var hasRepeatedNames: Bool {
    // For up to 16 names, a linear search is faster than a set.
    guard names.count <= 16 else { return Set(names).count < names.count }
    return names.indices.contains { names[..<$0].contains(names[$0]) }
  }

  private func add<Value>(_ value: Value, named name: String) throws {
    if isOther { throw UncomparableMembers() }
    guard let index = compared else {
      names.append(name)
      old.append(value)
      return
    }
    guard index < names.count, names[index] == name, let old = old[index] as? Value,
      patch.isPlain(Value.self)
    else { throw UncomparableMembers() }
    compared = index + 1
    if !hasSameBits(old, value) { patch.nested(name) { $0.value(old, value) } }
  }

  /// Records that the value is not comparable.
  ///
  /// - Returns: An encoder whose output is discarded.
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
    let comparison: CodableMemberComparison
    var codingPath: [any CodingKey] { [] }

    private func add<Value>(_ value: Value, _ key: Key) throws {
      try comparison.add(value, named: key.stringValue)
    }

    func encodeNil(forKey key: Key) throws { try add(JSON.null, key) }
    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { try add(value, key) }

    // A `nil` member is encoded, not omitted, as in the log.
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
  /// Compares two `Codable` values by the members that they encode.
  ///
  /// - Returns: Whether the values consist of comparable members. If not, no changes are written.
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
    guard depth < LogEncoder.deepestNesting, let same = SameTypeProof<Value, Known>() else {
      return false
    }
    let members = CodableMemberComparison(isMarking: marks != nil)
    guard members.readOld(same(old)) else {
      capabilities.markOtherThanMembers()
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
