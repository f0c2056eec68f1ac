/// Runs a child's reducer on a part of the parent's state and one case of its actions.
///
/// ```swift
/// Scope(\.profile, action: \.profile) { Profile() }
/// ```
///
/// All other actions pass it by. The child shares the parent's ids of effects.
public struct Scope<ParentState, ParentAction, Child: Reducer>: Reducer {
  private let state: WritableKeyPath<ParentState, Child.State>
  private let action: AnyCasePath<ParentAction, Child.Action>
  private let child: Child

  /// Runs a child's reducer on a part of the parent.
  ///
  /// - Parameters:
  ///   - state: Where the child's state is.
  ///   - action: Which of the parent's actions are the child's.
  ///   - child: Builds the child's reducer.
  public init<ChildState, ChildAction>(
    _ state: WritableKeyPath<ParentState, ChildState>,
    action: CaseKeyPath<ParentAction, ChildAction>,
    @ReducerBuilder<ChildState, ChildAction> child: () -> Child
  ) where Child.State == ChildState, Child.Action == ChildAction {
    self.state = state
    self.action = AnyCasePath(action)
    self.child = child()
  }

  /// Runs a child's reducer on a part of the parent.
  ///
  /// - Parameters:
  ///   - state: Where the child's state is.
  ///   - action: Which of the parent's actions are the child's.
  ///   - child: Builds the child's reducer.
  public init<ChildState, ChildAction>(
    state: WritableKeyPath<ParentState, ChildState>,
    action: CaseKeyPath<ParentAction, ChildAction>,
    @ReducerBuilder<ChildState, ChildAction> child: () -> Child
  ) where Child.State == ChildState, Child.Action == ChildAction {
    self.init(state, action: action, child: child)
  }

  /// Hands the child its actions.
  public func reduce(
    into parent: inout ParentState,
    action parentAction: ParentAction
  ) -> Effect<ParentAction> {
    guard let childAction = action.extract(from: parentAction) else { return .none }
    let effect = child._reduce(into: &parent[keyPath: state], action: childAction)
    return effect.isNone ? .none : effect.map { [action] in action.embed($0) }
  }
}
