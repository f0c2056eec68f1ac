// What bindings of views read and write. Bindings are made of key paths to these subscripts, so that views that are drawn again get the
// same binding, and so that all of it can be tested where there are no views.

extension Store {
  /// The store itself, for a binding to it.
  var itself: Store {
    get { self }
    set { _ = newValue }
  }
}

extension Store where State: ObservableState {
  /// A value of the state; setting it sends an action.
  ///
  /// - Parameters:
  ///   - state: Where the value is.
  ///   - action: The action that carries a new one.
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

  /// The store of a part, which is always there.
  ///
  /// - Parameters:
  ///   - part: Where the part is.
  ///   - action: Which actions are the part's.
  subscript<ChildState, ChildAction>(
    part: KeyPath<State, ChildState>,
    action action: CaseKeyPath<Action, ChildAction>
  ) -> Store<ChildState, ChildAction> {
    get { scope(part, action: action) }
    set { _ = newValue }
  }

  /// The store of a presented feature; setting `nil` dismisses the feature.
  ///
  /// - Parameters:
  ///   - state: Where the feature's state is.
  ///   - action: Which actions are those of the presentation.
  ///   - identity: The feature that the view shows. If another one has taken its place, nothing is dismissed: views
  ///     say late that something has gone.
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

  /// The identity of a presented feature, for a binding that is made now.
  func identity<ChildState>(of state: KeyPath<State, ChildState?>) -> ChildIdentity? {
    self.state[keyPath: state].flatMap { ChildIdentity(of: $0) }
  }
}

extension Store {
  /// The store of a presented feature, in the store of a presentation; setting `nil` dismisses the feature.
  ///
  /// - Parameter identity: The feature that the view shows.
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
  /// Whether there is a value; setting `false` removes it.
  var isThere: Bool {
    get { self != nil }
    set { if !newValue { self = nil } }
  }
}
