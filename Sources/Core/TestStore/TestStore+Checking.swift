extension TestStore {
  typealias StateSnapshot = TestStepRecord<State, Action>.StateSnapshot

  /// Compares the state after a step with the expected state.
  ///
  /// - Parameters:
  ///   - before: The last state that the test has asserted.
  ///   - after: The state after the step.
  ///   - update: A closure that changes the last asserted state to the expected one; `nil` if the state must not
  ///     change.
  ///   - mustChange: Whether an `update` that leaves the state unchanged is an issue.
  ///   - location: The source location of the assertion.
  func check(
    from before: StateSnapshot,
    to after: StateSnapshot,
    _ update: ((inout State) throws -> Void)?,
    mustChange: Bool = true,
    at location: IssueLocation
  ) {
    // While the closure of the assertion runs, the test store has the state before the step.
    record.asserted = before
    defer { record.asserted = after }
    if exhaustivity != .on {
      // The closure of a nonexhaustive test sets parts of the new state, which must leave that state unchanged.
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
      // Silences the closure, which might not apply to this state, because its issues are not failures of the test.
      let expected = withIssueReporters([]) { run(update, from: before) }
      if let message = mismatch(expected, after, update) { fail(message, at: location) }
    case .off: break
    }
  }

  /// Returns the message for an unexpected state, or `nil` if the state is the expected one.
  private func mismatch(
    _ expected: Result<State, any Error>,
    _ actual: StateSnapshot,
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
    // Resets the tracker, so that later steps don't report the change again.
    if message != nil { record.tracker.reset() }
    return message
  }

  /// Runs the closure of an assertion on a copy of a state, and returns the changed copy or the error of the closure.
  private func run(
    _ update: ((inout State) throws -> Void)?,
    from position: StateSnapshot
  ) -> Result<State, any Error> {
    guard let update else { return .success(position.state) }
    var dependencies = record.dependencies
    // Copies the id generator, so that the closure gets the ids that the reducer used and later steps get the same ids.
    dependencies.stackElementIDs = position.stackElementIDs.copy()
    return Result {
      var state = position.state
      try XCTModifyExhaustivity.$isExhaustive.withValue(exhaustivity == .on) {
        try DependencyValues.$_current.withValue(dependencies) {
          try record.tracker.assert { try update(&state) }
        }
      }
      return state
    }
  }

  /// Reports a failure as the exhaustivity of the test store requires.
  func fail(_ message: @autoclosure () -> String, at location: IssueLocation) {
    exhaustivity.fail(message(), at: location)
  }

  /// Removes the first received steps, and marks all their changes as asserted.
  func skip(_ count: Int) {
    guard let last = record.takeReceived(count).last else { return }
    record.asserted = last.after
    record.tracker.reset()
  }
}

extension Exhaustivity {
  /// Reports an issue in an exhaustive test, or shows the message in a test with `showSkippedAssertions`.
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
  /// Asserts that no received actions remain, waits for all effects to end, and asserts all changes to shared values.
  ///
  /// The test can still receive actions afterward, including those that arrive during the wait. Receiving an action
  /// doesn't withdraw an issue that this function has reported. When the store is released, the actions that still
  /// remain are reported again.
  ///
  /// - Parameters:
  ///   - timeout: The maximum time to wait; `nil` for the store's `timeout`.
  ///   - fileID: The module and name of the file that contains the call.
  ///   - filePath: The path of the file that contains the call.
  ///   - line: The line number of the call.
  ///   - column: The column number of the call.
  public func finish(
    timeout: Duration? = nil,
    fileID: StaticString = #fileID,
    file filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    // Reads the received actions before the wait, because the test can receive later actions afterward.
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

  /// Skips all received actions, and continues with the state after these actions.
  ///
  /// ```swift
  /// await store.send(.refresh) { $0.isLoading = true }
  /// await store.skipReceivedActions()
  /// #expect(store.state.rows.count == 3)
  /// ```
  ///
  /// - Parameters:
  ///   - strict: Whether to report an issue if there are no received actions.
  ///   - fileID: The module and name of the file that contains the call.
  ///   - filePath: The path of the file that contains the call.
  ///   - line: The line number of the call.
  ///   - column: The column number of the call.
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
  /// await store.skipInFlightEffects()  // the timer continues to tick
  /// ```
  ///
  /// The effects continue to run. The test must still receive the actions that they send.
  ///
  /// - Parameters:
  ///   - strict: Whether to report an issue if no effects are running.
  ///   - fileID: The module and name of the file that contains the call.
  ///   - filePath: The path of the file that contains the call.
  ///   - line: The line number of the call.
  ///   - column: The column number of the call.
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

/// The check that runs when a test store is released.
struct TestStoreFinalCheck<State, Action> {
  let exhaustivity: Exhaustivity
  let record: TestStepRecord<State, Action>
  let registry: EffectRegistry

  /// Reports received actions, running effects, and changes to shared values that the test hasn't asserted.
  ///
  /// - Parameter location: The source location of the call that created the test store.
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
