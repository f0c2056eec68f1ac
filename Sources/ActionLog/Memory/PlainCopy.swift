import Foundation

/// A copy of a value of a plain type, which can be used in any thread.
///
/// ```swift
/// let copy = PlainCopy(rows, &types)
/// copy?.value(as: [Row].self)  // rows
/// ```
///
/// It is `Sendable` even if the type isn't. The initializer accepts only plain types, whose values hold nothing that
/// can change in place, and no code changes the copy.
struct PlainCopy: Sendable {
  nonisolated(unsafe) private let value: Any

  /// Copies a value.
  ///
  /// Returns `nil` if the type is not plain.
  init?<Value>(_ value: Value, _ types: inout RecentTypes) {
    guard types.isPlain(Value.self) else { return nil }
    self.value = value
  }

  /// Returns the value, or `nil` if it has another type.
  func value<Value>(as type: Value.Type = Value.self) -> Value? { value as? Value }

  /// Whether the copy has the same bits as another value of its type.
  func isSame<Value>(as other: Value) -> Bool {
    guard let value = value as? Value else { return false }
    return hasSameBits(value, other)
  }
}

/// Whether two values have the same bits, which includes references to the same storage.
///
/// If they have, values of a plain type are equal. The converse is not true, because padding can hold any bits.
func hasSameBits<Value>(_ lhs: Value, _ rhs: Value) -> Bool {
  // The values are kept alive during the access, and no byte beyond a value is read.
  withUnsafePointer(to: lhs) { lhs in
    withUnsafePointer(to: rhs) { memcmp(lhs, $0, MemoryLayout<Value>.size) == 0 }
  }
}
