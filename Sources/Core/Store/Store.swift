import ActionLog
public import Observation
import Synchronization

/// The runtime of an app or of one of its features, which stores the state, handles actions, and runs effects.
///
/// ```swift
/// let store = Store(initialState: Counter.State()) { Counter() }
/// store.send(.increment)
/// print(store.count)
/// ```
///
/// Reading the state inside `withObservationTracking` observes it.
@MainActor
@dynamicMemberLookup
public final class Store<State, Action> {
  let core: StoreCore<State, Action>
  var children: [ScopeID: AnyObject] = [:]
  /// The stores of the elements, by element id, if this store's state is a list or a stack.
  var elements: [AnyHashable: AnyObject] = [:]
  /// The UUIDs and stores of the elements that views show; `nil` unless this store's state is a stack in a view.
  var shownStack: StackViewCache?

  struct ScopeID: Hashable {
    let state: AnyKeyPath
    let action: AnyKeyPath
  }

  init(core: StoreCore<State, Action>) {
    self.core = core
  }

  /// Creates a store that runs a feature.
  ///
  /// ```swift
  /// let store = Store(initialState: Counter.State()) { Counter() }
  /// ```
  ///
  /// - Parameters:
  ///   - initialState: The state before the first action, evaluated with the store's dependencies.
  ///   - reducer: A closure that returns the reducer, called with the store's dependencies.
  ///   - prepareDependencies: A closure that changes the dependencies of the store; `nil` to change none.
  ///   - fileID: The module and name of the file that contains the call.
  ///   - filePath: The path of the file that contains the call.
  ///   - line: The line number of the call.
  ///   - column: The column number of the call.
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
  ///   - state: A closure that returns the initial state, called with the store's dependencies.
  ///   - reducer: A closure that returns the reducer, called with the store's dependencies.
  ///   - prepareDependencies: A closure that changes the dependencies of the store; `nil` to change none.
  ///   - location: The source location to which issues are attributed.
  /// - Throws: The error of `state`.
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

  /// The current state, which changes after the last action of a wave has been handled.
  ///
  /// A wave consists of an action and all actions that effects send while the store handles it.
  public var state: State {
    core.access()
    return core.state
  }

  /// A member of the current state.
  public subscript<Member>(dynamicMember keyPath: KeyPath<State, Member>) -> Member {
    state[keyPath: keyPath]
  }

  /// Sends an action to the reducer.
  ///
  /// ```swift
  /// store.send(.incrementButtonTapped)
  /// await store.send(.refreshButtonTapped).finish()
  /// ```
  ///
  /// When the call returns, the reducer has handled the action and all actions that its effects sent synchronously. A
  /// call while the store handles another action reports an issue and only enqueues the action.
  ///
  /// - Parameter action: The action to handle.
  /// - Returns: A task that can cancel the effects that the action started, or wait for their end.
  @discardableResult
  public func send(_ action: Action) -> StoreTask {
    core.send(action, origin: .view)
  }

  /// Sends an action with its origin to the reducer.
  @discardableResult
  package func send(_ action: Action, origin: ActionOrigin) -> StoreTask {
    core.send(action, origin: origin)
  }

  /// Whether no effect is running and no data of effects that have ended is stored.
  package var isIdle: Bool { core.isIdle }

  /// The ids that observers assigned to the effects that haven't ended.
  ///
  /// The list includes running effects, even if they are canceled, and effects that wait for other effects. It omits
  /// effects that the library runs for its own use, such as the effect of a presented child.
  package var unfinishedEffects: [EffectID] { core.unfinishedEffects }

  /// The log position from which a root store has resumed; `nil` for other stores.
  package var resumption: StoreResumption? { core.resumption }

  /// Starts an effect in a root store without an action.
  ///
  /// - Parameters:
  ///   - effect: The effect to start.
  ///   - alias: A function that returns, for a cancellation id, another id whose effects are also canceled, or `nil`.
  package func start(
    _ effect: Effect<Action>,
    reachedBy alias: @escaping @Sendable (CancelID) -> CancelID?
  ) {
    core.start(effect, reachedBy: alias)
  }

  /// Returns the store of a child whose state is a property of this store's state.
  ///
  /// ```swift
  /// let settings = store.scope(\.settings, action: \.settings)
  /// ```
  ///
  /// All calls with the same arguments return the same store.
  ///
  /// - Parameters:
  ///   - state: The key path from the state to the child's state.
  ///   - action: The case key path from the action to the child's action.
  /// - Returns: The store of the child.
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

  /// Returns the store of a child whose state is a property of this store's state.
  ///
  /// ```swift
  /// SettingsView(store: store.scope(state: \.settings, action: \.settings))
  /// ```
  ///
  /// - Parameters:
  ///   - state: The key path from the state to the child's state.
  ///   - action: The case key path from the action to the child's action.
  /// - Returns: The store of the child.
  public func scope<ChildState, ChildAction>(
    state: KeyPath<State, ChildState>,
    action: CaseKeyPath<Action, ChildAction>
  ) -> Store<ChildState, ChildAction> {
    scope(state, action: action)
  }
}

/// The store type for a feature: `StoreOf<Feature>`.
public typealias StoreOf<R: Reducer> = Store<R.State, R.Action>

extension Store: Observable {}

extension Store: Identifiable {}

extension Store: Hashable {
  /// Returns whether two values are the same store.
  nonisolated public static func == (lhs: Store, rhs: Store) -> Bool {
    lhs === rhs
  }

  /// Hashes the identity of the store.
  nonisolated public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}

/// An action type with a case `view`, whose payload is an action sent by a view.
///
/// ```swift
/// enum Action: ViewAction {
///   case view(View)
///   case saved
///   enum View { case saveButtonTapped }
/// }
/// ```
public protocol ViewAction<ViewAction> {
  /// The type of the actions that views send.
  associatedtype ViewAction

  /// Returns an action that wraps an action sent by a view.
  static func view(_ action: ViewAction) -> Self
}

/// A type, such as a view, that sends view actions to its store.
///
/// The macro `@ViewAction` generates the conformance.
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
  /// The type of the store's state.
  associatedtype StoreState
  /// The type of the store's actions.
  associatedtype StoreAction: ViewAction

  /// The store that handles the view actions.
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
  /// The type of the store in its shortest form, such as `StoreOf<Feature>`, `StoreOf<Feature?>`, or
  /// `StackStoreOf<Path>`.
  nonisolated public var debugDescription: String {
    StoreTypeName.of(state: State.self, action: Action.self)
  }
}

/// The functions that shorten the name of a store's type.
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

  /// Returns the short type name of a store whose state is a list or a stack, or `nil` for other stores.
  private static func collection(_ state: String, _ action: String) -> String? {
    if let inner = state.within("StackState<", ">"), let feature = inner.within("", ".State"),
      action == "StackAction<\(feature).State, \(feature).Action>"
    {
      return "StackStoreOf<\(feature)>"
    }
    // In both generic types, the id comes first and the feature second.
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
  /// Returns the text between a prefix and a suffix, or `nil` if the string lacks either of them.
  fileprivate func within(_ open: String, _ close: String) -> String? {
    guard hasPrefix(open), hasSuffix(close), count >= open.count + close.count else { return nil }
    return String(dropFirst(open.count).dropLast(close.count))
  }
}
