/// A proof that two names in generic code stand for one type, and the casts that follow from it.
///
/// Code that has asked a type what it conforms to has it under a second name:
///
/// ```swift
/// func write<Value, Known: LogValue>(_ value: Value, as type: Known.Type) {
///   guard let same = TypeEquality<Value, Known>() else { return }
///   encoder.value(same(value))
/// }
/// ```
///
/// The language's own casts do the same, and take a long time where they do not know the types.
///
/// All casts are sound for one reason: the only initialiser compares the types, so the bits of a `Value` are those of a `Known`.
struct TypeEquality<Value, Known>: Sendable {
  /// The proof; nil for two types.
  @inline(__always)
  init?() { guard Value.self == Known.self else { return nil } }

  /// A value under its other name.
  @inline(__always)
  func callAsFunction(_ value: Value) -> Known { unsafeBitCast(value, to: Known.self) }

  /// An array under its other name; its elements stay where they are.
  @inline(__always)
  func callAsFunction(_ values: [Value]) -> [Known] { unsafeBitCast(values, to: [Known].self) }

  /// Lends a value under its other name, without a copy.
  @inline(__always)
  func lend<Result>(
    _ value: Value,
    to body: (borrowing Known) throws -> Result
  ) rethrows -> Result {
    try withUnsafePointer(to: value) { value in
      try lendPointee(renamed(value), to: body)
    }
  }

  /// Lends two values under their other name, without copies.
  @inline(__always)
  func lend(
    _ first: Value,
    _ second: Value,
    to body: (borrowing Known, borrowing Known) -> Void
  ) {
    withUnsafePointer(to: first) { first in
      withUnsafePointer(to: second) { second in
        lendPointees(renamed(first), renamed(second), to: body)
      }
    }
  }

  /// Lends values that lie beside each other under their other name.
  @inline(__always)
  func lend(_ values: Span<Value>, to body: (Span<Known>) -> Void) {
    values.withUnsafeBufferPointer { values in
      values.withMemoryRebound(to: Known.self) { body($0.span) }
    }
  }

  @inline(__always)
  private func renamed(_ value: UnsafePointer<Value>) -> UnsafePointer<Known> {
    UnsafeRawPointer(value).assumingMemoryBound(to: Known.self)
  }
}

// Of a type that might not be copyable, `pointee` is lent; of one that is, generic code makes a copy.
@inline(__always)
private func lendPointee<Value: ~Copyable, Result>(
  _ value: UnsafePointer<Value>,
  to body: (borrowing Value) throws -> Result
) rethrows -> Result {
  try body(value.pointee)
}

@inline(__always)
private func lendPointees<Value: ~Copyable>(
  _ first: UnsafePointer<Value>,
  _ second: UnsafePointer<Value>,
  to body: (borrowing Value, borrowing Value) -> Void
) {
  body(first.pointee, second.pointee)
}
