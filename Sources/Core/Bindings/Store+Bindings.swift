extension Store {
  /// Sends a change of a property, and finds out whether any reducer makes it.
  fileprivate func set<Root, Value: Equatable & Sendable>(
    _ keyPath: WritableKeyPath<Root, Value>,
    _ value: Value,
    _ embed: (BindingAction<Root>) -> Action
  ) {
    guard core.isPresent else { return }
    var binding = BindingAction.set(keyPath, value)
    binding.receipt = BindingReceipt(
      of: embed(binding),
      settingPropertyOf: Root.self,
      at: core.location
    )
    send(embed(binding))
  }
}

extension Store where State: ObservableState, Action: BindableAction, Action.State == State {
  /// A property of the state; setting it sends a binding action.
  public subscript<Value: Equatable & Sendable>(
    dynamicMember keyPath: WritableKeyPath<State, Value>
  ) -> Value {
    get { state[keyPath: keyPath] }
    set { set(keyPath, newValue) { .binding($0) } }
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
    set { set(keyPath, newValue) { .view(.binding($0)) } }
  }
}
