extension Store {
  /// Calls a closure with the current state.
  ///
  /// - Parameter body: A closure that receives the state.
  /// - Returns: The result of `body`.
  @available(iOS, deprecated: 9999, message: "Read properties from the store itself.")
  @available(macOS, deprecated: 9999, message: "Read properties from the store itself.")
  @available(tvOS, deprecated: 9999, message: "Read properties from the store itself.")
  @available(watchOS, deprecated: 9999, message: "Read properties from the store itself.")
  public func withState<R>(_ body: (_ state: State) -> R) -> R {
    body(state)
  }

  /// Returns a new store that transforms the state and the actions with two functions.
  ///
  /// ```swift
  /// store.scope(state: { $0.profile }, action: { .profile($0) })
  /// ```
  ///
  /// - Parameters:
  ///   - toChildState: A closure that returns the child's state for the parent's state.
  ///   - fromChildAction: A closure that returns the parent's action for a child's action.
  /// - Returns: A store of the child. Every call creates a new store.
  @available(
    *,
    deprecated,
    message: "Use key paths, \"scope(_:action:)\", so that the same store comes back each time."
  )
  public func scope<ChildState, ChildAction>(
    state toChildState: @escaping (_ state: State) -> ChildState,
    action fromChildAction: @escaping (_ action: ChildAction) -> Action
  ) -> Store<ChildState, ChildAction> {
    Store<ChildState, ChildAction>(
      core: TransformedCore(core, state: toChildState, action: fromChildAction)
    )
  }
}

/// The core of a store that transforms the state and actions of another store with functions.
private final class TransformedCore<
  ParentState,
  ParentAction,
  State,
  Action
>: StoreCore<State, Action> {
  private let parent: StoreCore<ParentState, ParentAction>
  private let toState: (ParentState) -> State
  private let toAction: (Action) -> ParentAction

  init(
    _ parent: StoreCore<ParentState, ParentAction>,
    state toState: @escaping (ParentState) -> State,
    action toAction: @escaping (Action) -> ParentAction
  ) {
    self.parent = parent
    self.toState = toState
    self.toAction = toAction
  }

  override var state: State { toState(parent.state) }

  override func access() { parent.access() }

  override var location: IssueLocation { parent.location }

  override var isIdle: Bool { parent.isIdle }

  override var isPresent: Bool { parent.isPresent }

  override var isKept: Bool { false }

  override var nextElementID: StackElementID { parent.nextElementID }

  override func send(_ action: Action, origin: ActionOrigin) -> StoreTask {
    parent.send(toAction(action), origin: origin)
  }
}
