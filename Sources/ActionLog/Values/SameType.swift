/// A value under another name of its type, as code has it that has looked up what the type conforms to.
///
/// A cast does the same, and looks a long time where it does not know the types. Both names lead to one type, which is checked:
/// so the bits are those of a value of it.
@inline(__always)
func renamed<Value, Known>(_ value: Value, _: Known.Type = Known.self) -> Known {
  precondition(Value.self == Known.self, "\(Value.self) is not \(Known.self).")
  return unsafeBitCast(value, to: Known.self)
}
