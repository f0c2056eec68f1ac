extension LogDecoder {
  /// Decodes a value from JSON text.
  ///
  /// Text in the encoder's layout is decoded without creating a tree.
  ///
  /// - Throws: A `JSON.ParseError` if the text is not valid JSON, or a `LogDecodingError` if it doesn't fit the type.
  public static func value<Value>(
    _ type: Value.Type = Value.self,
    from text: [UInt8]
  ) throws -> Value {
    try text.withUnsafeBufferPointer { try value(type, from: $0) }
  }

  /// Decodes a value whose type conforms to `LogValue` from JSON text.
  ///
  /// Text in the encoder's layout is decoded without creating a tree.
  ///
  /// - Throws: A `JSON.ParseError` if the text is not valid JSON, or a `LogDecodingError` if it doesn't fit the type.
  public static func value<Value: LogValue>(
    _ type: Value.Type = Value.self,
    from text: [UInt8]
  ) throws -> Value {
    try text.withUnsafeBufferPointer { try value(type, from: $0) }
  }

  /// Decodes a value from JSON text in a buffer.
  package static func value<Value>(
    _ type: Value.Type = Value.self,
    from text: UnsafeBufferPointer<UInt8>
  ) throws -> Value {
    do { return try LogText.whole(text) { try $0.value() } } catch {
      return try LogDecoder(JSON(parsing: text)).plainValue(type)
    }
  }

  /// Decodes a value whose type conforms to `LogValue` from JSON text in a buffer.
  package static func value<Value: LogValue>(
    _ type: Value.Type = Value.self,
    from text: UnsafeBufferPointer<UInt8>
  ) throws -> Value {
    do { return try LogText.whole(text) { try Value._$read(from: &$0) } } catch {
      return try LogDecoder(JSON(parsing: text)).plainValue(type)
    }
  }

  /// Decodes a value without a template.
  ///
  /// The function is not inlined. A caller that can pass a template looks up the metadata of the optional template,
  /// even if it passes `nil`.
  @inline(never)
  func plainValue<Value>(_ type: Value.Type) throws -> Value { try value(type) }

  /// Decodes a value of a `LogValue` type without a template.
  ///
  /// The function is not inlined, for the same reason as the function above.
  @inline(never)
  func plainValue<Value: LogValue>(_ type: Value.Type) throws -> Value {
    try value(type)
  }
}
