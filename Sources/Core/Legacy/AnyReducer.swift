/// A reducer of the original API, which is a closure that receives an environment with the feature's dependencies.
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
/// `Reduce(_:environment:)` embeds an `AnyReducer` in a `Reducer`. `AnyReducer { environment in Feature() }` embeds a
/// `Reducer` in an `AnyReducer`. An app can therefore migrate one feature at a time. All effects share the cancellation
/// ids of the enclosing feature, as in the original API.
@available(*, deprecated, message: "Write the feature as a type that conforms to \"Reducer\".")
public struct AnyReducer<State, Action, Environment> {
  private let reducer: (inout State, Action, Environment) -> Effect<Action>

  /// Creates a reducer from a closure that updates the state and returns an effect.
  public init(
    _ reducer:
      @escaping (
        _ state: inout State, _ action: Action, _ environment: Environment
      ) -> Effect<Action>
  ) {
    self.reducer = reducer
  }

  /// Updates the state for an action.
  ///
  /// - Parameters:
  ///   - state: The state to update.
  ///   - action: The action to handle.
  ///   - environment: The dependencies of the feature.
  /// - Returns: The effect to run after the action.
  public func run(
    _ state: inout State,
    _ action: Action,
    _ environment: Environment
  ) -> Effect<Action> {
    reducer(&state, action, environment)
  }

  /// Updates the state for an action, and returns the effect to run after the action.
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
  /// A reducer that ignores all actions.
  public static var empty: AnyReducer {
    AnyReducer { _, _, _ in .none }
  }

  /// Returns a reducer that runs several reducers in order.
  ///
  /// Each reducer receives the state that the previous one left.
  ///
  /// - Parameter reducers: The reducers to run. Pass a child before its parent.
  /// - Returns: A reducer that merges the effects of all reducers.
  public static func combine(_ reducers: AnyReducer...) -> AnyReducer {
    combine(reducers)
  }

  /// Returns a reducer that runs the reducers of an array in order.
  ///
  /// Each reducer receives the state that the previous one left.
  public static func combine(_ reducers: [AnyReducer]) -> AnyReducer {
    AnyReducer { state, action, environment in
      .merge(reducers.map { $0.run(&state, action, environment) })
    }
  }

  /// Returns a reducer that runs another reducer after this one.
  public func combined(with other: AnyReducer) -> AnyReducer {
    .combine(self, other)
  }
}

@available(*, deprecated)
extension AnyReducer where Action: BindableAction, State == Action.State {
  /// Returns a reducer that applies binding actions to the state and then runs this one.
  public func binding() -> AnyReducer {
    AnyReducer { state, action, environment in
      let effect = BindingReducer<State, Action, Action>()._reduce(into: &state, action: action)
      return effect.merge(with: run(&state, action, environment))
    }
  }
}

@available(*, deprecated)
extension AnyReducer {
  /// Returns a reducer that applies the binding actions of a case to the state and then runs this one.
  ///
  /// - Parameter toBindingAction: A closure that extracts a binding action from an action, or returns `nil`.
  /// - Returns: A reducer that applies binding actions and then runs this one.
  public func binding(
    action toBindingAction: @escaping (Action) -> BindingAction<State>?
  ) -> AnyReducer {
    AnyReducer { state, action, environment in
      if let binding = toBindingAction(action) {
        binding.receipt?.markHandled()
        binding.set(&state)
      }
      return run(&state, action, environment)
    }
  }
}

@available(*, deprecated)
extension AnyReducer {
  /// Creates a reducer from a feature that conforms to `Reducer`.
  ///
  /// ```swift
  /// let counter = AnyReducer<Counter.State, Counter.Action, AppEnvironment> { environment in
  ///   Counter().dependency(\.numberFact, environment.numberFact)
  /// }
  /// ```
  ///
  /// - Parameter build: A builder of the feature, called with the environment for every action.
  public init(
    @ReducerBuilder<State, Action> _ build:
      @escaping (_ environment: Environment) -> some Reducer<State, Action>
  ) {
    self.init { state, action, environment in
      // The route has no key path, because a pullback doesn't say which property of the state this reducer updates.
      let route = ScopeRoute.enter(.call)
      defer { route?.leave() }
      return build(environment)._reduce(into: &state, action: action)
    }
  }
}

extension Reduce {
  /// Creates a reducer that embeds an `AnyReducer` in a feature.
  ///
  /// ```swift
  /// Scope(state: \.counter, action: \.counter) {
  ///   Reduce(counter, environment: CounterEnvironment(fact: numberFact.fetch))
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - reducer: The reducer to embed.
  ///   - environment: The environment that `reducer` receives.
  @available(*, deprecated, message: "Write the feature as a type that conforms to \"Reducer\".")
  public init<Environment>(
    _ reducer: AnyReducer<State, Action, Environment>,
    environment: Environment
  ) {
    self.init { state, action in reducer.run(&state, action, environment) }
  }
}

extension Store {
  /// Creates a store that runs an `AnyReducer`.
  ///
  /// - Parameters:
  ///   - initialState: The state of the store before its first action.
  ///   - reducer: The reducer that handles the store's actions.
  ///   - environment: The environment that `reducer` receives.
  ///   - fileID: The module and name of the file that contains the call.
  ///   - filePath: The path of the file that contains the call.
  ///   - line: The line number of the call.
  ///   - column: The column number of the call.
  @available(*, deprecated, message: "Use \"init(initialState:reducer:withDependencies:)\".")
  public convenience init<Environment>(
    initialState: State,
    reducer: AnyReducer<State, Action, Environment>,
    environment: Environment,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    self.init(
      initialState: initialState,
      reducer: { Reduce(reducer, environment: environment) },
      fileID: fileID,
      filePath: filePath,
      line: line,
      column: column
    )
  }

  /// Creates a store from a feature.
  ///
  /// - Parameters:
  ///   - initialState: The state of the store before its first action, evaluated with the prepared dependencies.
  ///   - reducer: The feature, evaluated with the prepared dependencies.
  ///   - prepareDependencies: A closure that changes the dependencies of the store; `nil` to change none.
  ///   - fileID: The module and name of the file that contains the call.
  ///   - filePath: The path of the file that contains the call.
  ///   - line: The line number of the call.
  ///   - column: The column number of the call.
  @available(*, deprecated, message: "Build the reducer in a closure: \"reducer: { Feature() }\".")
  public convenience init<R: Reducer<State, Action>>(
    initialState: @autoclosure () -> R.State,
    reducer: @autoclosure () -> R,
    prepareDependencies: ((inout DependencyValues) -> Void)? = nil,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    self.init(
      initialState: initialState(),
      reducer: { reducer() },
      withDependencies: prepareDependencies,
      fileID: fileID,
      filePath: filePath,
      line: line,
      column: column
    )
  }
}
