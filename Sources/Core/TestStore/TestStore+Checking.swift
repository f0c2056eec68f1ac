extension TestStore {
  typealias Position = TestRecord<State, Action>.Position

  /// Compares the state after a step with what the test expects.
  ///
  /// - Parameters:
  ///   - before: The last state that the test has asserted.
  ///   - after: The state after the step.
  ///   - update: Makes the expected state.
  ///   - mustChange: Whether an `update` that changes nothing is an issue.
  ///   - location: The assertion.
  func check(
    from before: Position,
    to after: Position,
    _ update: ((inout State) throws -> Void)?,
    mustChange: Bool = true,
    at location: IssueLocation
  ) {
    // Closures see the store as it was.
    record.asserted = before
    defer { record.asserted = after }
    if exhaustivity != .on {
      // The test says what it wants of the state as it is: that must change nothing.
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
      // The closure need not fit this state, so what it reports is none of the test's failures.
      let expected = withIssueReporters([]) { run(update, from: before) }
      if let message = mismatch(expected, after, update) { fail(message, at: location) }
    case .off: break
    }
  }

  /// The message for a state that is not the expected one; nil when it is.
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
    // Later steps do not report it again.
    if message != nil { record.tracker.reset() }
    return message
  }

  /// The state that an assertion's closure makes of another.
  private func run(
    _ update: ((inout State) throws -> Void)?,
    from position: Position
  ) -> Result<State, any Error> {
    guard let update else { return .success(position.state) }
    var dependencies = record.dependencies
    // The ids that the reducer has used, and none that later steps would miss.
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

  /// Reports what an exhaustive test must not leave out.
  func fail(_ message: @autoclosure () -> String, at location: IssueLocation) {
    exhaustivity.fail(message(), at: location)
  }

  /// Takes received steps out of the queue, with all that they have changed.
  func skip(_ count: Int) {
    guard let last = record.takeReceived(count).last else { return }
    record.asserted = last.after
    record.tracker.reset()
  }
}

extension Exhaustivity {
  /// Reports what an exhaustive test must not leave out; shows it in others that want to see it.
  func fail(_ message: @autoclosure () -> String, at location: IssueLocation) {
    switch self {
    case .on: reportIssue(message(), at: location)
    case .off(showSkippedAssertions: true): showSkipped(message(), at: location)
    case .off: break
    }
  }

  /// Shows what a test has left out on purpose.
  func skip(_ message: @autoclosure () -> String, at location: IssueLocation) {
    if self != .off { showSkipped(message(), at: location) }
  }

  private func showSkipped(_ message: String, at location: IssueLocation) {
    expectIssue(Messages.skipped(message), at: location)
  }
}

extension TestStore {
  /// Asserts that no received action is left, and waits for all effects to end.
  ///
  /// Actions that arrive while it waits can be received afterwards. What is reported here stays: the end of the test
  /// reports once more what is left then.
  ///
  /// - Parameters:
  ///   - timeout: How long to wait, the store's `timeout` when nil.
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
    // Before it waits: what effects send meanwhile may be received afterwards.
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

  /// Goes on to the state after all received actions, without asserting them.
  ///
  /// ```swift
  /// await store.send(.refresh) { $0.isLoading = true }
  /// await store.skipReceivedActions()
  /// #expect(store.state.rows.count == 3)
  /// ```
  ///
  /// - Parameters:
  ///   - strict: Whether it is an issue when there is none.
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

  /// Lets the test end while effects run.
  ///
  /// ```swift
  /// await store.send(.startTapped) { $0.isTicking = true }
  /// await store.skipInFlightEffects()  // the timer ticks on
  /// ```
  ///
  /// They go on. What they send still has to be received.
  ///
  /// - Parameters:
  ///   - strict: Whether it is an issue when no effect runs.
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

/// The end of a test store, where nothing may be left that the test has not asserted.
struct TestStoreEnd<State, Action> {
  let exhaustivity: Exhaustivity
  let record: TestRecord<State, Action>
  let registry: EffectRegistry

  /// Reports what is left.
  ///
  /// - Parameter location: Where the store was made.
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
