/// What happens in a stack of features.
///
/// ```swift
/// enum Action { case path(StackActionOf<Path>) }
/// store.send(\.path[id: 0].detail.closeButtonTapped)
/// ```
@CasePathable
public indirect enum StackAction<State, Action> {
  /// An action of the element with an id.
  case element(id: StackElementID, action: Action)
  /// The element with an id goes, and all above it.
  case popFrom(id: StackElementID)
  /// A new element comes to the top.
  case push(id: StackElementID, state: State)
}

/// What happens in a stack of features that a reducer runs.
public typealias StackActionOf<R: Reducer> = StackAction<R.State, R.Action>

extension StackAction: Equatable where State: Equatable, Action: Equatable {}
extension StackAction: Hashable where State: Hashable, Action: Hashable {}
extension StackAction: Sendable where State: Sendable, Action: Sendable {}

extension StackAction.AllCasePaths {
  /// The actions of the element with an id: `\.path[id: 0].detail`.
  public subscript(id id: StackElementID) -> AnyCasePath<StackAction, Action> {
    AnyCasePath(
      embed: { .element(id: id, action: $0) },
      extract: {
        guard case .element(id, let action) = $0 else { return nil }
        return action
      }
    )
  }
}
