extension BindingAction {
  /// Sets a property for a store, and finds out whether any reducer does it.
  fileprivate static func fromStore<Value: Equatable & Sendable>(
    _ keyPath: WritableKeyPath<Root, Value>,
    _ value: Value
  ) -> Self {
    var action = Self.set(keyPath, value)
    action.receipt = BindingReceipt(of: action.description)
    return action
  }
}

extension Store where State: ObservableState, Action: BindableAction, Action.State == State {
  /// A property of the state; setting it sends a binding action.
  public subscript<Value: Equatable & Sendable>(
    dynamicMember keyPath: WritableKeyPath<State, Value>
  ) -> Value {
    get { state[keyPath: keyPath] }
    set {
      guard core.isPresent else { return }
      send(.binding(.fromStore(keyPath, newValue)))
    }
  }
}

extension Store
where
  State: ObservableState,
  Action: ViewAction,
  Action.ViewAction: BindableAction,
  Action.ViewAction.State == State
{
  /// A property of the state; setting it sends a binding action of the view.
  public subscript<Value: Equatable & Sendable>(
    dynamicMember keyPath: WritableKeyPath<State, Value>
  ) -> Value {
    get { state[keyPath: keyPath] }
    set {
      guard core.isPresent else { return }
      send(.view(.binding(.fromStore(keyPath, newValue))))
    }
  }
}
