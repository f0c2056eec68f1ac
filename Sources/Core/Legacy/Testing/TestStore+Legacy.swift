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

/// The environment of a feature of the oldest style, which its test can change.
final class TestEnvironment<Environment> {
  var value: Environment

  init(_ value: Environment) {
    self.value = value
  }
}

extension TestStore {
  /// Receives an action of a case.
  ///
  /// - Parameters:
  ///   - action: The case: `/Action.response`.
  ///   - timeout: How long to wait; that of the store when nil.
  ///   - update: Sets what is expected of the state.
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

  /// Receives an action within a number of nanoseconds.
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

  /// Receives an action of a case within a number of nanoseconds.
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

  /// Waits for all effects, for a number of nanoseconds.
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
  /// Waits for the effects of the action, for a number of nanoseconds.
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
