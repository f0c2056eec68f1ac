/// A proof that two generic type names denote the same type, and the casts that this proof allows.
///
/// Generic code that tests a type for a conformance gets a second name for the type:
///
/// ```swift
/// func write<Value, Known: LogValue>(_ value: Value, as type: Known.Type) {
///   guard let same = SameTypeProof<Value, Known>() else { return }
///   encoder.value(same(value))
/// }
/// ```
///
/// Swift's casts have the same result, but are slow if the types are unknown at compile time.
///
/// All casts are safe, because the only initializer compares the types. A `Value` therefore has the bits of a `Known`.
struct SameTypeProof<Value, Known>: Sendable {
  /// Creates the proof, or returns `nil` if the types differ.
  @inline(__always)
  init?() { guard Value.self == Known.self else { return nil } }

  /// Returns a value with the type name `Known`.
  @inline(__always)
  func callAsFunction(_ value: Value) -> Known { unsafeBitCast(value, to: Known.self) }

  /// Returns an array that has the element type name `Known` and shares the storage of the original.
  @inline(__always)
  func callAsFunction(_ values: [Value]) -> [Known] { unsafeBitCast(values, to: [Known].self) }

  /// Calls a closure with a value under the type name `Known`, without a copy.
  @inline(__always)
  func lend<Result>(
    _ value: Value,
    to body: (borrowing Known) throws -> Result
  ) rethrows -> Result {
    try withUnsafePointer(to: value) { value in
      try lendPointee(renamed(value), to: body)
    }
  }

  /// Calls a closure with two values under the type name `Known`, without copies.
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

  /// Calls a closure with contiguous values under the type name `Known`.
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

// `~Copyable` makes the compiler borrow `pointee`. Generic code for copyable types would copy it.
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
