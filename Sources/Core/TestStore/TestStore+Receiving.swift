extension TestStore {
  /// What a `receive` asks for.
  struct Expectation {
    /// How an issue names it.
    let description: String
    /// The action, if it is known in full.
    var action: Action?
    let matches: (Action) -> Bool
    /// What is wrong with an action that came in its place.
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
