import Foundation

/// A copy of a value of a plain type, which any thread may have.
///
/// ```swift
/// let copy = PlainCopy(rows, &types)
/// copy?.value(as: [Row].self)  // rows
/// ```
///
/// It is `Sendable` whether the type says so or not: the initialiser takes plain types alone, whose values hold nothing that can
/// change in place, and no code changes the copy.
struct PlainCopy: Sendable {
  nonisolated(unsafe) private let value: Any

  /// Copies a value; nil for types that are not plain.
  init?<Value>(_ value: Value, _ types: inout RecentTypes) {
    guard types.isPlain(Value.self) else { return nil }
    self.value = value
  }

  /// The value; nil for another type.
  func value<Value>(as type: Value.Type = Value.self) -> Value? { value as? Value }

  /// Whether the copy has the bits of another value of its type.
  func isSame<Value>(as other: Value) -> Bool {
    guard let value = value as? Value else { return false }
    return hasSameBits(value, other)
  }
}

/// Whether two values are the same bits: the same small values, and the same storage.
///
/// Values of a plain type are the same then. The other way round nothing is said: gaps between members can hold anything.
func hasSameBits<Value>(_ lhs: Value, _ rhs: Value) -> Bool {
  // Both are held while they are looked at, and no byte after a value's own is read.
  withUnsafePointer(to: lhs) { lhs in
    withUnsafePointer(to: rhs) { memcmp(lhs, $0, MemoryLayout<Value>.size) == 0 }
  }
}
