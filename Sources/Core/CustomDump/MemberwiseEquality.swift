/// A comparison of values whose types need not be `Equatable`, such as actions.
package enum MemberwiseEquality {
  /// Returns whether two values are equal: by `==` if available, otherwise by their cases and members.
  ///
  /// ```swift
  /// MemberwiseEquality.holds(Action.saved(.success(todo)), Action.saved(.success(todo)))  // true
  /// ```
  ///
  /// - Parameters:
  ///   - lhs: The first value to compare.
  ///   - rhs: The second value to compare.
  /// - Returns: Whether the values are equal. The result is `false` for values that can't be compared: functions,
  ///   objects without `==`, and values with a custom mirror.
  package static func holds(_ lhs: Any, _ rhs: Any) -> Bool {
    // Uses a list in place of recursion, because deeply nested values would overflow the stack.
    var waiting: [(Any, Any)] = [(lhs, rhs)]
    while let (lhs, rhs) = waiting.popLast() {
      guard type(of: lhs) == type(of: rhs) else { return false }
      if let lhs = lhs as? any Equatable {
        guard isEqual(lhs, rhs) else { return false }
      } else {
        guard let pairs = members(of: lhs, and: rhs) else { return false }
        waiting += pairs
      }
    }
    return true
  }

  private static func isEqual<Value: Equatable>(_ lhs: Value, _ rhs: Any) -> Bool {
    rhs as? Value == lhs
  }

  /// Returns the pairs of corresponding members, or `nil` if the values have different members or can't be compared.
  private static func members(of lhs: Any, and rhs: Any) -> [(Any, Any)]? {
    guard lhs is any FullyMirroredContainer || !(lhs is any CustomReflectable) else { return nil }
    let mirrors = (Mirror(reflecting: lhs), Mirror(reflecting: rhs))
    switch mirrors.0.displayStyle {
    case .enum:
      guard mirrors.0.children.first?.label == mirrors.1.children.first?.label else { return nil }
      let hasPayload = !mirrors.0.children.isEmpty
      guard hasPayload || DumpText.caseName(of: lhs) == DumpText.caseName(of: rhs) else {
        return nil
      }
    case .struct, .tuple, .optional, .collection:
      guard mirrors.0.children.count == mirrors.1.children.count else { return nil }
    default: return nil
    }
    return zip(mirrors.0.children, mirrors.1.children).map { ($0.value, $1.value) }
  }
}

/// A container whose mirror shows all of its contents.
private protocol FullyMirroredContainer {}
extension Optional: FullyMirroredContainer {}
extension Array: FullyMirroredContainer {}
