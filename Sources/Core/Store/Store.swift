import ActionLog
public import Observation
import Synchronization

/// The runtime of an app or of a part of it: holds the state, handles actions and runs effects.
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
  /// The elements' stores by element id, in the store of a list or a stack.
  var elements: [AnyHashable: AnyObject] = [:]
  /// The UUIDs and stores of the elements that views show, in the store of a stack.
  var shownStack: ShownStack?

  struct ScopeID: Hashable {
    let state: AnyKeyPath
    let action: AnyKeyPath
  }

  init(core: StoreCore<State, Action>) {
    self.core = core
  }

  /// Creates a store.
  ///
  /// - Parameters:
  ///   - initialState: The initial state. Evaluated with the store's dependencies.
  ///   - reducer: Builds the reducer. Runs with the store's dependencies.
  ///   - prepareDependencies: Sets dependencies for this store.
  ///   - fileID: The file of the call, for issues.
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
    self.init(
      state: { _ in initialState() },
      reducer: reducer,
      withDependencies: prepareDependencies,
      at: IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    )
  }

  /// Creates a store whose initial state is computed by a function that can fail, such as one that reads a log.
  ///
  /// - Parameters:
  ///   - state: Makes the state. Runs with the store's dependencies.
  ///   - reducer: Builds the reducer. Runs with the store's dependencies.
  ///   - prepareDependencies: Sets dependencies for this store.
  ///   - location: The source location of the call, for issues.
  /// - Throws: The errors of `state`.
  package convenience init<R: Reducer<State, Action>>(
    state: (StoreContext) throws -> R.State,
    reducer: () -> R,
    withDependencies prepareDependencies: ((inout DependencyValues) -> Void)?,
    at location: IssueLocation
  ) rethrows {
    let context = StoreContext()
    let dependencies = DependencyValues.forStore(context, prepareDependencies ?? { _ in })
    let core = try DependencyValues.$_current.withValue(dependencies) {
      RootCore(
        state: try state(context),
        reducer: reducer(),
        dependencies: dependencies,
        context: context,
        location: location
      )
    }
    self.init(core: core)
  }

  /// The current state, published after the last action of a wave.
  public var state: State {
    core.access()
    return core.state
  }

  /// Returns a member of the state.
  public subscript<Member>(dynamicMember keyPath: KeyPath<State, Member>) -> Member {
    state[keyPath: keyPath]
  }

  /// Sends an action to the reducer.
  ///
  /// When the call returns, the reducer has handled the action and all actions that its effects sent synchronously.
  ///
  /// - Parameter action: The action to handle.
  /// - Returns: A task of the effects that the action started. Use it to cancel them or to wait for them.
  @discardableResult
  public func send(_ action: Action) -> StoreTask {
    core.send(action, origin: .view)
  }

  /// Sends an action to the reducer, with its origin.
  @discardableResult
  package func send(_ action: Action, origin: ActionOrigin) -> StoreTask {
    core.send(action, origin: origin)
  }

  /// Whether no effect runs and no state of an earlier one is stored.
  package var isIdle: Bool { core.isIdle }

  /// The ids of the features' unfinished effects, as their observers assigned them.
  ///
  /// Includes running effects, even if they are cancelled, and effects that wait for them. Excludes effects that the
  /// library runs for itself, such as the one of a presented child.
  package var unfinishedEffects: [EffectID] { core.unfinishedEffects }

  /// The log position that a root store resumed from; `nil` for a store that did not resume, or that is not a root.
  package var resumption: StoreResumption? { core.resumption }

  /// Starts an effect in a root store without an action.
  ///
  /// - Parameters:
  ///   - effect: The effect.
  ///   - alias: Maps the id of a cancellation to an id in the effect that it also cancels.
  package func start(
    _ effect: Effect<Action>,
    reachedBy alias: @escaping @Sendable (CancelID) -> CancelID?
  ) {
    core.start(effect, reachedBy: alias)
  }

  /// Returns the store of a child: a part of the state and one case of the actions.
  ///
  /// Every call returns the same store.
  ///
  /// - Parameters:
  ///   - state: The key path to the child's state.
  ///   - action: The case of the child's actions.
  /// - Returns: The child's store.
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

  /// Returns the store of a child: a part of the state and one case of the actions.
  ///
  /// - Parameters:
  ///   - state: The key path to the child's state.
  ///   - action: The case of the child's actions.
  /// - Returns: The child's store.
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
  /// The store type of a feature: `StoreOf<Feature>`.
  nonisolated public static func == (lhs: Store, rhs: Store) -> Bool {
    lhs === rhs
  }

  /// Hashes the identity of the store.
  nonisolated public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}

/// An action with a case `view` for the actions that views send.
///
/// ```swift
/// enum Action: ViewAction {
///   case view(View)
///   case saved
///   enum View { case saveButtonTapped }
/// }
/// ```
public protocol ViewAction<ViewAction> {
  /// The actions that views send.
  associatedtype ViewAction

  /// Wraps an action of a view.
  static func view(_ action: ViewAction) -> Self
}

/// A type, such as a view, that sends view actions to its store; `@ViewAction` generates the conformance.
///
/// ```swift
/// @MainActor @ViewAction(for: Login.self)
/// struct LoginView {
///   let store: StoreOf<Login>
///   func tap() { send(.logInButtonTapped) }  // store.send(.view(.logInButtonTapped))
/// }
/// ```
@MainActor
public protocol ViewActionSending<StoreState, StoreAction> {
  /// The state type of the store.
  associatedtype StoreState
  /// The action type of the store.
  associatedtype StoreAction: ViewAction

  /// The store that handles the actions.
  var store: Store<StoreState, StoreAction> { get }
}

extension ViewActionSending {
  /// Sends a view action to the store.
  @discardableResult
  public func send(_ action: StoreAction.ViewAction) -> StoreTask {
    store.send(.view(action))
  }
}

extension Store: CustomDebugStringConvertible {
  /// The store's type in its shortest spelling: `StoreOf<Feature>`, `StoreOf<Feature?>`, `StackStoreOf<Path>`.
  nonisolated public var debugDescription: String {
    StoreTypeName.of(state: State.self, action: Action.self)
  }
}

/// The shortest spelling of a store's type.
private enum StoreTypeName {
  static func of(state: Any.Type, action: Any.Type) -> String {
    let (state, action) = (LogTypeName.of(state), LogTypeName.of(action))
    let shapes = [
      ("StoreOf<", ">", "", "", "", ""),
      ("StoreOf<", "?>", "Optional<", ">", "", ""),
      ("PresentationStoreOf<", ">", "PresentationState<", ">", "PresentationAction<", ">"),
    ]
    for (open, close, stateOpen, stateClose, actionOpen, actionClose) in shapes {
      guard
        let inner = state.within(stateOpen, stateClose),
        let feature = inner.within("", ".State"),
        action.within(actionOpen, actionClose) == "\(feature).Action"
      else { continue }
      return open + feature + close
    }
    return collection(state, action) ?? "Store<\(state), \(action)>"
  }

  /// Returns the type name for the store of a list or a stack; `nil` for another store.
  private static func collection(_ state: String, _ action: String) -> String? {
    if let inner = state.within("StackState<", ">"), let feature = inner.within("", ".State"),
      action == "StackAction<\(feature).State, \(feature).Action>"
    {
      return "StackStoreOf<\(feature)>"
    }
    // Both generic types list the id first. The feature follows it.
    guard
      let ids = action.within("IdentifiedAction<", ".Action>"),
      let comma = ids.lastIndex(of: ",")
    else { return nil }
    let feature = ids[ids.index(comma, offsetBy: 2)...]
    return state == "IdentifiedArray<\(ids[..<comma]), \(feature).State>"
      ? "IdentifiedStoreOf<\(feature)>" : nil
  }
}

extension String {
  /// Returns the text between a prefix and a suffix; `nil` if either is missing.
  fileprivate func within(_ open: String, _ close: String) -> String? {
    guard hasPrefix(open), hasSuffix(close), count >= open.count + close.count else { return nil }
    return String(dropFirst(open.count).dropLast(close.count))
  }
}
