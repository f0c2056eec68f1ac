extension Store where State: ObservableState {
  /// The store of a part of the state that is there now and then; nil while it is not.
  ///
  /// Asking again gives the same store. It keeps the last state that there was, for views on their way out: what these
  /// set then is dropped, for no reducer could handle it. Actions that are sent go to the reducer all the same.
  ///
  /// - Parameters:
  ///   - state: Where the part is.
  ///   - action: Which actions are the part's.
  /// - Returns: The store of the part.
  public func scope<ChildState, ChildAction>(
    _ state: KeyPath<State, ChildState?>,
    action: CaseKeyPath<Action, ChildAction>
  ) -> Store<ChildState, ChildAction>? {
    reportIfNotKept()
    guard let current = self.state[keyPath: state] else { return nil }
    // The store of the optional itself has the key path for its id.
    let id = ScopeID(state: state.appending(path: \.unwrapped), action: action)
    if let child = children[id] as? Store<ChildState, ChildAction> { return child }
    let optional: Store<ChildState?, ChildAction> = scope(state, action: action)
    let core = UnwrappedCore(optional.core, last: current)
    let child = Store<ChildState, ChildAction>(core: core)
    children[id] = child
    return child
  }

  /// The store of a part of the state that is there now and then; nil while it is not.
  ///
  /// - Parameters:
  ///   - state: Where the part is.
  ///   - action: Which actions are the part's.
  /// - Returns: The store of the part.
  public func scope<ChildState, ChildAction>(
    state: KeyPath<State, ChildState?>,
    action: CaseKeyPath<Action, ChildAction>
  ) -> Store<ChildState, ChildAction>? {
    scope(state, action: action)
  }
}

extension Store {
  /// Reports that stores of parts that come and go are not kept, because this one is not.
  func reportIfNotKept() {
    if !core.isKept { reportIssue(Messages.scopeOfStoreNotKept(debugDescription)) }
  }
}

/// A part of another store that is there now and then.
final class UnwrappedCore<State, Action>: StoreCore<State, Action> {
  private let parent: StoreCore<State?, Action>
  private var last: State

  init(_ parent: StoreCore<State?, Action>, last: State) {
    self.parent = parent
    self.last = last
  }

  override var state: State {
    if let state = parent.state { last = state }
    return last
  }

  override func access() { parent.access() }

  override var location: IssueLocation { parent.location }

  override var isIdle: Bool { parent.isIdle }

  override var isPresent: Bool { parent.isPresent && parent.state != nil }

  override var isKept: Bool { parent.isKept }

  override func send(_ action: Action, origin: ActionOrigin) -> StoreTask {
    parent.send(action, origin: origin)
  }
}

extension Optional {
  /// Marks the end of a key path as that of an unwrapped part.
  fileprivate var unwrapped: Wrapped? { self }
}
