extension ReducerBuilder {
  /// The finished reducer without its type, for a `body` that is a `Reduce`.
  @_disfavoredOverload
  @available(
    *,
    deprecated,
    message: "Declare the body as \"some Reducer<State, Action>\"."
  )
  public static func buildFinalResult<R: Reducer<State, Action>>(
    _ reducer: R
  ) -> Reduce<State, Action> {
    Reduce(reducer)
  }
}

/// The builder of another reducer's state and actions.
@available(*, deprecated, message: "Use \"ReducerBuilder<State, Action>\".")
public typealias ReducerBuilderOf<R: Reducer> = ReducerBuilder<R.State, R.Action>

extension Reducer {
  /// Prints each action and what it changed.
  @available(*, deprecated, renamed: "_printChanges")
  public func debug() -> _PrintChangesReducer<Self> {
    self._printChanges()
  }
}
