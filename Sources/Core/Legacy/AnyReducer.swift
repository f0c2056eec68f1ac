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
  /// - Parameter reducers: The reducers; a child's comes before its parent's.
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

@available(*, deprecated)
extension AnyReducer where Action: BindableAction, State == Action.State {
  /// Sets the properties that binding actions name, before this reducer runs.
  public func binding() -> AnyReducer {
    AnyReducer { state, action, environment in
      let effect = BindingReducer<State, Action, Action>()._reduce(into: &state, action: action)
      return effect.merge(with: run(&state, action, environment))
    }
  }
}

@available(*, deprecated)
extension AnyReducer {
  /// Sets the properties that the binding actions inside a case name, before this reducer runs.
  ///
  /// - Parameter toBindingAction: The binding action inside of an action.
  /// - Returns: Both together.
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
  /// A feature of the new style inside of the old.
  ///
  /// ```swift
  /// let counter = AnyReducer<Counter.State, Counter.Action, AppEnvironment> { environment in
  ///   Counter().dependency(\.numberFact, environment.numberFact)
  /// }
  /// ```
  ///
  /// - Parameter build: Builds the feature of the environment, for each action anew.
  public init(
    @ReducerBuilder<State, Action> _ build:
      @escaping (_ environment: Environment) -> some Reducer<State, Action>
  ) {
    self.init { state, action, environment in
      // A pullback does not say of which part of the state this is the reducer.
      let route = ScopeRoute.enter(.call)
      defer { route?.leave() }
      return build(environment)._reduce(into: &state, action: action)
    }
  }
}

extension Reduce {
  /// A feature of the oldest style inside of a new one.
  ///
  /// ```swift
  /// Scope(state: \.counter, action: \.counter) {
  ///   Reduce(counter, environment: CounterEnvironment(fact: numberFact.fetch))
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - reducer: The feature.
  ///   - environment: What it depends on.
  @available(*, deprecated, message: "Write the feature as a type that conforms to \"Reducer\".")
  public init<Environment>(
    _ reducer: AnyReducer<State, Action, Environment>,
    environment: Environment
  ) {
    self.init { state, action in reducer.run(&state, action, environment) }
  }
}

extension Store {
  /// Makes a store of a feature of the oldest style.
  ///
  /// - Parameters:
  ///   - initialState: The state to begin with.
  ///   - reducer: The feature.
  ///   - environment: What it depends on.
  ///   - fileID: The file of the call, which issues name.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
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

  /// Makes a store of a feature.
  ///
  /// - Parameters:
  ///   - initialState: The state to begin with, made with the dependencies set.
  ///   - reducer: The feature, made with the dependencies set.
  ///   - prepareDependencies: Sets dependencies for this store.
  ///   - fileID: The file of the call, which issues name.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
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
