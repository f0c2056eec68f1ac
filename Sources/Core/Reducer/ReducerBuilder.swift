/// A result builder that composes reducers into one.
///
/// The reducers run from top to bottom on the same state, and their effects are merged.
///
/// ```swift
/// @ReducerBuilder<Feature.State, Feature.Action>
/// var body: some Reducer<Feature.State, Feature.Action> {
///   Feature()
///   if isPremium { Sync() } else { Advertising() }
///   for plugin in plugins { plugin }
/// }
/// ```
@resultBuilder
public enum ReducerBuilder<State, Action> {
  /// Returns an empty reducer for an empty closure.
  @inlinable
  public static func buildBlock() -> EmptyReducer<State, Action> {
    EmptyReducer()
  }

  /// Returns the reducer of a closure with one statement, unchanged.
  @inlinable
  public static func buildBlock<R: Reducer<State, Action>>(_ reducer: R) -> R {
    reducer
  }

  /// Returns a reducer of a concrete type unchanged.
  ///
  /// The second parameter, which has a default value, keeps Swift from opening existential reducers in this overload.
  /// Otherwise, the result would be an existential, which a body can't contain.
  @inlinable
  public static func buildExpression<R: Reducer<State, Action>>(
    _ reducer: R,
    _: R.Type = R.self
  ) -> R {
    reducer
  }

  /// Wraps an existential reducer in a reducer of a concrete type.
  ///
  /// This overload is disfavored, because wrapping all reducers would box each of them for every action.
  @_disfavoredOverload
  @inlinable
  public static func buildExpression(
    _ reducer: any Reducer<State, Action>
  ) -> Reduce<State, Action> {
    func hide(_ reducer: some Reducer<State, Action>) -> Reduce<State, Action> { Reduce(reducer) }
    return hide(reducer)
  }

  /// Returns the first reducer of a block, unchanged.
  @inlinable
  public static func buildPartialBlock<R: Reducer<State, Action>>(first reducer: R) -> R {
    reducer
  }

  /// Returns a reducer that runs the reducers before a statement, and then the reducer of the statement.
  @inlinable
  public static func buildPartialBlock<R0: Reducer<State, Action>, R1: Reducer<State, Action>>(
    accumulated: R0,
    next: R1
  ) -> ReducerSequence<R0, R1> {
    ReducerSequence(accumulated, next)
  }

  /// Returns the reducer of the first branch of an `if` or `switch` statement.
  @inlinable
  public static func buildEither<R0: Reducer<State, Action>, R1: Reducer<State, Action>>(
    first reducer: R0
  ) -> ConditionalReducer<R0, R1> {
    .first(reducer)
  }

  /// Returns the reducer of the second branch of an `if` or `switch` statement.
  @inlinable
  public static func buildEither<R0: Reducer<State, Action>, R1: Reducer<State, Action>>(
    second reducer: R1
  ) -> ConditionalReducer<R0, R1> {
    .second(reducer)
  }

  /// Returns the reducer of an `if` statement without `else`, or `nil` if the condition is false.
  @inlinable
  public static func buildOptional<R: Reducer<State, Action>>(_ reducer: R?) -> R? {
    reducer
  }

  /// Returns a reducer that runs the reducers of all iterations of a `for` loop, in order.
  @inlinable
  public static func buildArray<R: Reducer<State, Action>>(_ reducers: [R]) -> ReducerArray<R> {
    ReducerArray(reducers)
  }

  /// Returns a reducer that hides the type of the reducer in an `if #available` statement.
  @inlinable
  public static func buildLimitedAvailability<R: Reducer<State, Action>>(
    _ reducer: R
  ) -> Reduce<State, Action> {
    Reduce(reducer)
  }

  /// Returns the composed reducer, unchanged.
  @inlinable
  public static func buildFinalResult<R: Reducer<State, Action>>(_ reducer: R) -> R {
    reducer
  }
}

/// A reducer that runs two reducers in order.
///
/// ```swift
/// CombineReducers {
///   Feature()
///   Analytics()  // a ReducerSequence<Feature, Analytics>
/// }
/// ```
public struct ReducerSequence<First: Reducer, Second: Reducer>: Reducer
where First.State == Second.State, First.Action == Second.Action {
  @usableFromInline let first: First
  @usableFromInline let second: Second

  @inlinable
  init(_ first: First, _ second: Second) {
    self.first = first
    self.second = second
  }

  /// Runs both reducers in order and merges their effects.
  @inlinable
  public func reduce(
    into state: inout First.State,
    action: First.Action
  ) -> Effect<First.Action> {
    let effect = first._reduce(into: &state, action: action)
    return effect.merge(with: second._reduce(into: &state, action: action))
  }
}

/// A reducer that runs the reducers of a `for` loop in order.
///
/// ```swift
/// CombineReducers {
///   for plugin in plugins { plugin }  // a ReducerArray<Analytics>
/// }
/// ```
public struct ReducerArray<Element: Reducer>: Reducer {
  @usableFromInline let reducers: [Element]

  @inlinable
  init(_ reducers: [Element]) {
    self.reducers = reducers
  }

  /// Runs all reducers in order and merges their effects.
  @inlinable
  public func reduce(
    into state: inout Element.State,
    action: Element.Action
  ) -> Effect<Element.Action> {
    var effects: [Effect<Element.Action>] = []
    for reducer in reducers {
      effects.append(reducer._reduce(into: &state, action: action))
    }
    return .merge(effects)
  }
}

/// A reducer that runs one of two reducers, depending on the branch of a statement.
///
/// ```swift
/// CombineReducers {
///   if isPremium { Feature() } else { Analytics() }  // a ConditionalReducer<Feature, Analytics>
/// }
/// ```
public enum ConditionalReducer<First: Reducer, Second: Reducer>: Reducer
where First.State == Second.State, First.Action == Second.Action {
  /// The reducer of the first branch.
  case first(First)
  /// The reducer of the second branch.
  case second(Second)

  /// Runs the reducer of the selected branch.
  @inlinable
  public func reduce(
    into state: inout First.State,
    action: First.Action
  ) -> Effect<First.Action> {
    switch self {
    case .first(let reducer): reducer._reduce(into: &state, action: action)
    case .second(let reducer): reducer._reduce(into: &state, action: action)
    }
  }
}
