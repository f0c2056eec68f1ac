// The control of a store by a timeline.

extension Store {
  /// Makes a store that shows a state of the past, and has no present to go back to.
  ///
  /// Shared values that the state is made with are shown, and not changed.
  ///
  /// - Parameters:
  ///   - state: Makes the state, with the dependencies set.
  ///   - reducer: Builds the reducer, with the dependencies set.
  ///   - prepareDependencies: Sets dependencies for this store.
  ///   - location: The place of the call.
  /// - Throws: The errors of `state`.
  package convenience init<R: Reducer<State, Action>>(
    past state: (StoreContext) throws -> R.State,
    reducer: () -> R,
    withDependencies prepareDependencies: ((inout DependencyValues) -> Void)?,
    at location: IssueLocation
  ) rethrows {
    let shared = SharedPast(of: location)
    try self.init(
      state: { context in try SharedPast.$moving.withValue(shared) { try state(context) } },
      reducer: reducer,
      withDependencies: prepareDependencies,
      at: location
    )
    core.beginInPast(shared)
  }

  /// Whether the store shows a state of the past.
  package var isInPast: Bool { core.past != nil }

  /// How many actions of effects wait for the present.
  package var heldActions: Int { core.heldActions }

  /// How many actions of views were refused since the past is shown.
  package var refusedActions: Int { core.past?.refused ?? 0 }

  /// Shows states of the past from now on, in a root store: no reducer runs, what effects send is held in order, and what views send is
  /// refused.
  ///
  /// - Parameters:
  ///   - limit: A number of held actions.
  ///   - didFill: Called when so many are held.
  /// - Returns: Whether the store shows the past; `false` while it handles an action.
  package func enterPast(holding limit: Int, didFill: @escaping () -> Void) -> Bool {
    core.enterPast(holding: limit, didFill: didFill)
  }

  /// Shows another state of the past, and notifies the observers of what differs.
  ///
  /// Shared values that are written meanwhile are shown, and not changed.
  ///
  /// - Parameter change: Makes the state of the one that is shown, with the dependencies of the store.
  /// - Throws: The errors of `change`, which leave the state as it was.
  package func show(_ change: (StoreContext, State) throws -> State) throws {
    try core.show(change)
  }

  /// Shows the present again, and delivers what was held.
  package func returnToPresent() { core.returnToPresent() }

  /// Makes the state that is shown the present.
  ///
  /// All effects are cancelled, and what was held is dropped. Recordings end; those that begin with the next action go on from the place.
  ///
  /// - Parameter resumption: The place in a log that has the state.
  package func resume(at resumption: StoreResumption) { core.resume(at: resumption) }

  /// Adds an observer of the store's activity, to a root store.
  package func observe(_ observer: any StoreObserver) { core.observe(observer) }
}
