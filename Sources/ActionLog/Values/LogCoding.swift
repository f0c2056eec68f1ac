/// How the values of a type are written, read and compared, found out once: asking a type for each value what it can do takes
/// longer than writing most values.
package struct LogCoding<Value>: Sendable {
  package typealias Encode = @Sendable (Value, inout LogEncoder) -> Void
  package typealias Decode = @Sendable (LoggedValue) throws -> Value
  package typealias Compare = @Sendable (Value, Value, inout PatchBuilder) -> Void

  /// Writes a value.
  package let encode: Encode
  /// Reads a value.
  package let decode: Decode
  /// Adds what turns one value into another.
  package let compare: Compare

  /// Looks the type up.
  package init() {
    if let type = Value.self as? any LogValue.Type, let known = Self.known(type) {
      (encode, decode, compare) = known
    } else {
      encode = { (value: Value, encoder: inout LogEncoder) in encoder.value(value) }
      decode = { (logged: LoggedValue) in try logged.value() }
      compare = { (old: Value, new: Value, patch: inout PatchBuilder) in patch.value(old, new) }
    }
  }

  private static func known<Known: LogValue>(
    _ type: Known.Type
  ) -> (Encode, Decode, Compare)? {
    let encode: LogCoding<Known>.Encode = { (value: Known, encoder: inout LogEncoder) in
      encoder.value(value)
    }
    let decode: LogCoding<Known>.Decode = { (logged: LoggedValue) in try logged.value() }
    let compare: LogCoding<Known>.Compare = { (old: Known, new: Known, patch: inout PatchBuilder) in
      patch.value(old, new)
    }
    // The same type under another name.
    guard let encode = encode as Any as? Encode, let decode = decode as Any as? Decode,
      let compare = compare as Any as? Compare
    else { return nil }
    return (encode, decode, compare)
  }
}
