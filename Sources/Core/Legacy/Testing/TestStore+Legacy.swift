extension TestStore {
  /// Creates a test store that runs an `AnyReducer`.
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

  /// Creates a test store from a feature.
  ///
  /// - Parameters:
  ///   - initialState: The state of the store before its first action, evaluated with the prepared dependencies.
  ///   - reducer: The feature, evaluated with the prepared dependencies.
  ///   - prepareDependencies: A closure that changes the dependencies of the store, called once.
  ///   - fileID: The module and name of the file that contains the call.
  ///   - filePath: The path of the file that contains the call.
  ///   - line: The line number of the call.
  ///   - column: The column number of the call.
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

/// The environment that a test store passes to an `AnyReducer`, which the test can change.
final class TestEnvironment<Environment> {
  var value: Environment

  init(_ value: Environment) {
    self.value = value
  }
}

extension TestStore {
  /// Waits for an effect to send an action with a case, and asserts the state changes that the action causes.
  ///
  /// - Parameters:
  ///   - action: The case path of the expected action: `/Action.response`.
  ///   - timeout: The maximum time to wait; `nil` for the timeout of the store.
  ///   - update: A closure that applies the expected changes to the previous state.
  ///   - fileID: The module and name of the file that contains the call.
  ///   - filePath: The path of the file that contains the call.
  ///   - line: The line number of the call.
  ///   - column: The column number of the call.
  @available(iOS, deprecated: 9999, message: "Use a case key path.")
  @available(macOS, deprecated: 9999, message: "Use a case key path.")
  @available(tvOS, deprecated: 9999, message: "Use a case key path.")
  @available(watchOS, deprecated: 9999, message: "Use a case key path.")
  @_disfavoredOverload
  public func receive<Value>(
    _ action: AnyCasePath<Action, Value>,
    timeout: Duration? = nil,
    assert update: ((_ state: inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID,
    file filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    let isMatching: (Action) -> Bool = { action.extract(from: $0) != nil }
    await receive(
      isMatching,
      timeout: timeout,
      assert: update,
      fileID: fileID,
      file: filePath,
      line: line,
      column: column
    )
  }

  /// Waits for an effect to send an action, and asserts how the action changes the state.
  ///
  /// The timeout is in nanoseconds.
  @_disfavoredOverload
  @available(*, deprecated, message: "Use a \"Duration\", such as \".seconds(1)\".")
  public func receive(
    _ action: Action,
    timeout nanoseconds: UInt64,
    assert update: ((_ state: inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID,
    file filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async where Action: Equatable {
    await receive(
      action,
      timeout: .nanoseconds(Int64(clamping: nanoseconds)),
      assert: update,
      fileID: fileID,
      file: filePath,
      line: line,
      column: column
    )
  }

  /// Waits for an effect to send an action with a case, and asserts how the action changes the state.
  ///
  /// The timeout is in nanoseconds.
  @_disfavoredOverload
  @available(*, deprecated, message: "Use a \"Duration\", such as \".seconds(1)\".")
  public func receive<Value>(
    _ action: AnyCasePath<Action, Value>,
    timeout nanoseconds: UInt64,
    assert update: ((_ state: inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID,
    file filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    await receive(
      action,
      timeout: .nanoseconds(Int64(clamping: nanoseconds)),
      assert: update,
      fileID: fileID,
      file: filePath,
      line: line,
      column: column
    )
  }

  /// Waits for the end of all effects, with a timeout in nanoseconds.
  @_disfavoredOverload
  @available(*, deprecated, message: "Use a \"Duration\", such as \".seconds(1)\".")
  public func finish(
    timeout nanoseconds: UInt64,
    fileID: StaticString = #fileID,
    file filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    await finish(
      timeout: .nanoseconds(Int64(clamping: nanoseconds)),
      fileID: fileID,
      file: filePath,
      line: line,
      column: column
    )
  }
}

extension TestStoreTask {
  /// Waits for the end of the action's effects, with a timeout in nanoseconds.
  @_disfavoredOverload
  @available(*, deprecated, message: "Use a \"Duration\", such as \".seconds(1)\".")
  public func finish(
    timeout nanoseconds: UInt64,
    fileID: StaticString = #fileID,
    file filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    await finish(
      timeout: .nanoseconds(Int64(clamping: nanoseconds)),
      fileID: fileID,
      file: filePath,
      line: line,
      column: column
    )
  }
}
