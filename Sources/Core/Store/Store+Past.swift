// A timeline controls a store with these functions.

extension Store {
  /// Creates a store that shows a past state and has no present to return to.
  ///
  /// The store shows the shared values of the initial state and never changes them.
  ///
  /// - Parameters:
  ///   - state: Makes the state. Runs with the store's dependencies.
  ///   - reducer: Builds the reducer. Runs with the store's dependencies.
  ///   - prepareDependencies: Sets dependencies for this store.
  ///   - location: The source location of the call, for issues.
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

  /// Whether the store shows a past state.
  package var isInPast: Bool { core.past != nil }

  /// The number of effect actions that are held until the store returns to the present.
  package var heldActions: Int { core.heldActions }

  /// The number of view actions that were refused since the store entered the past.
  package var refusedActions: Int { core.past?.refused ?? 0 }

  /// Freezes a root store so that it can show past states.
  ///
  /// Until the store returns to the present, no reducer runs. Actions of effects are held in order; actions of views
  /// are refused.
  ///
  /// - Parameters:
  ///   - limit: The number of held actions at which `didFill` is called.
  ///   - didFill: Called when the limit is reached.
  /// - Returns: Whether the store now shows the past; `false` while it handles an action.
  package func enterPast(holding limit: Int, didFill: @escaping () -> Void) -> Bool {
    core.enterPast(holding: limit, didFill: didFill)
  }

  /// Shows another past state and notifies the observers of the values that differ.
  ///
  /// The store also shows the shared values that `change` writes, but does not change them.
  ///
  /// - Parameter change: Makes the new state from the shown one. Runs with the store's dependencies.
  /// - Throws: The errors of `change`. The shown state then stays as it was.
  package func show(_ change: (StoreContext, State) throws -> State) throws {
    try core.show(change)
  }

  /// Shows the present state again and delivers the held actions.
  package func returnToPresent() { core.returnToPresent() }

  /// Makes the shown state the present.
  ///
  /// Cancels all effects, drops the held actions and ends all recordings. A recording that starts with the next action
  /// refers to the log position that the store resumes from.
  ///
  /// - Parameter resumption: The log position of the shown state.
  package func resume(at resumption: StoreResumption) { core.resume(at: resumption) }

  /// Adds an observer of the activity of a root store.
  package func observe(_ observer: any StoreObserver) { core.observe(observer) }
}
