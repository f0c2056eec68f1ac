extension TestStore where Action: Equatable {
  /// Waits for an effect to send an action, and asserts how the action changes the state.
  ///
  /// ```swift
  /// await store.receive(.factResponse("1 is the loneliest number")) { $0.fact = … }
  /// ```
  ///
  /// If no effect is running and no action has arrived, the function reports an issue immediately.
  ///
  /// - Parameters:
  ///   - action: The expected action.
  ///   - timeout: The maximum time to wait while effects are running; `nil` for the store's `timeout`.
  ///   - update: A closure that changes the state before the action to the expected state; `nil` if the state must not
  ///     change.
  ///   - fileID: The module and name of the file that contains the call.
  ///   - filePath: The path of the file that contains the call.
  ///   - line: The line number of the call.
  ///   - column: The column number of the call.
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
  /// Waits for an effect to send an action with a case, and asserts how the action changes the state.
  ///
  /// ```swift
  /// await store.receive(\.factResponse.success) { $0.isLoading = false }
  /// ```
  ///
  /// - Parameters:
  ///   - action: The case key path of the expected action.
  ///   - timeout: The maximum time to wait while effects are running; `nil` for the store's `timeout`.
  ///   - update: A closure that changes the state before the action to the expected state; `nil` if the state must not
  ///     change.
  ///   - fileID: The module and name of the file that contains the call.
  ///   - filePath: The path of the file that contains the call.
  ///   - line: The line number of the call.
  ///   - column: The column number of the call.
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

  /// Waits for an effect to send an action with a case and a payload, and asserts how the action changes the state.
  ///
  /// ```swift
  /// await store.receive(\.factResponse.success, "1 is the loneliest number")
  /// ```
  ///
  /// - Parameters:
  ///   - action: The case key path of the expected action.
  ///   - value: The expected payload of the case.
  ///   - timeout: The maximum time to wait while effects are running; `nil` for the store's `timeout`.
  ///   - update: A closure that changes the state before the action to the expected state; `nil` if the state must not
  ///     change.
  ///   - fileID: The module and name of the file that contains the call.
  ///   - filePath: The path of the file that contains the call.
  ///   - line: The line number of the call.
  ///   - column: The column number of the call.
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

  /// Waits for an effect to send an action that satisfies a predicate, and asserts how the action changes the state.
  ///
  /// ```swift
  /// await store.receive { if case .failed = $0 { true } else { false } }
  /// ```
  ///
  /// - Parameters:
  ///   - isMatching: A closure that returns whether an action is the expected one.
  ///   - timeout: The maximum time to wait while effects are running; `nil` for the store's `timeout`.
  ///   - update: A closure that changes the state before the action to the expected state; `nil` if the state must not
  ///     change.
  ///   - fileID: The module and name of the file that contains the call.
  ///   - filePath: The path of the file that contains the call.
  ///   - line: The line number of the call.
  ///   - column: The column number of the call.
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

  /// Unavailable, because actions that aren't `Equatable` can't be compared; pass a case key path instead.
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

extension TestStore {
  /// The description of the action that a `receive` call expects.
  struct Expectation {
    /// The text that describes the expected action in issues.
    let description: String
    /// The complete expected action; `nil` if the test states only its case or a predicate.
    var action: Action?
    let matches: (Action) -> Bool
    /// A function that returns the message for an action that arrived in place of the expected one.
    let mismatch: (Action) -> String
  }

  /// Waits for the expected action, and compares the state after it with the expected state.
  func receive(
    _ expected: Expectation,
    timeout: Duration?,
    _ update: ((inout State) throws -> Void)?,
    at location: IssueLocation
  ) async {
    guard await wait(for: expected, timeout: timeout, at: location) else { return }
    let received = record.received
    // An exhaustive test receives actions in order, and other tests search for the expected action.
    let index =
      exhaustivity == .on ? 0 : received.firstIndex { expected.matches($0.action) } ?? 0
    if index > 0 {
      let skipped = received.prefix(index).map(\.action)
      exhaustivity.skip(Messages.skippedActions(skipped), at: location)
      skip(index)
    }
    let step = received[index]
    if expected.matches(step.action) {
      _ = record.takeReceived(1)
      check(from: record.asserted, to: step.after, update, at: location)
    } else {
      skip(1)
      let comesLater = received.dropFirst().contains { expected.matches($0.action) }
      reportIssue(
        Messages.receivedAnother(expected.mismatch(step.action), comesLater: comesLater),
        at: location
      )
    }
    await Task.megaYield()
  }

  /// Waits until an action that the test can receive has arrived.
  ///
  /// - Returns: Whether such an action has arrived. If the result is `false`, the function has reported an issue.
  private func wait(
    for expected: Expectation,
    timeout: Duration?,
    at location: IssueLocation
  ) async -> Bool {
    let limit = timeout ?? self.timeout
    func isThere() -> Bool {
      let received = record.received
      return exhaustivity == .on
        ? !received.isEmpty : received.contains { expected.matches($0.action) }
    }
    await waitUntil(before: limit) { isThere() || registry.running.isEmpty }
    if isThere() { return true }
    reportIssue(
      Messages.receivedNothing(
        expected.description,
        expected.action,
        running: runningEffects,
        others: record.received.map(\.action),
        limit: limit
      ),
      at: location
    )
    return false
  }

  /// The actions with running effects, except those whose effects assertions ignore.
  var runningEffects: [TestStepRecord<State, Action>.RunningAction] {
    record.unforgotten(registry.running)
  }
}

/// Waits until a condition holds, but no longer than a maximum time.
///
/// - Returns: Whether the condition holds at the end of the wait.
@MainActor
@discardableResult
func waitUntil(before limit: Duration, _ condition: () -> Bool) async -> Bool {
  let end = ContinuousClock.now.advanced(by: limit)
  // Yields before the first sleep, because most effects end without a delay.
  await Task.megaYield()
  while !condition(), ContinuousClock.now < end, !Task.isCancelled {
    try? await Task.sleep(for: .milliseconds(1))
  }
  return condition()
}
