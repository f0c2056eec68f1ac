/// Sets the properties that binding actions name.
///
/// Reducers below it see the new values.
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
  private let extract: (Action) -> ViewAction?

  /// Handles the binding actions of a feature.
  public init() where Action == ViewAction {
    extract = { $0 }
  }

  /// Handles the binding actions inside a case, such as that of a view.
  public init(action: CaseKeyPath<Action, ViewAction>) {
    extract = AnyCasePath(action).extract(from:)
  }

  /// Handles the binding actions that a function finds.
  public init(action extract: @escaping (_ action: Action) -> ViewAction?) {
    self.extract = extract
  }

  /// Sets the property that the action names.
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    guard let binding = extract(action)?.binding else { return .none }
    binding.receipt?.markHandled()
    binding.set(&state)
    return .none
  }
}
