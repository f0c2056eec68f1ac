/// A decoder for a `Decodable` type, which decodes a value in a log.
struct CodableDecoder: Decoder {
  let decoder: LogDecoder
  /// The type to decode, for error messages.
  let type: Any.Type
  var codingPath: [any CodingKey] { decoder.path.tokens.map(AnyCodingKey.init) }
  let userInfo: [CodingUserInfoKey: Any] = [:]

  init(_ decoder: LogDecoder, for type: Any.Type) {
    self.decoder = decoder
    self.type = type
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard let object = decoder.json.object else {
      throw decoder.mismatch(self.type, expected: "an object")
    }
    return KeyedDecodingContainer(
      KeyedDecoder<Key>(decoder: decoder, type: self.type, object: object)
    )
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard let elements = decoder.json.array else {
      throw decoder.mismatch(type, expected: "an array")
    }
    return Unkeyed(decoder: decoder, type: type, elements: elements)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { Single(decoder: decoder) }

  /// Returns the description of an error that a type's `init(from:)` threw, without the error's coding path.
  static func describe(_ error: any Error) -> String {
    switch error {
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
      DecodingError.keyNotFound(_, let context), DecodingError.dataCorrupted(let context):
      context.debugDescription
    default: String(describing: error)
    }
  }
}

extension CodableDecoder {
  struct KeyedDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: LogDecoder
    let type: Any.Type
    let object: JSON.Object
    var codingPath: [any CodingKey] { decoder.path.tokens.map(AnyCodingKey.init) }
    var allKeys: [Key] {
      object.keys.compactMap { Key(stringValue: LogDecoder.unescaped($0)) }
    }

    private func json(_ key: any CodingKey) -> JSON? {
      let name = key.stringValue
      return object[name.hasPrefix("$") ? "$" + name : name]
    }

    private func at<Value>(
      _ key: any CodingKey,
      _ body: (LogDecoder) throws -> Value
    ) throws -> Value {
      try decoder.context.at(key.stringValue) {
        guard let json = json(key) else { throw decoder.error(.missing, type: Value.self) }
        return try body(LogDecoder(json, context: decoder.context))
      }
    }

    func contains(_ key: Key) -> Bool { json(key) != nil }
    func decodeNil(forKey key: Key) -> Bool { json(key)?.isNull ?? true }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
      try at(key) { try $0.value(type) }
    }

    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type,
      forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
      try at(key) { try CodableDecoder($0, for: self.type).container(keyedBy: type) }
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
      try at(key) { try CodableDecoder($0, for: self.type).unkeyedContainer() }
    }

    func superDecoder() throws -> any Decoder {
      try at(AnyCodingKey.super) { CodableDecoder($0, for: self.type) }
    }
    func superDecoder(forKey key: Key) throws -> any Decoder {
      try at(key) { CodableDecoder($0, for: self.type) }
    }
  }

  struct Unkeyed: UnkeyedDecodingContainer {
    let decoder: LogDecoder
    let type: Any.Type
    let elements: [JSON]
    var codingPath: [any CodingKey] { decoder.path.tokens.map(AnyCodingKey.init) }
    var count: Int? { elements.count }
    var currentIndex = 0
    var isAtEnd: Bool { currentIndex >= elements.count }

    private mutating func next<Value>(_ body: (LogDecoder) throws -> Value) throws -> Value {
      try decoder.context.at(String(currentIndex)) {
        guard currentIndex < elements.count else {
          throw decoder.error(.missing, type: Value.self)
        }
        let value = try body(LogDecoder(elements[currentIndex], context: decoder.context))
        currentIndex += 1
        return value
      }
    }

    mutating func decodeNil() -> Bool {
      guard currentIndex < elements.count, elements[currentIndex].isNull else { return false }
      currentIndex += 1
      return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
      try next { try $0.value(type) }
    }

    mutating func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> {
      try next { [container = self.type] in
        try CodableDecoder($0, for: container).container(keyedBy: type)
      }
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
      try next { [type] in try CodableDecoder($0, for: type).unkeyedContainer() }
    }

    mutating func superDecoder() throws -> any Decoder {
      try next { [type] in CodableDecoder($0, for: type) }
    }
  }

  struct Single: SingleValueDecodingContainer {
    let decoder: LogDecoder
    var codingPath: [any CodingKey] { decoder.path.tokens.map(AnyCodingKey.init) }

    func decodeNil() -> Bool { decoder.json.isNull }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.value(type) }
  }
}
