extension TestStore {
  /// Waits for all effects to end, and asserts that nothing else is left.
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
    let limit = timeout ?? self.timeout
    if await !waitUntil(before: limit, { runningEffects.isEmpty }) {
      fail(Messages.effectsRunning(runningEffects, limit: limit), at: location)
      if exhaustivity == .on { record.forgetEffects() }
    }
    let received = record.received
    if !received.isEmpty {
      fail(Messages.receivedAtEnd(received.map(\.action)), at: location)
      // What has been reported is not reported again when the store goes away.
      if exhaustivity == .on { skip(received.count) }
    }
    let changes = record.unassertedSharedChanges
    if !changes.isEmpty {
      fail(Messages.sharedChangesAtEnd(changes), at: location)
      if exhaustivity == .on { record.tracker.reset() }
    }
  }

  /// Goes on to the state after all received actions, without asserting them.
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
