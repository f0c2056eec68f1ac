extension TestStore {
  /// Creates a test store of an `AnyReducer`.
  ///
  /// - Parameters:
  ///   - initialState: The initial state.
  ///   - reducer: The reducer.
  ///   - environment: The dependencies of the reducer.
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

  /// Creates a test store.
  ///
  /// - Parameters:
  ///   - initialState: The initial state, evaluated with the prepared dependencies.
  ///   - reducer: The feature, evaluated with the prepared dependencies.
  ///   - prepareDependencies: Sets dependencies for this store. Called once.
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

/// The environment of an `AnyReducer` in a test, which the test can change.
final class TestEnvironment<Environment> {
  var value: Environment

  init(_ value: Environment) {
    self.value = value
  }
}

extension TestStore {
  /// Receives an action with a given case.
  ///
  /// - Parameters:
  ///   - action: The case: `/Action.response`.
  ///   - timeout: The time to wait. If `nil`, the timeout of the store applies.
  ///   - update: Applies the expected changes to the state.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
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

  /// Receives an action, with a timeout in nanoseconds.
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

  /// Receives an action with a given case, with a timeout in nanoseconds.
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

  /// Waits for all effects, with a timeout in nanoseconds.
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
  /// Waits for the effects of the action, with a timeout in nanoseconds.
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
