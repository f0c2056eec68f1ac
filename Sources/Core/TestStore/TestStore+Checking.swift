extension TestStore {
  typealias Position = TestRecord<State, Action>.Position

  /// Compares the state after a step with the expected state.
  ///
  /// - Parameters:
  ///   - before: The last state that the test has asserted.
  ///   - after: The state after the step.
  ///   - update: Makes the expected state.
  ///   - mustChange: Whether an `update` that changes no state is an issue.
  ///   - location: The source location of the assertion.
  func check(
    from before: Position,
    to after: Position,
    _ update: ((inout State) throws -> Void)?,
    mustChange: Bool = true,
    at location: IssueLocation
  ) {
    // The assertion's closure reads the store as it was before the step.
    record.asserted = before
    defer { record.asserted = after }
    if exhaustivity != .on {
      // A nonexhaustive test states parts of the new state, so its closure must not change that state.
      record.tracker.reset()
      let expected = run(update, from: after)
      if let message = mismatch(expected, after, update) {
        return reportIssue(message, at: location)
      }
    }
    switch exhaustivity {
    case .on:
      let snapshots = record.tracker.snapshotVersion
      let expected = run(update, from: before)
      if let message = mismatch(expected, after, update) {
        reportIssue(message, at: location)
      } else if update != nil, mustChange, snapshots == record.tracker.snapshotVersion,
        before.state == after.state
      {
        reportIssue(Messages.noChange, at: location)
      }
    case .off(showSkippedAssertions: true):
      // The closure may not suit this state. Its issues are not failures of the test.
      let expected = withIssueReporters([]) { run(update, from: before) }
      if let message = mismatch(expected, after, update) { fail(message, at: location) }
    case .off: break
    }
  }

  /// Returns the message for an unexpected state; `nil` for the expected one.
  private func mismatch(
    _ expected: Result<State, any Error>,
    _ actual: Position,
    _ update: ((inout State) throws -> Void)?
  ) -> String? {
    var message: String?
    switch expected {
    case .success(let expected):
      _ = record.tracker.compare {
        if expected == actual.state { return true }
        message =
          update == nil
          ? Messages.unexpectedChange(from: expected, to: actual.state)
          : Messages.stateMismatch(expected: expected, actual: actual.state)
        return false
      }
    case .failure(let error): message = Messages.assertionThrew(error)
    }
    // Prevents later steps from reporting the change again.
    if message != nil { record.tracker.reset() }
    return message
  }

  /// Runs an assertion's closure on a copy of a state and returns the result.
  private func run(
    _ update: ((inout State) throws -> Void)?,
    from position: Position
  ) -> Result<State, any Error> {
    guard let update else { return .success(position.state) }
    var dependencies = record.dependencies
    // Copies the id generator, so that the closure gets the ids that the reducer used and takes none from later steps.
    dependencies.stackElementIDs = position.stackElementIDs.copy()
    return Result {
      var state = position.state
      try ModifyCheck.$isExhaustive.withValue(exhaustivity == .on) {
        try DependencyValues.$_current.withValue(dependencies) {
          try record.tracker.assert { try update(&state) }
        }
      }
      return state
    }
  }

  /// Reports a failure that exhaustive tests must not ignore.
  func fail(_ message: @autoclosure () -> String, at location: IssueLocation) {
    exhaustivity.fail(message(), at: location)
  }

  /// Removes received steps and marks all their changes as asserted.
  func skip(_ count: Int) {
    guard let last = record.takeReceived(count).last else { return }
    record.asserted = last.after
    record.tracker.reset()
  }
}

extension Exhaustivity {
  /// Reports an issue in an exhaustive test; shows the message in a nonexhaustive test with `showSkippedAssertions`.
  func fail(_ message: @autoclosure () -> String, at location: IssueLocation) {
    switch self {
    case .on: reportIssue(message(), at: location)
    case .off(showSkippedAssertions: true): showSkipped(message(), at: location)
    case .off: break
    }
  }

  /// Shows a message about assertions that the test has skipped deliberately, unless the exhaustivity is `.off`.
  func skip(_ message: @autoclosure () -> String, at location: IssueLocation) {
    if self != .off { showSkipped(message(), at: location) }
  }

  private func showSkipped(_ message: String, at location: IssueLocation) {
    expectIssue(Messages.skipped(message), at: location)
  }
}

extension TestStore {
  /// Asserts that no received actions remain, and waits for all effects to end.
  ///
  /// Actions that arrive during the wait can be received afterwards. An issue that this function reports is not
  /// resolved by that. The end of the test reports the actions that remain at that time again.
  ///
  /// - Parameters:
  ///   - timeout: The maximum time to wait; `nil` for the store's `timeout`.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  public func finish(
    timeout: Duration? = nil,
    fileID: StaticString = #fileID,
    file filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    // Reads the actions before the wait, because the test can receive later actions afterwards.
    let received = record.received
    if !received.isEmpty { fail(Messages.receivedAtEnd(received.map(\.action)), at: location) }
    let limit = timeout ?? self.timeout
    if await !waitUntil(before: limit, { runningEffects.isEmpty }) {
      return fail(Messages.effectsRunning(runningEffects, limit: limit), at: location)
    }
    let changes = record.unassertedSharedChanges
    if !changes.isEmpty { fail(Messages.sharedChangesAtEnd(changes), at: location) }
    record.tracker.reset()
  }

  /// Skips all received actions and continues with the state after them.
  ///
  /// ```swift
  /// await store.send(.refresh) { $0.isLoading = true }
  /// await store.skipReceivedActions()
  /// #expect(store.state.rows.count == 3)
  /// ```
  ///
  /// - Parameters:
  ///   - strict: Whether it is an issue if there are no received actions.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  public func skipReceivedActions(
    strict: Bool = true,
    fileID: StaticString = #fileID,
    file filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    await Task.megaYield()
    let received = record.received
    guard !received.isEmpty else {
      if strict { reportIssue(Messages.nothingReceivedToSkip, at: location) }
      return
    }
    exhaustivity.skip(Messages.skippedActions(received.map(\.action)), at: location)
    skip(received.count)
  }

  /// Allows the test to end while the current effects are running.
  ///
  /// ```swift
  /// await store.send(.startTapped) { $0.isTicking = true }
  /// await store.skipInFlightEffects()  // the timer ticks on
  /// ```
  ///
  /// The effects continue. The test must still receive the actions that they send.
  ///
  /// - Parameters:
  ///   - strict: Whether it is an issue if no effects are running.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  public func skipInFlightEffects(
    strict: Bool = true,
    fileID: StaticString = #fileID,
    file filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    await Task.megaYield()
    let running = runningEffects
    guard !running.isEmpty else {
      if strict { reportIssue(Messages.noEffectsToSkip, at: location) }
      return
    }
    exhaustivity.skip(Messages.skippedEffects(running), at: location)
    record.forgetEffects()
  }
}

/// The check at the end of a test store's life.
struct TestStoreEnd<State, Action> {
  let exhaustivity: Exhaustivity
  let record: TestRecord<State, Action>
  let registry: EffectRegistry

  /// Reports received actions, running effects and shared changes that the test has not asserted.
  ///
  /// - Parameter location: The source location of the store's initializer call.
  func check(at location: IssueLocation) {
    let received = record.received
    if !received.isEmpty {
      exhaustivity.fail(Messages.receivedAtEnd(received.map(\.action)), at: location)
    }
    for running in record.unforgotten(registry.running) {
      exhaustivity.fail(
        Messages.effectsRunningAtEnd(running),
        at: running.location ?? location
      )
    }
    let changes = record.unassertedSharedChanges
    if !changes.isEmpty { exhaustivity.fail(Messages.sharedChangesAtEnd(changes), at: location) }
  }
}
