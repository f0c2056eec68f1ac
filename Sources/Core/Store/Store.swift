import ActionLog
public import Observation
import Synchronization

/// The running app or a part of it, which holds the state, takes actions and runs effects.
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
  /// What views show of a stack, in the store of one.
  var shownStack: ShownStack?

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
    self.init(
      state: { _ in initialState() },
      reducer: reducer,
      withDependencies: prepareDependencies,
      at: IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    )
  }

  /// Makes a store whose state is not simply there, but read from a log.
  ///
  /// - Parameters:
  ///   - state: Makes the state, with the dependencies set.
  ///   - reducer: Builds the reducer, with the dependencies set.
  ///   - prepareDependencies: Sets dependencies for this store.
  ///   - location: The place of the call.
  /// - Throws: What `state` throws.
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
  /// Effects that the library runs for its own needs, such as for a presented child, do not count.
  package var unfinishedEffects: [EffectID] { core.unfinishedEffects }

  /// The place in a log where the store has begun, for the root store; `nil` for any other.
  package var resumption: StoreResumption? { core.resumption }

  /// Starts an effect that no action has returned, in a root store.
  ///
  /// - Parameters:
  ///   - effect: The effect.
  ///   - alias: The id in the effect that the id of a cancellation reaches besides those that are equal to it.
  package func start(
    _ effect: Effect<Action>,
    reachedBy alias: @escaping @Sendable (CancelID) -> CancelID?
  ) {
    core.start(effect, reachedBy: alias)
  }

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

/// The work that one `send` started: the effects of its action, and those of the actions they send.
///
/// ```swift
/// await store.send(.refresh).finish()
/// ```
public struct StoreTask: Sendable {
  private let work: Work?
  private let registry: EffectRegistry
  let group: Int

  init(group: Int, in registry: EffectRegistry, hasWork: Bool) {
    self.group = group
    self.registry = registry
    self.work = hasWork ? registry.work(of: group) : nil
  }

  /// Cancels all effects that go back to the `send`.
  public func cancel() {
    guard work != nil else { return }
    registry.cancel(group: group)
  }

  /// Waits for all effects that go back to the `send`; cancelling the wait cancels them.
  ///
  /// A feature that an action presents is work of its `send` until it is dismissed. Features presented before are not.
  public func finish() async {
    guard work != nil else { return }
    await withTaskCancellationHandler {
      await registry.waitUntilIdle(group)
    } onCancel: {
      cancel()
    }
  }

  /// Whether the work was cancelled; true also when there was none.
  ///
  /// ```swift
  /// let task = store.send(.refresh)
  /// task.cancel()
  /// task.isCancelled  // true
  /// ```
  public var isCancelled: Bool {
    work?.isCancelled ?? true
  }
}

extension StoreTask {
  /// Whether nothing is left to wait for.
  var isFinished: Bool {
    work == nil || registry.isIdle(group)
  }
}

extension StoreTask: Hashable {
  /// Whether two tasks go back to the same `send`.
  public static func == (lhs: StoreTask, rhs: StoreTask) -> Bool {
    lhs.registry === rhs.registry && lhs.group == rhs.group
  }

  /// Hashes the identity of the task.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(registry))
    hasher.combine(group)
  }
}

extension StoreTask {
  /// Outlives the work, so that a task can be asked whether it was cancelled.
  final class Work: Sendable {
    private let flag = Atomic(false)

    var isCancelled: Bool { flag.load(ordering: .acquiring) }

    func markCancelled() { flag.store(true, ordering: .releasing) }
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

  /// Makes an action of what a view sent.
  static func view(_ action: ViewAction) -> Self
}

/// A type, such as a view, that sends the view's part of a store's actions; `@ViewAction` writes the conformance.
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
  /// The state of the store.
  associatedtype StoreState
  /// The actions of the store.
  associatedtype StoreAction: ViewAction

  /// Where the actions go.
  var store: Store<StoreState, StoreAction> { get }
}

extension ViewActionSending {
  /// Sends an action of the view to the store.
  @discardableResult
  public func send(_ action: StoreAction.ViewAction) -> StoreTask {
    store.send(.view(action))
  }
}

extension Store: CustomDebugStringConvertible {
  /// The type as it would be written: `StoreOf<Feature>`, `StoreOf<Feature?>`, `StackStoreOf<Path>`.
  nonisolated public var debugDescription: String {
    StoreTypeName.of(state: State.self, action: Action.self)
  }
}

/// The shortest name of a store's type.
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

  /// The name of the store of a list or of a stack.
  private static func collection(_ state: String, _ action: String) -> String? {
    if let inner = state.within("StackState<", ">"), let feature = inner.within("", ".State"),
      action == "StackAction<\(feature).State, \(feature).Action>"
    {
      return "StackStoreOf<\(feature)>"
    }
    // The id comes first in both, and is the feature's own.
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
  /// The text between two others that begin and end this one.
  fileprivate func within(_ open: String, _ close: String) -> String? {
    guard hasPrefix(open), hasSuffix(close), count >= open.count + close.count else { return nil }
    return String(dropFirst(open.count).dropLast(close.count))
  }
}
