extension LogEncoder {
  /// Writes a value whose type conforms to `LogValue`.
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

  /// Writes a value of any type: with `LogValue` or `Codable`, by its raw value, as an error, or as an opaque value.
  public mutating func value<Value>(_ value: Value) {
    if let type = Value.self as? any LogValue.Type { return known(type, value) }
    if let type = Value.self as? any Encodable.Type { return encodable(type, value) }
    // An error in a box is written with its type.
    if Value.self == (any Error).self, let error = value as? any Error { return self.error(error) }
    // `subjectType` is the type of the value in a box such as `any Sendable`. In generic code, `type(of:)` returns the
    // box's type.
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

  /// Writes the name and value of a member.
  public mutating func member<Value: LogValue>(_ name: String, _ value: Value) {
    key(name)
    self.value(value)
  }

  /// Writes the name and value of a member, which can have any type.
  ///
  /// The value is an autoclosure, because a value of a type such as `any Error` would be unboxed as a parameter. A
  /// boxed error is logged with its type, so that it can be decoded.
  public mutating func member<Value>(_ name: String, _ value: @autoclosure () -> Value) {
    key(name)
    self.value(value())
  }

  /// Writes an enum case without associated values.
  public mutating func _$case(_ name: String) {
    _$beginCase(name)
    _$endCase()
  }

  /// Writes an enum case with one associated value.
  public mutating func _$case<Payload: LogValue>(
    _ name: String,
    _ payload: Payload,
    as label: String = "_0"
  ) {
    _$beginCase(name)
    member(label, payload)
    _$endCase()
  }

  /// Writes an enum case with one associated value of any type.
  public mutating func _$case<Payload>(
    _ name: String,
    _ payload: @autoclosure () -> Payload,
    as label: String = "_0"
  ) {
    _$beginCase(name)
    member(label, payload())
    _$endCase()
  }

  /// Opens the two objects that enclose the payload of an enum case.
  public mutating func _$beginCase(_ name: String) {
    beginObject()
    key(name)
    beginObject()
  }

  /// Closes the two objects that enclose the payload of an enum case.
  public mutating func _$endCase() {
    endObject()
    endObject()
  }

  /// Writes an opaque value: the name of its type, and a reason or rendering if there is one.
  mutating func opaque(_ type: Any.Type, because reason: String? = nil, shown: String? = nil) {
    OpaqueWriteCounter.increment()
    beginObject()
    key(unescaped: "$opaque")
    encode(LogTypeName.of(type))
    // Strings are written directly. A nested value at the maximum depth would become opaque again, in an endless
    // recursion.
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
    guard let same = SameTypeProof<Value, Known>() else {
      // A cast finds the conformance of the value inside a box.
      if let value = value as? Known { self.value(value) } else { opaque(Value.self) }
      return
    }
    self.value(same(value))
  }

  private mutating func raw<Value: RawRepresentable>(representable value: Value) {
    if isMarking, let text = Self.rawText(of: value) { return encode(MaskerMark.raw.on(text)) }
    self.value(value.rawValue)
  }

  /// Returns the raw value of an enum, if it is a string.
  ///
  /// Such a raw value is part of the app's source code, so it is marked and not masked.
  private static func rawText(of value: some Any) -> String? {
    guard StoredFields.isEnum(Swift.type(of: value)), let value = value as? any RawRepresentable
    else { return nil }
    return value.rawValue as? String
  }

  private mutating func encodable<Value, Known: Encodable>(_ type: Known.Type, _ value: Value) {
    if isMarking, let text = Self.rawText(of: value), JSON(logging: value) == .string(text) {
      return encode(MaskerMark.raw.on(text))
    }
    if let same = SameTypeProof<Value, Known>() { encodable(same(value)) } else { opaque(type) }
  }
}
