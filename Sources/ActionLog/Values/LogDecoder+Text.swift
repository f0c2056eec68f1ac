extension LogDecoder {
  /// Reads a value from its text, as fast as can be where encoders have written it.
  ///
  /// - Throws: `JSON.ParseError` when it is no JSON, and `LogDecodingError`.
  public static func value<Value>(
    _ type: Value.Type = Value.self,
    from text: [UInt8]
  ) throws -> Value {
    try text.withUnsafeBufferPointer { try value(type, from: $0) }
  }

  /// Reads a value of a type that describes itself from its text, as fast as can be where encoders have written it.
  ///
  /// - Throws: `JSON.ParseError` when it is no JSON, and `LogDecodingError`.
  public static func value<Value: LogValue>(
    _ type: Value.Type = Value.self,
    from text: [UInt8]
  ) throws -> Value {
    try text.withUnsafeBufferPointer { try value(type, from: $0) }
  }

  /// Reads a value from its text where that stands.
  package static func value<Value>(
    _ type: Value.Type = Value.self,
    from text: UnsafeBufferPointer<UInt8>
  ) throws -> Value {
    do { return try LogText.whole(text) { try $0.value() } } catch {
      return try LogDecoder(JSON(parsing: text)).plainValue(type)
    }
  }

  /// Reads a value of a type that describes itself from its text where that stands.
  package static func value<Value: LogValue>(
    _ type: Value.Type = Value.self,
    from text: UnsafeBufferPointer<UInt8>
  ) throws -> Value {
    do { return try LogText.whole(text) { try Value._$read(from: &$0) } } catch {
      return try LogDecoder(JSON(parsing: text)).plainValue(type)
    }
  }

  /// Reads a value that has no template.
  ///
  /// Not in line: who could pass a template looks up the type of one, also on the way that needs none.
  @inline(never)
  func plainValue<Value>(_ type: Value.Type) throws -> Value { try value(type) }

  /// Reads a value that has no template, of a type that describes itself.
  @inline(never)
  func plainValue<Value: LogValue>(_ type: Value.Type) throws -> Value {
    try value(type)
  }
}
