/// How the values of a type are written and read, found out once: asking a type for each value what it can do takes longer than
/// writing most values.
///
/// `StateTracker` says what changes in them.
package struct LogCoding<Value>: Sendable {
  package typealias Encode = @Sendable (Value, inout LogEncoder) -> Void
  package typealias Read = @Sendable (UnsafeBufferPointer<UInt8>) throws -> Value
  package typealias Decode = @Sendable (JSON) throws -> Value

  /// Writes a value.
  package let encode: Encode
  /// Reads a value from its text.
  package let read: Read
  /// Reads a value from a tree of it.
  package let decode: Decode

  /// Looks the type up.
  package init() {
    MovedTypes.noteRoot(Value.self)
    if let type = Value.self as? any LogValue.Type, let known = Self.known(type) {
      (encode, read, decode) = known
    } else {
      encode = { (value: Value, encoder: inout LogEncoder) in encoder.value(value) }
      read = { (text: UnsafeBufferPointer<UInt8>) in try LogDecoder.value(from: text) }
      decode = { (json: JSON) in try LogDecoder(json).plainValue(Value.self) }
    }
  }

  private static func known<Known: LogValue>(_ type: Known.Type) -> (Encode, Read, Decode)? {
    guard let own = TypeEquality<Value, Known>(), let given = TypeEquality<Known, Value>() else {
      return nil
    }
    return (
      { value, encoder in own.lend(value) { encoder.value($0) } },
      { text in given(try LogDecoder.value(Known.self, from: text)) },
      { json in given(try LogDecoder(json).plainValue(Known.self)) }
    )
  }
}
