extension TestStore {
  /// Makes a test store of a feature of the oldest style.
  ///
  /// - Parameters:
  ///   - initialState: The state to begin with.
  ///   - reducer: The feature.
  ///   - environment: What it depends on.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  @available(*, deprecated, message: "Use \"init(initialState:reducer:withDependencies:)\".")
  public convenience init<Environment>(
    initialState: State,
    reducer: AnyReducer<State, Action, Environment>,
    environment: Environment,
    fileID: StaticString = #fileID,
    file filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let environment = TestEnvironment(environment)
    self.init(
      initialState: initialState,
      reducer: {
        Reduce { state, action in reducer.run(&state, action, environment.value) }
      },
      fileID: fileID,
      file: filePath,
      line: line,
      column: column
    )
    legacyEnvironment = environment
  }

  /// Makes a test store.
  ///
  /// - Parameters:
  ///   - initialState: The state to begin with, made with the dependencies set.
  ///   - reducer: The feature, made with the dependencies set.
  ///   - prepareDependencies: Sets dependencies for this store; called once.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  @available(*, deprecated, message: "Build the reducer in a closure: \"reducer: { Feature() }\".")
  public convenience init<R: Reducer<State, Action>>(
    initialState: @autoclosure () -> R.State,
    reducer: @autoclosure () -> R,
    prepareDependencies: (inout DependencyValues) -> Void = { _ in },
    fileID: StaticString = #fileID,
    file filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    self.init(
      initialState: initialState(),
      reducer: { reducer() },
      withDependencies: prepareDependencies,
      fileID: fileID,
      file: filePath,
      line: line,
      column: column
    )
  }
}

/// What a feature of the oldest style depends on, to be changed by its test.
final class TestEnvironment<Environment> {
  var value: Environment

  init(_ value: Environment) {
    self.value = value
  }
}
