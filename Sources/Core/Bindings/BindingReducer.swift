import Synchronization

/// A reducer that handles binding actions by setting the properties that they specify.
///
/// Reducers that run after this one see the new values.
///
/// ```swift
/// var body: some ReducerOf<Self> {
///   BindingReducer()
///   Reduce { state, action in
///     switch action {
///     case .binding(\.name): ...
/// ```
public struct BindingReducer<State, Action, ViewAction: BindableAction>: Reducer
where State == ViewAction.State {
  @usableFromInline let extract: (Action) -> ViewAction?

  /// Creates a reducer that handles the binding actions of the feature's action type.
  @inlinable
  public init() where Action == ViewAction {
    extract = { $0 }
  }

  /// Creates a reducer that handles the binding actions inside one case of the action, such as the view actions.
  @inlinable
  public init(action: CaseName<Action, ViewAction>) where Action: CasePathable {
    extract = AnyCasePath(named: action).extract(from:)
  }

  /// Creates a reducer that handles the binding actions inside a nested case of the action.
  @_disfavoredOverload
  public init(action: CaseKeyPath<Action, ViewAction>) {
    extract = AnyCasePath(action).extract(from:)
  }

  /// Creates a reducer that handles the binding actions that a function extracts from the feature's actions.
  @inlinable
  public init(action extract: @escaping (_ action: Action) -> ViewAction?) {
    self.extract = extract
  }

  /// Sets the property that a binding action specifies, and ignores all other actions.
  @inlinable
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    guard let binding = extract(action)?.binding else { return .none }
    binding.receipt?.markHandled()
    binding.set(&state)
    return .none
  }
}

extension Store {
  /// Sends a binding action with a receipt, which reports an issue if no reducer handles the action.
  fileprivate func set<Root, Value: Equatable & Sendable>(
    _ keyPath: WritableKeyPath<Root, Value>,
    _ value: Value,
    _ embed: (BindingAction<Root>) -> Action
  ) {
    guard core.isPresent else { return }
    var binding = BindingAction.set(keyPath, value)
    binding.receipt = UnhandledBindingDetector(
      of: embed(binding),
      settingPropertyOf: Root.self,
      at: core.location
    )
    send(embed(binding))
  }
}

extension Store where State: ObservableState, Action: BindableAction, Action.State == State {
  /// A property of the state.
  ///
  /// Setting the property sends a binding action.
  public subscript<Value: Equatable & Sendable>(
    dynamicMember keyPath: WritableKeyPath<State, Value>
  ) -> Value {
    get { state[keyPath: keyPath] }
    set { set(keyPath, newValue) { .binding($0) } }
  }
}

extension Store
where
  State: ObservableState,
  Action: ViewAction,
  Action.ViewAction: BindableAction,
  Action.ViewAction.State == State
{
  /// A property of the state.
  ///
  /// Setting the property sends a view action that wraps a binding action.
  public subscript<Value: Equatable & Sendable>(
    dynamicMember keyPath: WritableKeyPath<State, Value>
  ) -> Value {
    get { state[keyPath: keyPath] }
    set { set(keyPath, newValue) { .view(.binding($0)) } }
  }
}

/// A receipt that reports an issue if a binding action of a store is released before a reducer has handled the action.
@usableFromInline
final class UnhandledBindingDetector: Sendable {
  private let isHandled = Atomic(false)
  /// The action without its receipt.
  ///
  /// Unsafe, but the value is immutable and used just for messages.
  nonisolated(unsafe) private let action: Any
  private let state: Any.Type
  /// The source location of the call that created the root store.
  private let location: IssueLocation

  init(of action: Any, settingPropertyOf state: Any.Type, at location: IssueLocation) {
    self.action = action
    self.state = state
    self.location = location
  }

  @usableFromInline
  func markHandled() {
    isHandled.store(true, ordering: .releasing)
  }

  deinit {
    guard !isHandled.load(ordering: .acquiring) else { return }
    reportIssue(Messages.unhandledBinding(action, of: state, at: location), at: location)
  }
}
