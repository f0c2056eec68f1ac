import ComposableArchitecture

extension BindingAction {
  /// A change of a property of which only the key path is known; `nil` when it cannot be set, or the values cannot be compared.
  ///
  /// - Parameters:
  ///   - keyPath: The property.
  ///   - read: Reads a value of the property's type.
  /// - Returns: The change.
  /// - Throws: What `read` throws.
  package static func erased(
    _ keyPath: PartialKeyPath<Root>,
    _ read: (any Any.Type) throws -> Any
  ) throws -> Self? {
    guard let type = Swift.type(of: keyPath).valueType as? any Equatable.Type else { return nil }
    func open<Value: Equatable>(_ type: Value.Type) throws -> Self? {
      guard let writable = keyPath as? WritableKeyPath<Root, Value>,
        let value = try read(type) as? Value
      else { return nil }
      return .set(writable, value)
    }
    return try open(type)
  }
}
