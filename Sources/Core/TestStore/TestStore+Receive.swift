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

extension TestStore {
  /// The action that a `receive` expects.
  struct Expectation {
    /// How an issue names it.
    let description: String
    /// The action, if it is known in full.
    var action: Action?
    let matches: (Action) -> Bool
    /// The message for an action that came in its place.
    let mismatch: (Action) -> String
  }

  /// Waits for a received action and compares the state after it with what is expected.
  func receive(
    _ expected: Expectation,
    timeout: Duration?,
    _ update: ((inout State) throws -> Void)?,
    at location: IssueLocation
  ) async {
    guard await wait(for: expected, timeout: timeout, at: location) else { return }
    let received = record.received
    // Strict tests take actions in their order, others look for the one that they care for.
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

  /// Waits until there is an action to assert.
  ///
  /// - Returns: Whether there is one. When not, that has been reported.
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

  /// The actions whose effects run and were not skipped.
  var runningEffects: [TestRecord<State, Action>.RunningAction] {
    record.unforgotten(registry.running)
  }
}

/// Suspends until a condition holds, or for a time at most.
///
/// - Returns: Whether the condition holds.
@MainActor
@discardableResult
func waitUntil(before limit: Duration, _ condition: () -> Bool) async -> Bool {
  let end = ContinuousClock.now.advanced(by: limit)
  // First without any time passing: most effects need nothing but their turn.
  await Task.megaYield()
  while !condition(), ContinuousClock.now < end, !Task.isCancelled {
    try? await Task.sleep(for: .milliseconds(1))
  }
  return condition()
}
