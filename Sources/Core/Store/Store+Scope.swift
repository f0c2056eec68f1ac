extension Store where State: ObservableState {
  /// The store of a part of the state that is there now and then; nil while it is not.
  ///
  /// Asking again gives the same store. It keeps the last state for views that are about to disappear: values that they
  /// set are dropped, because no reducer could handle them. Actions that are sent still go to the reducer.
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
    return unwrapped(state, action: action)
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
  private func reportIfNotKept() {
    if !core.isKept { reportIssue(Messages.scopeOfStoreNotKept(debugDescription)) }
  }
}

/// A part of another store that is there now and then.
private final class UnwrappedCore<State, Action>: StoreCore<State, Action> {
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

  override var past: StorePast? { parent.past }

  override var nextElementID: StackElementID { parent.nextElementID }

  override func send(_ action: Action, origin: ActionOrigin) -> StoreTask {
    parent.send(action, origin: origin)
  }
}

extension Optional {
  /// Marks the end of a key path as that of an unwrapped part.
  fileprivate var unwrapped: Wrapped? { self }
}

extension Store where State: ObservableState {
  /// The stores of the elements of a list, in its order.
  ///
  /// ```swift
  /// for row in store.scope(\.rows, action: \.rows) { show(row) }
  /// ```
  ///
  /// An element has the same store as long as it is there.
  ///
  /// - Parameters:
  ///   - elements: Where the list is.
  ///   - action: Which actions are the elements'.
  /// - Returns: The stores.
  public func scope<ID: Hashable & Sendable, ElementState, ElementAction>(
    _ elements: KeyPath<State, IdentifiedArray<ID, ElementState>>,
    action: CaseKeyPath<Action, IdentifiedAction<ID, ElementAction>>
  ) -> some RandomAccessCollection<Store<ElementState, ElementAction>> {
    reportIfNotKept()
    let list: Store<IdentifiedArray<ID, ElementState>, IdentifiedAction<ID, ElementAction>> =
      scope(elements, action: action)
    return list.elementsOfList()
  }

  /// The stores of the elements of a stack, from the bottom to the top.
  ///
  /// - Parameters:
  ///   - stack: Where the stack is.
  ///   - action: Which actions are those of the stack.
  /// - Returns: The stores.
  public func scope<ElementState, ElementAction>(
    _ stack: KeyPath<State, StackState<ElementState>>,
    action: CaseKeyPath<Action, StackAction<ElementState, ElementAction>>
  ) -> some RandomAccessCollection<Store<ElementState, ElementAction>> {
    reportIfNotKept()
    let path: Store<StackState<ElementState>, StackAction<ElementState, ElementAction>> =
      scope(stack, action: action)
    return path.elementsOfStack()
  }

  /// The store of a presented feature, nil while it is not presented.
  ///
  /// - Parameters:
  ///   - state: Where the feature's state is.
  ///   - action: Which actions are those of the presentation.
  /// - Returns: The store of the feature.
  public func scope<ChildState, ChildAction>(
    _ state: KeyPath<State, ChildState?>,
    action: CaseKeyPath<Action, PresentationAction<ChildAction>>
  ) -> Store<ChildState, ChildAction>? {
    scope(state, action: action.appending(path: \.presented))
  }
}

extension Store where State: ObservableState {
  /// The stores of the elements of a list, in its order.
  ///
  /// - Parameters:
  ///   - elements: Where the list is.
  ///   - action: Which actions are the elements'.
  /// - Returns: The stores.
  public func scope<ID: Hashable & Sendable, ElementState, ElementAction>(
    state elements: KeyPath<State, IdentifiedArray<ID, ElementState>>,
    action: CaseKeyPath<Action, IdentifiedAction<ID, ElementAction>>
  ) -> some RandomAccessCollection<Store<ElementState, ElementAction>> {
    scope(elements, action: action)
  }

  /// The stores of the elements of a stack, from the bottom to the top.
  ///
  /// - Parameters:
  ///   - stack: Where the stack is.
  ///   - action: Which actions are those of the stack.
  /// - Returns: The stores.
  public func scope<ElementState, ElementAction>(
    state stack: KeyPath<State, StackState<ElementState>>,
    action: CaseKeyPath<Action, StackAction<ElementState, ElementAction>>
  ) -> some RandomAccessCollection<Store<ElementState, ElementAction>> {
    scope(stack, action: action)
  }

  /// The store of a presented feature, nil while it is not presented.
  ///
  /// - Parameters:
  ///   - state: Where the feature's state is.
  ///   - action: Which actions are those of the presentation.
  /// - Returns: The store of the feature.
  public func scope<ChildState, ChildAction>(
    state: KeyPath<State, ChildState?>,
    action: CaseKeyPath<Action, PresentationAction<ChildAction>>
  ) -> Store<ChildState, ChildAction>? {
    scope(state, action: action)
  }
}

extension Store {
  /// The stores of the elements, in the store of a list.
  func elementsOfList<ID, ElementState, ElementAction>() -> [Store<ElementState, ElementAction>]
  where
    State == IdentifiedArray<ID, ElementState>,
    Action == IdentifiedAction<ID, ElementAction>
  {
    let list = state
    return elementStores(of: list.ids) { id in
      list[id: id].map { element($0, \.[id: id], \.[id: id]) }
    }
  }

  /// The stores of the elements, in the store of a stack.
  func elementsOfStack<ElementState, ElementAction>() -> [Store<ElementState, ElementAction>]
  where
    State == StackState<ElementState>,
    Action == StackAction<ElementState, ElementAction>
  {
    let stack = state
    return elementStores(of: stack.ids) { id in
      stack[id: id].map { element($0, \.[id: id], \.[id: id]) }
    }
  }

  /// The store of a part that is there now and then, or is of a type that is not observed by itself.
  func unwrapped<ChildState, ChildAction>(
    _ state: KeyPath<State, ChildState?>,
    action: CaseKeyPath<Action, ChildAction>
  ) -> Store<ChildState, ChildAction>? {
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

  /// The stores of elements: those that were asked for before, and new ones for new ids.
  private func elementStores<ID: Hashable, ElementState, ElementAction>(
    of ids: OrderedSet<ID>,
    _ make: (ID) -> Store<ElementState, ElementAction>?
  ) -> [Store<ElementState, ElementAction>] {
    var stores: [Store<ElementState, ElementAction>] = []
    var kept: [AnyHashable: AnyObject] = [:]
    for id in ids {
      let known = elements[id] as? Store<ElementState, ElementAction>
      guard let store = known ?? make(id) else { continue }
      stores.append(store)
      kept[id] = store
    }
    // Stores of elements that have gone are let go of.
    elements = kept
    return stores
  }

  func element<ElementState, ElementAction>(
    _ element: ElementState,
    _ state: KeyPath<State, ElementState?>,
    _ action: CaseKeyPath<Action, ElementAction>
  ) -> Store<ElementState, ElementAction> {
    let optional = ScopedCore(core, state: state, action: AnyCasePath(action))
    return Store<ElementState, ElementAction>(core: UnwrappedCore(optional, last: element))
  }
}
