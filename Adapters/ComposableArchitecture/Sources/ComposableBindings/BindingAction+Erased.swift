import ComposableArchitecture

extension BindingAction {
  /// A change of a property of which only the key path is known; `nil` when it cannot be set, the values cannot be compared, or
  /// the state is not observed.
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
    guard let root = Root.self as? any ObservableState.Type,
      let type = Swift.type(of: keyPath).valueType as? any Equatable.Type
    else { return nil }
    func open<Known: ObservableState, Value: Equatable>(
      _: Known.Type,
      _ type: Value.Type
    ) throws -> Self? {
      guard let writable = keyPath as? WritableKeyPath<Known, Value>,
        let value = try read(type) as? Value
      else { return nil }
      return BindingAction<Known>.set(writable, value) as? Self
    }
    return try open(root, type)
  }
}
