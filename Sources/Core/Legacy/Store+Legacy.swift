extension Store {
  /// Works with the state.
  ///
  /// - Parameter body: Takes the state.
  /// - Returns: What `body` returns.
  @available(iOS, deprecated: 9999, message: "Read properties from the store itself.")
  @available(macOS, deprecated: 9999, message: "Read properties from the store itself.")
  @available(tvOS, deprecated: 9999, message: "Read properties from the store itself.")
  @available(watchOS, deprecated: 9999, message: "Read properties from the store itself.")
  public func withState<R>(_ body: (_ state: State) -> R) -> R {
    body(state)
  }

  /// The store of whatever two functions make of the state and the actions; a new one each time.
  ///
  /// - Parameters:
  ///   - toChildState: Takes the part out of the state.
  ///   - fromChildAction: Makes an action of one of the part.
  /// - Returns: The store of the part.
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

/// The result of functions applied to another store.
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
