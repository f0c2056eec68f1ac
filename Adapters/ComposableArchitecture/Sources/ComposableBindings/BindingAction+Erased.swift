import ComposableArchitecture

extension BindingAction {
  /// Returns a change of a property by its key path.
  ///
  /// `nil` if the property cannot be set, its values cannot be compared, or the state is not observed.
  ///
  /// - Parameters:
  ///   - keyPath: The property.
  ///   - read: Reads a value of the property's type.
  /// - Returns: The change.
  /// - Throws: The errors of `read`.
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
