/// A reducer of the oldest style: a closure that is handed what the feature depends on, its environment.
///
/// ```swift
/// let counter = AnyReducer<CounterState, CounterAction, CounterEnvironment> { state, action, environment in
///   switch action {
///   case .factButtonTapped:
///     return .task { .factResponse(try await environment.fact(state.count)) }
///   case .factResponse(let fact):
///     state.fact = fact
///     return .none
///   }
/// }
/// ```
///
/// Such reducers can be used in new ones, with `Reduce(_:environment:)`, and new ones in such reducers, with
/// `AnyReducer { environment in Feature() }`, so that an app can be moved over one feature at a time. Effects of all of them
/// share the ids of the feature around them, as they always have.
@available(*, deprecated, message: "Write the feature as a type that conforms to \"Reducer\".")
public struct AnyReducer<State, Action, Environment> {
  private let reducer: (inout State, Action, Environment) -> Effect<Action>

  /// Makes a reducer of a closure.
  public init(
    _ reducer:
      @escaping (
        _ state: inout State, _ action: Action, _ environment: Environment
      ) -> Effect<Action>
  ) {
    self.reducer = reducer
  }

  /// Changes the state by an action.
  ///
  /// - Parameters:
  ///   - state: The state.
  ///   - action: The action.
  ///   - environment: What the feature depends on.
  /// - Returns: What is to be done after it.
  public func run(
    _ state: inout State,
    _ action: Action,
    _ environment: Environment
  ) -> Effect<Action> {
    reducer(&state, action, environment)
  }

  /// Changes the state by an action.
  public func callAsFunction(
    _ state: inout State,
    _ action: Action,
    _ environment: Environment
  ) -> Effect<Action> {
    reducer(&state, action, environment)
  }
}

@available(*, deprecated)
extension AnyReducer {
  /// A reducer that does nothing.
  public static var empty: AnyReducer {
    AnyReducer { _, _, _ in .none }
  }

  /// Runs reducers in order, each on the state that the one before has left.
  ///
  /// - Parameter reducers: The reducers; a child's stands before its parent's.
  /// - Returns: One reducer, whose effects are those of all.
  public static func combine(_ reducers: AnyReducer...) -> AnyReducer {
    combine(reducers)
  }

  /// Runs reducers in order, each on the state that the one before has left.
  public static func combine(_ reducers: [AnyReducer]) -> AnyReducer {
    AnyReducer { state, action, environment in
      .merge(reducers.map { $0.run(&state, action, environment) })
    }
  }

  /// Runs another reducer after this one.
  public func combined(with other: AnyReducer) -> AnyReducer {
    .combine(self, other)
  }
}
