/// A value of a log, which stays the text that stood there until somebody asks for more.
package enum LoggedValue: Sendable {
  case json(JSON)
  /// Text that is known to be a JSON value.
  case text([UInt8])

  /// The value.
  package var json: JSON {
    switch self {
    case .json(let json): json
    case .text(let text): (try? JSON(parsing: text)) ?? .null
    }
  }
}

extension LoggedValue: Equatable {
  /// Compares values; the same text is the same value.
  package static func == (lhs: LoggedValue, rhs: LoggedValue) -> Bool {
    if case .text(let lhs) = lhs, case .text(let rhs) = rhs, lhs.hasSameBytes(as: rhs) {
      return true
    }
    return lhs.json == rhs.json
  }
}

extension LogEncoder {
  /// Writes a member of the format itself.
  mutating func field(_ name: String, _ value: LoggedValue) {
    switch value {
    case .json(let json): field(name, json)
    case .text(let text): field(name, text: text)
    }
  }
}

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

/// A patch of a log, which stays the text that stood there until somebody asks for its operations.
package enum LoggedPatch: Sendable {
  case patch(JSON.Patch)
  /// Text that is known to be a patch.
  case text([UInt8])

  /// The operations.
  package var patch: JSON.Patch {
    switch self {
    case .patch(let patch): return patch
    case .text(let text):
      let plain = text.withUnsafeBufferPointer { bytes in
        var parser = JSON.Parser(bytes: bytes)
        return parser.plainPatch()
      }
      return plain ?? (try? JSON.Patch(json: JSON(parsing: text))) ?? JSON.Patch()
    }
  }

  /// Whether both are text, and the same one.
  package func hasSameText(as other: LoggedPatch) -> Bool {
    guard case .text(let text) = self, case .text(let other) = other else { return false }
    return text.hasSameBytes(as: other)
  }
}

extension LoggedPatch: Equatable {
  /// Compares operations; the same text is the same patch.
  package static func == (lhs: LoggedPatch, rhs: LoggedPatch) -> Bool {
    lhs.hasSameText(as: rhs) || lhs.patch == rhs.patch
  }
}

extension LogEncoder {
  /// Writes a member of the format itself.
  mutating func field(_ name: String, _ patch: LoggedPatch) {
    switch patch {
    case .patch(let patch): field(name, patch.json)
    case .text(let text): field(name, text: text)
    }
  }
}
