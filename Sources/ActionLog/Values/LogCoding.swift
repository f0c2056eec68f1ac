/// How the values of a type are written, read and compared, found out once: asking a type for each value what it can do takes
/// longer than writing most values.
package struct LogCoding<Value>: Sendable {
  package typealias Encode = @Sendable (Value, inout LogEncoder) -> Void
  package typealias Decode = @Sendable (JSON) throws -> Value
  package typealias Read = @Sendable (UnsafeBufferPointer<UInt8>) throws -> Value
  package typealias Compare = @Sendable (Value, Value, inout PatchBuilder) -> Void

  /// Writes a value.
  package let encode: Encode
  /// Reads a value from a tree of it.
  private let decode: Decode
  /// Reads a value from its text.
  package let read: Read
  /// Adds what turns one value into another.
  package let compare: Compare

  /// Looks the type up.
  package init() {
    if let type = Value.self as? any LogValue.Type, let known = Self.known(type) {
      (encode, decode, read, compare) = known
    } else {
      encode = { (value: Value, encoder: inout LogEncoder) in encoder.value(value) }
      decode = { (json: JSON) in try LogDecoder(json).plainValue(Value.self) }
      read = { (text: UnsafeBufferPointer<UInt8>) in try LogDecoder.value(from: text) }
      compare = { (old: Value, new: Value, patch: inout PatchBuilder) in patch.value(old, new) }
    }
  }

  /// Reads a value.
  ///
  /// - Throws: `LogDecodingError`.
  package func value(_ logged: LoggedValue) throws -> Value {
    switch logged {
    case .json(let json): try decode(json)
    case .text(let text): try text.withUnsafeBufferPointer { try read($0) }
    }
  }

  private static func known<Known: LogValue>(
    _ type: Known.Type
  ) -> (Encode, Decode, Read, Compare)? {
    let encode: LogCoding<Known>.Encode = { (value: Known, encoder: inout LogEncoder) in
      encoder.value(value)
    }
    let decode: LogCoding<Known>.Decode = { (json: JSON) in
      try LogDecoder(json).plainValue(Known.self)
    }
    let read: LogCoding<Known>.Read = { (text: UnsafeBufferPointer<UInt8>) in
      try LogDecoder.value(Known.self, from: text)
    }
    let compare: LogCoding<Known>.Compare = { (old: Known, new: Known, patch: inout PatchBuilder) in
      patch.value(old, new)
    }
    // The same type under another name.
    guard let encode = encode as Any as? Encode, let decode = decode as Any as? Decode,
      let read = read as Any as? Read, let compare = compare as Any as? Compare
    else { return nil }
    return (encode, decode, read, compare)
  }
}

/// A value under another name of its type, as code has it that has looked up what the type conforms to.
///
/// A cast does the same, and looks a long time where it does not know the types. Both names lead to one type, which is checked:
/// so the bits are those of a value of it.
@inline(__always)
func renamed<Value, Known>(_ value: Value, _: Known.Type = Known.self) -> Known {
  precondition(Value.self == Known.self, "\(Value.self) is not \(Known.self).")
  return unsafeBitCast(value, to: Known.self)
}
