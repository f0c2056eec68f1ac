import Foundation

/// A copy of a value of a plain type, for use in any thread.
///
/// ```swift
/// let copy = SendableCopy(rows, &types)
/// copy?.value(as: [Row].self)  // rows
/// ```
///
/// The copy is `Sendable` even if the type isn't. The initializer accepts only plain types, whose values contain no
/// mutable objects, and no code changes the copy.
struct SendableCopy: Sendable {
  nonisolated(unsafe) private let value: Any

  /// Copies a value, or returns `nil` if its type is not plain.
  init?<Value>(_ value: Value, _ types: inout RecentTypes) {
    guard types.isPlain(Value.self) else { return nil }
    self.value = value
  }

  /// Returns the copied value, or `nil` if it has another type.
  func value<Value>(as type: Value.Type = Value.self) -> Value? { value as? Value }

  /// Whether the copied value has the same type and the same bits as `other`.
  func isSame<Value>(as other: Value) -> Bool {
    guard let value = value as? Value else { return false }
    return hasSameBits(value, other)
  }
}

/// Whether two values have the same bits, including references to the same storage.
///
/// Values of a plain type with the same bits are equal. Equal values can have different bits, for example in padding.
func hasSameBits<Value>(_ lhs: Value, _ rhs: Value) -> Bool {
  // Both values are kept alive during the access, and only bytes inside the values are read.
  withUnsafePointer(to: lhs) { lhs in
    withUnsafePointer(to: rhs) { memcmp(lhs, $0, MemoryLayout<Value>.size) == 0 }
  }
}
