extension Dictionary: LogValue {
  /// Writes an object sorted by key, if the keys can be names of members.
  ///
  /// Such keys are strings, integers, values with such raw values, and coding keys. For other keys, writes an array of
  /// `[key, value]` pairs, sorted by their bytes.
  public func encode(to encoder: inout LogEncoder) {
    guard let coding = DictionaryKeyCoding<Key>() else {
      return encoder.sorted(
        map { key, value in
          { (encoder: inout LogEncoder) in
            encoder.beginArray()
            encoder.value(key)
            encoder.value(value)
            encoder.endArray()
          }
        }
      )
    }
    // Only the keys are sorted, and values are accessed by index, because moving values is slow in unspecialized code.
    let values = Array(values)
    var names: [(name: String, index: Int)] = []
    names.reserveCapacity(count)
    for key in keys { names.append((coding.name(key), names.count)) }
    names.sort { $0.name.precedesInBytes($1.name) }
    encoder.beginObject()
    let isMarking = encoder.isMarking
    for (name, index) in names where !encoder.isTooLong {
      if isMarking {
        encoder.key(unescaped: MaskerMark.data.on(key: name))
      } else {
        encoder.key(name)
      }
      encoder.value(values[index])
    }
    encoder.endObject()
  }

  /// Decodes an object, or an array of pairs, depending on the type of the keys.
  public static func decode(from decoder: LogDecoder, over template: Self?) throws -> Self {
    var result: Self = [:]
    guard let coding = DictionaryKeyCoding<Key>() else {
      guard let pairs = decoder.json.array else {
        throw decoder.mismatch(Self.self, expected: "an array of [key, value]")
      }
      for (index, pair) in pairs.enumerated() {
        try decoder.context.at(String(index)) {
          let pair = LogDecoder(pair, context: decoder.context)
          guard let parts = pair.json.array, parts.count == 2 else {
            throw pair.mismatch(Self.self, expected: "an array of a key and a value")
          }
          let key = try LogDecoder(parts[0], context: decoder.context).value(Key.self)
          result[key] = try LogDecoder(parts[1], context: decoder.context).value(Value.self)
        }
      }
      return result
    }
    guard let object = decoder.json.object else {
      throw decoder.mismatch(Self.self, expected: "an object")
    }
    for (name, value) in object {
      try decoder.context.at(name) {
        let earlier = decoder.earlier?.object?[name]
        let value = LogDecoder(value, context: decoder.context, after: earlier)
        guard let key = coding.key(LogDecoder.unescaped(name)) else {
          throw value.error(
            .mismatch(expected: "a key of the dictionary", found: .string(name)),
            type: Key.self
          )
        }
        result[key] = try value.value(Value.self, over: earlier == nil ? nil : template?[key])
      }
    }
    return result
  }

  /// Compares the values of equal keys, and adds or removes the other entries.
  ///
  /// Dictionaries with the same storage are equal.
  public static func difference(from old: Self, to new: Self, into patch: inout PatchBuilder) {
    guard !patch.isUnchanged(old, new) else { return }
    guard patch.isPlain(Key.self), patch.isPlain(Value.self) else {
      return patch.compareContainers(old, new)
    }
    patch.entries(from: old, to: new)
  }

  /// Lists the types of the keys and values.
  public static func survey(_ type: inout LogTypeSurvey) {
    type.contains(Key.self)
    type.contains(Value.self, below: 1)
  }

  /// Always `true`, because the encoder writes only well-formed JSON.
  public static var _$isWellFormed: Bool { true }
}

/// A conversion between the keys of a dictionary and the names of members.
struct DictionaryKeyCoding<Key> {
  let name: (Key) -> String
  let key: (String) -> Key?

  /// Creates the conversion for the type `Key`, or returns `nil` if its values can't be names.
  init?() {
    if let strings = Self.plain() {
      self = strings
    } else if let type = Key.self as? any RawRepresentable.Type, let raw = Self.raw(type) {
      self = raw
    } else if let type = Key.self as? any CodingKeyRepresentable.Type {
      self = Self.codingKey(type)
    } else {
      return nil
    }
  }

  private init(name: @escaping (Key) -> String, key: @escaping (String) -> Key?) {
    self.name = name
    self.key = key
  }

  private static func plain() -> Self? {
    if let same = SameTypeProof<Key, String>() {
      return Self(name: { same($0) }, key: { $0 as? Key })
    }
    guard let type = Key.self as? any FixedWidthInteger.Type else { return nil }
    return Self(name: { "\($0)" }, key: { parse($0, as: type) as? Key })
  }

  private static func parse<Integer: FixedWidthInteger>(
    _ text: String,
    as type: Integer.Type
  ) -> Integer? {
    Integer(text)
  }

  private static func raw<Raw: RawRepresentable>(_ type: Raw.Type) -> Self? {
    guard let inner = DictionaryKeyCoding<Raw.RawValue>.plain() else { return nil }
    return Self(
      name: { ($0 as? Raw).map { inner.name($0.rawValue) } ?? "" },
      key: { inner.key($0).flatMap(Raw.init(rawValue:)) as? Key }
    )
  }

  private static func codingKey<Coded: CodingKeyRepresentable>(_ type: Coded.Type) -> Self {
    Self(
      name: { ($0 as? Coded)?.codingKey.stringValue ?? "" },
      key: { Coded(codingKey: AnyCodingKey($0)) as? Key }
    )
  }
}
