extension Bool: _$PlainLogValue {
  /// Writes `true` or `false`.
  public func encode(to encoder: inout LogEncoder) { encoder.encode(self) }
  /// Decodes `true` or `false`.
  public static func decode(from decoder: LogDecoder, over template: Bool?) throws -> Bool {
    guard let value = decoder.json.bool else {
      throw decoder.mismatch(Bool.self, expected: "a boolean")
    }
    return value
  }

  /// Decodes `true` or `false`.
  public static func _$read(from text: inout LogText) throws -> Bool {
    guard let value = text.bool() else { throw LogText.UnexpectedFormat() }
    return value
  }

  /// Replaces the value if it has changed.
  public static func difference(from old: Bool, to new: Bool, into patch: inout PatchBuilder) {
    if old != new { patch.replace(with: new) }
  }
}

extension String: _$PlainLogValue {
  /// Writes a JSON string.
  public func encode(to encoder: inout LogEncoder) { encoder.encode(self) }
  /// Decodes a JSON string.
  public static func decode(from decoder: LogDecoder, over template: String?) throws -> String {
    guard let value = decoder.json.string else {
      throw decoder.mismatch(String.self, expected: "a string")
    }
    return value
  }

  /// Decodes a JSON string.
  public static func _$read(from text: inout LogText) throws -> String { try text.string() }

  /// Replaces the string, or a part of it, if its bytes have changed.
  ///
  /// The bytes of canonically equivalent strings can differ.
  public static func difference(from old: String, to new: String, into patch: inout PatchBuilder) {
    guard !hasSameBits(old, new), !old.hasSameBytes(as: new) else { return }
    patch.replace(old, with: new, at: patch.depth - 1)
  }
}

extension Substring: _$PlainLogValue {
  /// Writes a JSON string.
  public func encode(to encoder: inout LogEncoder) { encoder.encode(String(self)) }
  /// Decodes a JSON string.
  public static func decode(
    from decoder: LogDecoder,
    over template: Substring?
  ) throws -> Substring {
    try Substring(String.decode(from: decoder, over: nil))
  }
}

extension Character: LogValue {
  /// Writes a JSON string of one character.
  public func encode(to encoder: inout LogEncoder) { encoder.encode(String(self)) }
  /// Decodes a JSON string of one character.
  public static func decode(
    from decoder: LogDecoder,
    over template: Character?
  ) throws -> Character {
    guard let text = decoder.json.string, text.count == 1, let value = text.first else {
      throw decoder.mismatch(Character.self, expected: "a string of one character")
    }
    return value
  }

  /// Lists no types, because the value has no parts.
  public static func survey(_ type: inout LogTypeSurvey) {}
}

extension FixedWidthInteger {
  /// Writes an integer with all its digits.
  public func encode(to encoder: inout LogEncoder) { encoder.encode(self) }

  fileprivate static func decodeInteger(from decoder: LogDecoder) throws -> Self {
    guard let value = decoder.json.number?.integer(Self.self) else {
      throw decoder.mismatch(Self.self, expected: "a whole number from \(min) to \(max)")
    }
    return value
  }

  /// Decodes a JSON number that is an integer in the range of the type.
  public static func decode(from decoder: LogDecoder, over template: Self?) throws -> Self {
    try decodeInteger(from: decoder)
  }
}

extension LogValue where Self: FixedWidthInteger {
  /// Decodes a JSON number that is an integer in the range of the type.
  public static func _$read(from text: inout LogText) throws -> Self {
    guard let integer = text.integer() else { return try text.tree() }
    guard let value = Self(exactly: integer) else { throw LogText.UnexpectedFormat() }
    return value
  }

  /// Replaces the value if it has changed.
  public static func difference(from old: Self, to new: Self, into patch: inout PatchBuilder) {
    if old != new { patch.replace(with: new) }
  }

  /// Lists no types, because the value has no parts.
  public static func survey(_ type: inout LogTypeSurvey) {}

  /// Always `true`, because the encoder writes only well-formed JSON.
  public static var _$isWellFormed: Bool { true }
}

extension Int: LogValue {
  /// Writes an integer with all its digits.
  public func encode(to encoder: inout LogEncoder) { encoder.encode(self) }
}
extension Int8: LogValue {}
extension Int16: LogValue {}
extension Int32: LogValue {}
extension Int64: LogValue {}
extension UInt: LogValue {}
extension UInt8: LogValue {}
extension UInt16: LogValue {}
extension UInt32: LogValue {}
extension UInt64: LogValue {}
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension Int128: LogValue {}
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
extension UInt128: LogValue {}

extension Double: _$PlainLogValue {
  /// Writes the shortest decimal that is decoded as the same value, or a tag if the value is not finite.
  public func encode(to encoder: inout LogEncoder) { encoder.encode(self) }
  /// Decodes a number, or the tag of a value that is not finite.
  public static func decode(from decoder: LogDecoder, over template: Double?) throws -> Double {
    try decoder.floatingPoint { Double($0) }
  }

  /// Decodes a number, or the tag of a value that is not finite.
  public static func _$read(from text: inout LogText) throws -> Double {
    if let value = text.double() { return value }
    return try text.tree()
  }

  /// Replaces the value if it has changed.
  ///
  /// `0` and `-0` differ, and all NaN values are equal.
  public static func difference(from old: Double, to new: Double, into patch: inout PatchBuilder) {
    if old.bitPattern != new.bitPattern, !old.isNaN || !new.isNaN { patch.replace(with: new) }
  }
}

extension Float: _$PlainLogValue {
  /// Writes the shortest decimal that is decoded as the same value.
  public func encode(to encoder: inout LogEncoder) { encoder.encode(self) }
  /// Decodes a number, or the tag of a value that is not finite.
  public static func decode(from decoder: LogDecoder, over template: Float?) throws -> Float {
    try decoder.floatingPoint { Float($0) }
  }

  /// Replaces the value if it has changed.
  ///
  /// `0` and `-0` differ, and all NaN values are equal.
  public static func difference(from old: Float, to new: Float, into patch: inout PatchBuilder) {
    if old.bitPattern != new.bitPattern, !old.isNaN || !new.isNaN { patch.replace(with: new) }
  }
}

extension LogDecoder {
  /// Parses a number with the initializer of its own type, so that it is rounded only once.
  fileprivate func floatingPoint<Value: BinaryFloatingPoint>(
    _ parse: (String) -> Value?
  ) throws -> Value {
    let json = json
    if let number = json.number, let value = parse(number.literal) { return value }
    switch json["$double"]?.string {
    case "nan": return .nan
    case "inf": return .infinity
    case "-inf": return -.infinity
    default:
      throw mismatch(
        Value.self,
        expected: "a number or {\"$double\":\"nan\"}, \"inf\" or \"-inf\""
      )
    }
  }
}

extension JSON: LogValue {
  /// Writes the JSON value unchanged.
  ///
  /// Names of members get no second `$`, because the value already has the form that a log contains.
  public func encode(to encoder: inout LogEncoder) {
    switch self {
    case .null: encoder.encodeNull()
    case .bool(let value): encoder.encode(value)
    case .number(let number): encoder.raw(number.literal)
    case .string(let text): encoder.encode(text)
    case .array(let elements):
      encoder.beginArray()
      for element in elements { element.encode(to: &encoder) }
      encoder.endArray()
    case .object(let object):
      encoder.beginObject()
      let (names, values) = (object.keys, object.values)
      for position in names.indices {
        encoder.key(unescaped: names[position])
        values[position].encode(to: &encoder)
      }
      encoder.endObject()
    }
  }

  /// Returns the value in the log unchanged.
  public static func decode(from decoder: LogDecoder, over template: JSON?) throws -> JSON {
    decoder.json
  }

  /// Lists no types, and records that the value can be `null`.
  public static func survey(_ type: inout LogTypeSurvey) { type.mayBeNull() }

  /// Always `true`, because the encoder writes only well-formed JSON.
  public static var _$isWellFormed: Bool { true }
}
