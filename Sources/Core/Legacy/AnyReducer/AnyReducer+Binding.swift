@available(*, deprecated)
extension AnyReducer where Action: BindableAction, State == Action.State {
  /// Sets the properties that binding actions name, before this reducer runs.
  public func binding() -> AnyReducer {
    AnyReducer { state, action, environment in
      let effect = BindingReducer<State, Action, Action>()._reduce(into: &state, action: action)
      return effect.merge(with: run(&state, action, environment))
    }
  }
}

@available(*, deprecated)
extension AnyReducer {
  /// Sets the properties that the binding actions inside a case name, before this reducer runs.
  ///
  /// - Parameter toBindingAction: The binding action inside of an action.
  /// - Returns: Both together.
  public func binding(
    action toBindingAction: @escaping (Action) -> BindingAction<State>?
  ) -> AnyReducer {
    AnyReducer { state, action, environment in
      if let binding = toBindingAction(action) {
        binding.receipt?.markHandled()
        binding.set(&state)
      }
      return run(&state, action, environment)
    }
  }
}
