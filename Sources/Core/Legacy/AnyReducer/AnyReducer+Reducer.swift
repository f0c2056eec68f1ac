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
