extension TestStore where Action: Equatable {
  /// Asserts that an effect has sent an action, and how that changed the state.
  ///
  /// ```swift
  /// await store.receive(.factResponse("1 is the loneliest number")) { $0.fact = … }
  /// ```
  ///
  /// Waits while effects run. When none runs and no action has come, that is an issue at once.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - timeout: How long to wait while effects run, the store's `timeout` when nil.
  ///   - update: Changes the state from before the action to the one that is expected after it;
  ///     none when it is not to change.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  public func receive(
    _ action: Action,
    timeout: Duration? = nil,
    assert update: ((_ state: inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID,
    file filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    let expectation = Expectation(
      description: Messages.anAction,
      action: action,
      matches: { $0 == action },
      mismatch: { Messages.difference(action, $0) }
    )
    let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    await receive(expectation, timeout: timeout, update, at: location)
  }
}

extension TestStore {
  /// Asserts that an effect has sent an action of a case, and how that changed the state.
  ///
  /// ```swift
  /// await store.receive(\.factResponse.success) { $0.isLoading = false }
  /// ```
  ///
  /// - Parameters:
  ///   - action: The case.
  ///   - timeout: How long to wait while effects run, the store's `timeout` when nil.
  ///   - update: Changes the state from before the action to the one that is expected after it.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  public func receive<Value>(
    _ action: CaseKeyPath<Action, Value>,
    timeout: Duration? = nil,
    assert update: ((_ state: inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID,
    file filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    let path = AnyCasePath(action)
    let expectation = Expectation(
      description: Messages.matchingCase,
      matches: { path.extract(from: $0) != nil },
      mismatch: { Messages.notMatching(Messages.matchingCase, $0) }
    )
    let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    await receive(expectation, timeout: timeout, update, at: location)
  }

  /// Asserts that an effect has sent an action of a case with a payload, and how that changed the
  /// state.
  ///
  /// ```swift
  /// await store.receive(\.factResponse.success, "1 is the loneliest number")
  /// ```
  ///
  /// - Parameters:
  ///   - action: The case.
  ///   - value: The payload.
  ///   - timeout: How long to wait while effects run, the store's `timeout` when nil.
  ///   - update: Changes the state from before the action to the one that is expected after it.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  public func receive<Value: Equatable>(
    _ action: CaseKeyPath<Action, Value>,
    _ value: Value,
    timeout: Duration? = nil,
    assert update: ((_ state: inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID,
    file filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    let path = AnyCasePath(action)
    let expectation = Expectation(
      description: Messages.anAction,
      action: path.embed(value),
      matches: { path.extract(from: $0) == value },
      mismatch: { Messages.difference(path.embed(value), $0) }
    )
    let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    await receive(expectation, timeout: timeout, update, at: location)
  }

  /// Asserts that an effect has sent an action that a predicate accepts, and how that changed the
  /// state.
  ///
  /// ```swift
  /// await store.receive { if case .failed = $0 { true } else { false } }
  /// ```
  ///
  /// - Parameters:
  ///   - isMatching: Whether it is the expected action.
  ///   - timeout: How long to wait while effects run, the store's `timeout` when nil.
  ///   - update: Changes the state from before the action to the one that is expected after it.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  public func receive(
    _ isMatching: (_ action: Action) -> Bool,
    timeout: Duration? = nil,
    assert update: ((_ state: inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID,
    file filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    await withoutActuallyEscaping(isMatching) { isMatching in
      let expectation = Expectation(
        description: Messages.matchingPredicate,
        matches: isMatching,
        mismatch: { Messages.notMatching(Messages.matchingPredicate, $0) }
      )
      await receive(expectation, timeout: timeout, update, at: location)
    }
  }

  /// Actions that can't be compared are received by their case.
  @available(
    *,
    unavailable,
    message: """
      The action type is not Equatable. Receive by a case key path, store.receive(\\.response.success), by one with a \
      value, store.receive(\\.response.success, "Hello"), or make the action type Equatable.
      """
  )
  @_disfavoredOverload
  public func receive(
    _ action: Action,
    timeout: Duration? = nil,
    assert update: ((_ state: inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID,
    file filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {}
}
