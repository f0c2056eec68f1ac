/// Builds a reducer of the reducers that are written one below the other.
///
/// They run from top to bottom on the same state; their effects are merged.
@resultBuilder
public enum ReducerBuilder<State, Action> {
  /// Nothing written: a reducer that does nothing.
  public static func buildBlock() -> EmptyReducer<State, Action> {
    EmptyReducer()
  }

  /// One reducer.
  public static func buildBlock<R: Reducer<State, Action>>(_ reducer: R) -> R {
    reducer
  }

  /// A reducer as it is written.
  ///
  /// The second parameter, of which builders know nothing, keeps hidden types from being opened here: what came of it would
  /// be hidden again, and no part of a body.
  public static func buildExpression<R: Reducer<State, Action>>(
    _ reducer: R,
    _: R.Type = R.self
  ) -> R {
    reducer
  }

  /// A reducer whose type is hidden.
  ///
  /// Last among equals: hiding the types of all reducers would box each of them for every action.
  @_disfavoredOverload
  public static func buildExpression(
    _ reducer: any Reducer<State, Action>
  ) -> Reduce<State, Action> {
    func hide(_ reducer: some Reducer<State, Action>) -> Reduce<State, Action> { Reduce(reducer) }
    return hide(reducer)
  }

  /// The first reducer.
  public static func buildPartialBlock<R: Reducer<State, Action>>(first reducer: R) -> R {
    reducer
  }

  /// The reducers so far, and the next.
  public static func buildPartialBlock<R0: Reducer<State, Action>, R1: Reducer<State, Action>>(
    accumulated: R0,
    next: R1
  ) -> ReducerSequence<R0, R1> {
    ReducerSequence(accumulated, next)
  }

  /// The reducer of the first branch.
  public static func buildEither<R0: Reducer<State, Action>, R1: Reducer<State, Action>>(
    first reducer: R0
  ) -> ConditionalReducer<R0, R1> {
    .first(reducer)
  }

  /// The reducer of the second branch.
  public static func buildEither<R0: Reducer<State, Action>, R1: Reducer<State, Action>>(
    second reducer: R1
  ) -> ConditionalReducer<R0, R1> {
    .second(reducer)
  }

  /// The reducer of an `if` without `else`.
  public static func buildOptional<R: Reducer<State, Action>>(_ reducer: R?) -> R? {
    reducer
  }

  /// The reducers of a loop.
  public static func buildArray<R: Reducer<State, Action>>(_ reducers: [R]) -> ReducerArray<R> {
    ReducerArray(reducers)
  }

  /// A reducer that not every system has.
  public static func buildLimitedAvailability<R: Reducer<State, Action>>(
    _ reducer: R
  ) -> Reduce<State, Action> {
    Reduce(reducer)
  }

  /// The finished reducer.
  public static func buildFinalResult<R: Reducer<State, Action>>(_ reducer: R) -> R {
    reducer
  }
}
