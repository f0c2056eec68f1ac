extension Optional: Reducer where Wrapped: Reducer {
  /// Runs the reducer if there is one.
  public func reduce(
    into state: inout Wrapped.State,
    action: Wrapped.Action
  ) -> Effect<Wrapped.Action> {
    self?._reduce(into: &state, action: action) ?? .none
  }
}
