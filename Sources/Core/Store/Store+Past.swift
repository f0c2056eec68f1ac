// The functions through which a timeline controls a store.

extension Store {
  /// Creates a store that shows a past state and has no present to return to.
  ///
  /// The store shows the shared values of the initial state, and leaves the actual values unchanged until it resumes.
  ///
  /// - Parameters:
  ///   - state: A closure that returns the state, called with the store's dependencies.
  ///   - reducer: A closure that returns the reducer, called with the store's dependencies.
  ///   - prepareDependencies: A closure that changes the dependencies of the store; `nil` to change none.
  ///   - location: The source location to which issues are attributed.
  /// - Throws: The error of `state`.
  package convenience init<R: Reducer<State, Action>>(
    past state: (StoreContext) throws -> R.State,
    reducer: () -> R,
    withDependencies prepareDependencies: ((inout DependencyValues) -> Void)?,
    at location: IssueLocation
  ) rethrows {
    let shared = PastSharedValues(of: location)
    try self.init(
      state: { context in try PastSharedValues.$moving.withValue(shared) { try state(context) } },
      reducer: reducer,
      withDependencies: prepareDependencies,
      at: location
    )
    core.beginInPast(shared)
  }

  /// Whether the store shows a past state.
  package var isInPast: Bool { core.past != nil }

  /// The number of actions sent by effects that are held until the store returns to the present.
  package var heldActions: Int { core.heldActions }

  /// The number of actions sent by views that were refused since the store entered the past.
  package var refusedActions: Int { core.past?.refused ?? 0 }

  /// Freezes a root store so that it can show past states.
  ///
  /// Until the store returns to the present, no reducer runs. Actions that effects send are held in order. Actions that
  /// views send are refused.
  ///
  /// - Parameters:
  ///   - limit: The number of held actions at which `didFill` is called.
  ///   - didFill: A closure that is called when the limit is reached.
  /// - Returns: Whether the store now shows the past. The result is `false` while the store handles an action.
  package func enterPast(holding limit: Int, didFill: @escaping () -> Void) -> Bool {
    core.enterPast(holding: limit, didFill: didFill)
  }

  /// Shows another past state, and notifies the observers of the values that differ.
  ///
  /// The store also shows the shared values that `change` writes, but leaves the actual values unchanged.
  ///
  /// - Parameter change: A closure that receives the context of the store and the shown state, and returns the new
  ///   state. It is called with the store's dependencies.
  /// - Throws: The error of `change`. The shown state then stays unchanged.
  package func show(_ change: (StoreContext, State) throws -> State) throws {
    try core.show(change)
  }

  /// Shows the present state again, and delivers the held actions.
  ///
  /// The function has no effect on a store without a present state.
  package func returnToPresent() { core.returnToPresent() }

  /// Makes the shown state the present state.
  ///
  /// The store cancels all effects, drops the held actions, and ends all recordings. A recording that starts with the
  /// next action refers to the log position from which the store resumes.
  ///
  /// - Parameter resumption: The log position of the shown state.
  package func resume(at resumption: StoreResumption) { core.resume(at: resumption) }

  /// Adds an observer of the activity of a root store.
  package func observe(_ observer: any StoreObserver) { core.observe(observer) }
}
