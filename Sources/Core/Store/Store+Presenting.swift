// SwiftUI bindings read and write these subscripts. A binding made from a key path stays equal when its view is drawn
// again. Tests can use the subscripts on platforms without SwiftUI.

extension Store {
  /// The store itself, as the target of a binding.
  ///
  /// Setting the property has no effect.
  var itself: Store {
    get { self }
    set { _ = newValue }
  }
}

extension Store where State: ObservableState {
  /// A value of the state.
  ///
  /// Setting the value sends an action.
  ///
  /// - Parameters:
  ///   - state: The key path from the state to the value.
  ///   - action: The case key path of the action whose payload is the new value.
  subscript<Value>(
    state: KeyPath<State, Value>,
    sending action: CaseKeyPath<Action, Value>
  ) -> Value {
    get { self.state[keyPath: state] }
    set {
      guard core.isPresent else { return }
      send(AnyCasePath(action).embed(newValue))
    }
  }

  /// The store of a child whose state is always present.
  ///
  /// - Parameters:
  ///   - part: The key path from the state to the child's state.
  ///   - action: The case key path from the action to the child's action.
  subscript<ChildState, ChildAction>(
    part: KeyPath<State, ChildState>,
    action action: CaseKeyPath<Action, ChildAction>
  ) -> Store<ChildState, ChildAction> {
    get { scope(part, action: action) }
    set { _ = newValue }
  }

  /// The store of a presented feature.
  ///
  /// Setting `nil` dismisses the feature.
  ///
  /// - Parameters:
  ///   - state: The key path from the state to the feature's state.
  ///   - action: The case key path from the action to the presentation action.
  ///   - identity: The identity of the feature that the view shows. Setting `nil` has no effect if another feature is
  ///     presented by then, because views report a dismissal late.
  subscript<ChildState, ChildAction>(
    state: KeyPath<State, ChildState?>,
    presenting action: CaseKeyPath<Action, PresentationAction<ChildAction>>,
    as identity: ChildIdentity?
  ) -> Store<ChildState, ChildAction>? {
    get { scope(state, action: action) }
    set {
      guard newValue == nil, core.isPresent else { return }
      func isPresented() -> Bool {
        core.state[keyPath: state].map { ChildIdentity(of: $0) == identity } ?? false
      }
      guard isPresented() else { return }
      send(AnyCasePath(action).embed(.dismiss))
      if isPresented(), core.past == nil {
        reportIssue(Messages.presentedAfterDismissal(ChildState.self), at: core.location)
      }
    }
  }

  /// Returns the identity of the currently presented feature, for a new binding.
  ///
  /// Returns `nil` if no feature is presented, or if all states of the feature belong to the same child.
  func identity<ChildState>(of state: KeyPath<State, ChildState?>) -> ChildIdentity? {
    self.state[keyPath: state].flatMap { ChildIdentity(of: $0) }
  }
}

extension Store {
  /// The store of the feature that this store's state presents.
  ///
  /// Setting `nil` dismisses the feature.
  ///
  /// - Parameter identity: The identity of the feature that the view shows. Setting `nil` has no effect if another
  ///   feature is presented.
  subscript<ChildState, ChildAction>(
    presented identity: ChildIdentity?
  ) -> Store<ChildState, ChildAction>?
  where State == PresentationState<ChildState>, Action == PresentationAction<ChildAction> {
    get { unwrapped(\.wrappedValue, action: \.presented) }
    set {
      guard newValue == nil, core.isPresent, let child = core.state.wrappedValue,
        ChildIdentity(of: child) == identity
      else { return }
      send(.dismiss)
    }
  }
}

extension Optional {
  /// Whether the optional has a value.
  ///
  /// Setting `false` removes the value.
  var isThere: Bool {
    get { self != nil }
    set { if !newValue { self = nil } }
  }
}
