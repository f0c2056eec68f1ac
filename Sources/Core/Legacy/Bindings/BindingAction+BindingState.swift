extension BindingAction {
  /// Sets a property that is marked `@BindingState`.
  ///
  /// - Parameters:
  ///   - keyPath: The property: `\.$name`.
  ///   - value: What it is set to.
  /// - Returns: The action.
  public static func set<Value: Equatable & Sendable>(
    _ keyPath: WritableKeyPath<Root, BindingState<Value>>,
    _ value: Value
  ) -> Self {
    Self(keyPath: keyPath, value: BindingState(wrappedValue: value))
  }

  /// Whether an action sets a property, so that `switch` understands `case .binding(\.$name):`.
  public static func ~= <Value>(
    keyPath: WritableKeyPath<Root, BindingState<Value>>,
    action: Self
  ) -> Bool {
    keyPath == action.keyPath
  }

  /// The action as one of a part of the state, for features whose view state is another type.
  ///
  /// - Parameter keyPath: The part.
  /// - Returns: The action of the whole.
  @available(*, deprecated, message: "Bind to the state itself.")
  public func pullback<NewRoot>(
    _ keyPath: WritableKeyPath<NewRoot, Root>
  ) -> BindingAction<NewRoot>? {
    func pullback<Value>(_: Value.Type) -> BindingAction<NewRoot>? {
      guard let own = self.keyPath as? WritableKeyPath<Root, Value>, let value = value as? Value
      else { return nil }
      return BindingAction<NewRoot>(keyPath: keyPath.appending(path: own), value: value)
    }
    return _openExistential(type(of: self.keyPath).valueType, do: pullback)
  }
}

extension BindableAction {
  /// Sets a property that is marked `@BindingState`.
  ///
  /// - Parameters:
  ///   - keyPath: The property: `\.$name`.
  ///   - value: What it is set to.
  /// - Returns: The action.
  public static func set<Value: Equatable & Sendable>(
    _ keyPath: WritableKeyPath<State, BindingState<Value>>,
    _ value: Value
  ) -> Self {
    .binding(.set(keyPath, value))
  }
}

extension BindingAction.AllCasePaths {
  /// The changes of a property that is marked `@BindingState`: `\.binding.$name`.
  public subscript<Value: Equatable & Sendable>(
    dynamicMember keyPath: WritableKeyPath<Root, BindingState<Value>>
  ) -> AnyCasePath<BindingAction, Value> {
    nonisolated(unsafe) let keyPath = keyPath
    return AnyCasePath(
      embed: { .set(keyPath, $0) },
      extract: {
        $0.keyPath == keyPath ? ($0.value as? BindingState<Value>)?.wrappedValue : nil
      }
    )
  }
}
