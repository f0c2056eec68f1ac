public import Observation

/// The running app, or a part of it: holds the state, takes actions, runs effects.
///
/// ```swift
/// let store = Store(initialState: Counter.State()) { Counter() }
/// store.send(.increment)
/// print(store.count)
/// ```
///
/// Reading `state` inside `withObservationTracking` observes it.
@MainActor
@dynamicMemberLookup
public final class Store<State, Action> {
  let core: StoreCore<State, Action>
  var children: [ScopeID: AnyObject] = [:]
  /// The stores of the elements, in a store of a list.
  var elements: [AnyHashable: AnyObject] = [:]

  struct ScopeID: Hashable {
    let state: AnyKeyPath
    let action: AnyKeyPath
  }

  init(core: StoreCore<State, Action>) {
    self.core = core
  }

  /// Makes a store.
  ///
  /// - Parameters:
  ///   - initialState: The state to begin with, made with the dependencies set.
  ///   - reducer: Builds the reducer, with the dependencies set.
  ///   - prepareDependencies: Sets dependencies for this store.
  ///   - fileID: The file of the call, which issues name.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  public convenience init<R: Reducer<State, Action>>(
    initialState: @autoclosure () -> R.State,
    @ReducerBuilder<State, Action> reducer: () -> R,
    withDependencies prepareDependencies: ((inout DependencyValues) -> Void)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    let context = StoreContext()
    let dependencies = DependencyValues.forStore(context, prepareDependencies ?? { _ in })
    let core = DependencyValues.$_current.withValue(dependencies) {
      RootCore(
        state: initialState(),
        reducer: reducer(),
        dependencies: dependencies,
        context: context,
        location: location
      )
    }
    self.init(core: core)
  }

  /// The state as it is after the actions so far.
  public var state: State {
    core.access()
    return core.state
  }

  /// A member of the state.
  public subscript<Member>(dynamicMember keyPath: KeyPath<State, Member>) -> Member {
    state[keyPath: keyPath]
  }

  /// Hands an action to the reducer.
  ///
  /// When it returns, the action is handled, and with it all actions that effects have sent
  /// synchronously.
  ///
  /// - Parameter action: The action.
  /// - Returns: The effects that go back to it, to be cancelled or waited for.
  @discardableResult
  public func send(_ action: Action) -> StoreTask {
    core.send(action, origin: .view)
  }

  /// Hands an action to the reducer and says where it comes from.
  @discardableResult
  package func send(_ action: Action, origin: ActionOrigin) -> StoreTask {
    core.send(action, origin: origin)
  }

  /// Whether no effect runs, and nothing of earlier ones is kept.
  package var isIdle: Bool { core.isIdle }

  /// The effects of the features that have not ended, by the marks of those who watch them: those that run, cancelled or not,
  /// and those that wait for them.
  ///
  /// What the library runs for its own needs, such as for a child that is presented, does not count.
  package var unfinishedEffects: [EffectID] { core.unfinishedEffects }

  /// The store of a part of the state and one case of the actions.
  ///
  /// Asking again gives the same store.
  ///
  /// - Parameters:
  ///   - state: Where the part is.
  ///   - action: Which actions are the part's.
  /// - Returns: The store of the part.
  public func scope<ChildState, ChildAction>(
    _ state: KeyPath<State, ChildState>,
    action: CaseKeyPath<Action, ChildAction>
  ) -> Store<ChildState, ChildAction> {
    let id = ScopeID(state: state, action: action)
    if let child = children[id] as? Store<ChildState, ChildAction> { return child }
    let child = Store<ChildState, ChildAction>(
      core: ScopedCore(core, state: state, action: AnyCasePath(action))
    )
    children[id] = child
    return child
  }

  /// The store of a part of the state and one case of the actions.
  ///
  /// - Parameters:
  ///   - state: Where the part is.
  ///   - action: Which actions are the part's.
  /// - Returns: The store of the part.
  public func scope<ChildState, ChildAction>(
    state: KeyPath<State, ChildState>,
    action: CaseKeyPath<Action, ChildAction>
  ) -> Store<ChildState, ChildAction> {
    scope(state, action: action)
  }
}

/// The store of a feature: `StoreOf<Feature>`.
public typealias StoreOf<R: Reducer> = Store<R.State, R.Action>

extension Store: Observable {}

extension Store: Identifiable {}

extension Store: Hashable {
  /// Whether two stores are the same object.
  nonisolated public static func == (lhs: Store, rhs: Store) -> Bool {
    lhs === rhs
  }

  /// Hashes the identity of the store.
  nonisolated public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}
