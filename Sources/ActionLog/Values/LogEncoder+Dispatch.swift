extension LogEncoder {
  /// Writes a value that describes itself.
  public mutating func value<Value: LogValue>(_ value: Value) {
    guard depth < Self.deepestNesting else {
      return opaque(Value.self, because: "it is nested deeper than \(Self.deepestNesting) levels")
    }
    depth += 1
    if Value._$isWellFormed {
      value.encode(to: &self)
    } else {
      let offset = startOfNextValue()
      value.encode(to: &self)
      checkValue(from: offset)
    }
    depth -= 1
  }

  /// Writes any value: as `LogValue` or `Codable` say, by its raw value, as an error, else as opaque.
  public mutating func value<Value>(_ value: Value) {
    if let type = Value.self as? any LogValue.Type { return known(type, value) }
    if let type = Value.self as? any Encodable.Type { return encodable(type, value) }
    // Of an error in a box its type is written, too.
    if Value.self == (any Error).self, let error = value as? any Error { return self.error(error) }
    // What is in a box such as `any Sendable`, which `type(of:)` does not see through in generic code.
    let type = Mirror(reflecting: value).subjectType
    if let type = type as? any LogValue.Type {
      known(type, value)
    } else if let value = value as? any Encodable {
      encodable(value)
    } else if type == Void.self {
      beginObject()
      endObject()
    } else if let value = value as? any RawRepresentable {
      raw(representable: value)
    } else if let error = value as? any Error {
      self.error(error)
    } else {
      opaque(type, shown: OpaqueRendering.isOn ? OpaqueRendering.text(of: value) : nil)
    }
  }

  /// Writes the name of a member and its value.
  public mutating func member<Value: LogValue>(_ name: String, _ value: Value) {
    key(name)
    self.value(value)
  }

  /// Writes the name of a member and its value, whatever its type.
  ///
  /// A value of a type such as `any Error` stays in its box, for a log has what reads back as one. As a parameter of its own it would be
  /// taken out.
  public mutating func member<Value>(_ name: String, _ value: @autoclosure () -> Value) {
    key(name)
    self.value(value())
  }

  /// Writes an enum whose case has no associated values.
  public mutating func _$case(_ name: String) {
    _$beginCase(name)
    _$endCase()
  }

  /// Writes an enum whose case has one associated value.
  public mutating func _$case<Payload: LogValue>(
    _ name: String,
    _ payload: Payload,
    as label: String = "_0"
  ) {
    _$beginCase(name)
    member(label, payload)
    _$endCase()
  }

  /// Writes an enum whose case has one associated value, whatever its type.
  public mutating func _$case<Payload>(
    _ name: String,
    _ payload: @autoclosure () -> Payload,
    as label: String = "_0"
  ) {
    _$beginCase(name)
    member(label, payload())
    _$endCase()
  }

  /// Opens the objects that an enum is written as.
  public mutating func _$beginCase(_ name: String) {
    beginObject()
    key(name)
    beginObject()
  }

  /// Closes the objects that an enum is written as.
  public mutating func _$endCase() {
    endObject()
    endObject()
  }

  /// Writes that there is a value of which the log can say no more than its type.
  mutating func opaque(_ type: Any.Type, because reason: String? = nil, shown: String? = nil) {
    OpaqueWrites.increment()
    beginObject()
    key(unescaped: "$opaque")
    encode(LogTypeName.of(type))
    // Not as members: what is nested too deep would be refused again, and again.
    if let reason {
      key("reason")
      encode(reason)
    }
    if let shown {
      key("shown")
      encode(shown)
    }
    endObject()
  }
}

extension LogEncoder {
  private mutating func known<Value, Known: LogValue>(_ type: Known.Type, _ value: Value) {
    guard let same = TypeEquality<Value, Known>() else {
      // What is in a box.
      if let value = value as? Known { self.value(value) } else { opaque(Value.self) }
      return
    }
    self.value(same(value))
  }

  private mutating func raw<Value: RawRepresentable>(representable value: Value) {
    if isMarking, let text = Self.rawText(of: value) { return encode(LogMark.raw.on(text)) }
    self.value(value.rawValue)
  }

  /// The raw value of an enum, when it is a text: code, and no data that may be masked.
  private static func rawText(of value: some Any) -> String? {
    guard StoredFields.isEnum(Swift.type(of: value)), let value = value as? any RawRepresentable
    else { return nil }
    return value.rawValue as? String
  }

  private mutating func encodable<Value, Known: Encodable>(_ type: Known.Type, _ value: Value) {
    if isMarking, let text = Self.rawText(of: value), JSON(logging: value) == .string(text) {
      return encode(LogMark.raw.on(text))
    }
    if let same = TypeEquality<Value, Known>() { encodable(same(value)) } else { opaque(type) }
  }
}
