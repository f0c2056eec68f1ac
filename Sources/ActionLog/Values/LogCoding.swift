/// The functions that encode and decode the values of a type, looked up once.
///
/// Looking up the capabilities of a type takes longer than encoding most values. Changes are computed by `StateTracker`
/// instead.
package struct LogCoding<Value>: Sendable {
  package typealias Encode = @Sendable (Value, inout LogEncoder) -> Void
  package typealias Read = @Sendable (UnsafeBufferPointer<UInt8>) throws -> Value
  package typealias Decode = @Sendable (JSON) throws -> Value

  package let encode: Encode
  package let read: Read
  package let decode: Decode

  package init() {
    LoggedTypeLookup.registerRoot(Value.self)
    if let type = Value.self as? any LogValue.Type, let known = Self.known(type) {
      (encode, read, decode) = known
    } else {
      encode = { (value: Value, encoder: inout LogEncoder) in encoder.value(value) }
      read = { (text: UnsafeBufferPointer<UInt8>) in try LogDecoder.value(from: text) }
      decode = { (json: JSON) in try LogDecoder(json).plainValue(Value.self) }
    }
  }

  private static func known<Known: LogValue>(_ type: Known.Type) -> (Encode, Read, Decode)? {
    guard let own = SameTypeProof<Value, Known>(), let given = SameTypeProof<Known, Value>() else {
      return nil
    }
    return (
      { value, encoder in own.lend(value) { encoder.value($0) } },
      { text in given(try LogDecoder.value(Known.self, from: text)) },
      { json in given(try LogDecoder(json).plainValue(Known.self)) }
    )
  }
}
