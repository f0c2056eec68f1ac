/// A reducer that does nothing.
public struct EmptyReducer<State, Action>: Reducer, Sendable {
  /// Makes the reducer.
  public init() {}

  /// Leaves the state as it is.
  public func reduce(into _: inout State, action _: Action) -> Effect<Action> {
    .none
  }
}
