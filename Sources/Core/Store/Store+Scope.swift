extension Store where State: ObservableState {
  /// Returns the store of an optional child state, or `nil` while the state is `nil`.
  ///
  /// ```swift
  /// if let store = store.scope(\.editor, action: \.editor) { EditorView(store: store) }
  /// ```
  ///
  /// All calls return the same store while the child is present. The store keeps the last state for views that are
  /// about to disappear. Values that these views set are dropped, because no reducer could handle them. Actions that
  /// they send still reach the reducer.
  ///
  /// - Parameters:
  ///   - state: The key path from the state to the child's state.
  ///   - action: The case key path from the action to the child's action.
  /// - Returns: The store of the child, or `nil`.
  public func scope<ChildState, ChildAction>(
    _ state: KeyPath<State, ChildState?>,
    action: CaseKeyPath<Action, ChildAction>
  ) -> Store<ChildState, ChildAction>? {
    reportIfNotKept()
    return unwrapped(state, action: action)
  }

  /// Returns the store of an optional child state, or `nil` while the state is `nil`.
  ///
  /// ```swift
  /// if let store = store.scope(state: \.editor, action: \.editor) { EditorView(store: store) }
  /// ```
  ///
  /// - Parameters:
  ///   - state: The key path from the state to the child's state.
  ///   - action: The case key path from the action to the child's action.
  /// - Returns: The store of the child, or `nil`.
  public func scope<ChildState, ChildAction>(
    state: KeyPath<State, ChildState?>,
    action: CaseKeyPath<Action, ChildAction>
  ) -> Store<ChildState, ChildAction>? {
    scope(state, action: action)
  }
}

extension Store {
  /// Reports an issue if this store isn't kept, because the stores of its optional children then can't be kept either.
  private func reportIfNotKept() {
    if !core.isKept { reportIssue(Messages.scopeOfStoreNotKept(debugDescription)) }
  }
}

/// The core of an optional child, which keeps the last state while the child is absent.
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

  override var past: StoreTimeTravel? { parent.past }

  override var nextElementID: StackElementID { parent.nextElementID }

  override func send(_ action: Action, origin: ActionOrigin) -> StoreTask {
    parent.send(action, origin: origin)
  }
}

extension Optional {
  /// The optional itself.
  ///
  /// This property is the last component of the key path in an unwrapped child's scope id, and distinguishes the id
  /// from that of the optional's own store.
  fileprivate var unwrapped: Wrapped? { self }
}

extension Store where State: ObservableState {
  /// Returns the stores of the elements in a list, in the order of the list.
  ///
  /// ```swift
  /// for row in store.scope(\.rows, action: \.rows) { show(row) }
  /// ```
  ///
  /// All calls return the same store for an element while the list contains the element.
  ///
  /// - Parameters:
  ///   - elements: The key path from the state to the list.
  ///   - action: The case key path from the action to the actions of the elements.
  /// - Returns: A collection with one store for each element.
  public func scope<ID: Hashable & Sendable, ElementState, ElementAction>(
    _ elements: KeyPath<State, IdentifiedArray<ID, ElementState>>,
    action: CaseKeyPath<Action, IdentifiedAction<ID, ElementAction>>
  ) -> some RandomAccessCollection<Store<ElementState, ElementAction>> {
    reportIfNotKept()
    let list: Store<IdentifiedArray<ID, ElementState>, IdentifiedAction<ID, ElementAction>> =
      scope(elements, action: action)
    return list.elementsOfList()
  }

  /// Returns the stores of the elements in a stack, with the bottom element first.
  ///
  /// ```swift
  /// for screen in store.scope(\.path, action: \.path) { show(screen) }
  /// ```
  ///
  /// - Parameters:
  ///   - stack: The key path from the state to the stack.
  ///   - action: The case key path from the action to the actions of the stack.
  /// - Returns: A collection with one store for each element.
  public func scope<ElementState, ElementAction>(
    _ stack: KeyPath<State, StackState<ElementState>>,
    action: CaseKeyPath<Action, StackAction<ElementState, ElementAction>>
  ) -> some RandomAccessCollection<Store<ElementState, ElementAction>> {
    reportIfNotKept()
    let path: Store<StackState<ElementState>, StackAction<ElementState, ElementAction>> =
      scope(stack, action: action)
    return path.elementsOfStack()
  }

  /// Returns the store of a presented feature, or `nil` while no feature is presented.
  ///
  /// ```swift
  /// if let store = store.scope(\.editor, action: \.editor) { EditorView(store: store) }
  /// ```
  ///
  /// - Parameters:
  ///   - state: The key path from the state to the feature's state.
  ///   - action: The case key path from the action to the presentation action.
  /// - Returns: The store of the feature, or `nil`.
  public func scope<ChildState, ChildAction>(
    _ state: KeyPath<State, ChildState?>,
    action: CaseKeyPath<Action, PresentationAction<ChildAction>>
  ) -> Store<ChildState, ChildAction>? {
    scope(state, action: action.appending(path: \.presented))
  }
}

extension Store where State: ObservableState {
  /// Returns the stores of the elements in a list, in the order of the list.
  ///
  /// ```swift
  /// for row in store.scope(state: \.rows, action: \.rows) { show(row) }
  /// ```
  ///
  /// - Parameters:
  ///   - elements: The key path from the state to the list.
  ///   - action: The case key path from the action to the actions of the elements.
  /// - Returns: A collection with one store for each element.
  public func scope<ID: Hashable & Sendable, ElementState, ElementAction>(
    state elements: KeyPath<State, IdentifiedArray<ID, ElementState>>,
    action: CaseKeyPath<Action, IdentifiedAction<ID, ElementAction>>
  ) -> some RandomAccessCollection<Store<ElementState, ElementAction>> {
    scope(elements, action: action)
  }

  /// Returns the stores of the elements in a stack, with the bottom element first.
  ///
  /// ```swift
  /// for screen in store.scope(state: \.path, action: \.path) { show(screen) }
  /// ```
  ///
  /// - Parameters:
  ///   - stack: The key path from the state to the stack.
  ///   - action: The case key path from the action to the actions of the stack.
  /// - Returns: A collection with one store for each element.
  public func scope<ElementState, ElementAction>(
    state stack: KeyPath<State, StackState<ElementState>>,
    action: CaseKeyPath<Action, StackAction<ElementState, ElementAction>>
  ) -> some RandomAccessCollection<Store<ElementState, ElementAction>> {
    scope(stack, action: action)
  }

  /// Returns the store of a presented feature, or `nil` while no feature is presented.
  ///
  /// ```swift
  /// if let store = store.scope(state: \.editor, action: \.editor) { EditorView(store: store) }
  /// ```
  ///
  /// - Parameters:
  ///   - state: The key path from the state to the feature's state.
  ///   - action: The case key path from the action to the presentation action.
  /// - Returns: The store of the feature, or `nil`.
  public func scope<ChildState, ChildAction>(
    state: KeyPath<State, ChildState?>,
    action: CaseKeyPath<Action, PresentationAction<ChildAction>>
  ) -> Store<ChildState, ChildAction>? {
    scope(state, action: action)
  }
}

extension Store {
  /// Returns the stores of the elements, if this store's state is a list.
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

  /// Returns the stores of the elements, if this store's state is a stack.
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

  /// Returns the store of an optional child state, or `nil` while the state is `nil`.
  func unwrapped<ChildState, ChildAction>(
    _ state: KeyPath<State, ChildState?>,
    action: CaseKeyPath<Action, ChildAction>
  ) -> Store<ChildState, ChildAction>? {
    guard let current = self.state[keyPath: state] else { return nil }
    // Appends a component, because the id without that component belongs to the store of the optional itself.
    let id = ScopeID(state: state.appending(path: \.unwrapped), action: action)
    if let child = children[id] as? Store<ChildState, ChildAction> { return child }
    let optional: Store<ChildState?, ChildAction> = scope(state, action: action)
    let core = UnwrappedCore(optional.core, last: current)
    let child = Store<ChildState, ChildAction>(core: core)
    children[id] = child
    return child
  }

  /// Returns a store for each id, which is the existing store of the element or a new one.
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
    // Drops the stores of removed elements.
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
