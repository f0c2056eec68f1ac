extension TestStore {
  /// Sends an action, and asserts how it changes the state.
  ///
  /// ```swift
  /// await store.send(.incrementButtonTapped) { $0.count = 1 }
  /// ```
  ///
  /// The test must first receive all actions that effects have already sent.
  ///
  /// - Parameters:
  ///   - action: The action to send.
  ///   - update: A closure that changes the state before the action to the expected state; `nil` if the state must not
  ///     change.
  ///   - fileID: The module and name of the file that contains the call.
  ///   - filePath: The path of the file that contains the call.
  ///   - line: The line number of the call.
  ///   - column: The column number of the call.
  /// - Returns: A task that can cancel the effects that the action started, or wait for their end.
  @discardableResult
  public func send(
    _ action: Action,
    assert update: ((_ state: inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID,
    file filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async -> TestStoreTask {
    let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    guard !isDismissed else {
      reportIssue(Messages.sentToDismissedStore(action), at: location)
      return TestStoreTask(nil, timeout: timeout)
    }
    let received = record.received
    if !received.isEmpty {
      fail(Messages.receivedBeforeSending(received.map(\.action)), at: location)
      if exhaustivity != .on { skip(received.count) }
    }
    let before = record.asserted
    let task = record.sending(at: location) { core.send(action, origin: .view) }
    // Compares the states before any effect starts, because the changes that effects make to shared values don't belong
    // to this step.
    check(from: before, to: record.asserted, update, at: location)
    // Yields so that short effects can end, and tests need not wait for each of them.
    await Task.megaYield()
    return TestStoreTask(task, timeout: timeout) { [record, registry] in
      record.actions(of: registry.running.filter { $0.group == task.group }).flatMap(\.lines)
    }
  }

  /// Sends an action whose case has no payload, and asserts how the action changes the state.
  ///
  /// ```swift
  /// await store.send(\.path[id: 0].detail.closeButtonTapped)
  /// ```
  ///
  /// - Parameters:
  ///   - action: The case key path of the action.
  ///   - update: A closure that changes the state before the action to the expected state; `nil` if the state must not
  ///     change.
  ///   - fileID: The module and name of the file that contains the call.
  ///   - filePath: The path of the file that contains the call.
  ///   - line: The line number of the call.
  ///   - column: The column number of the call.
  /// - Returns: A task that can cancel the effects that the action started, or wait for their end.
  @discardableResult
  public func send(
    _ action: CaseKeyPath<Action, Void>,
    assert update: ((_ state: inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID,
    file filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async -> TestStoreTask {
    await send(
      AnyCasePath(action).embed(()),
      assert: update,
      fileID: fileID,
      file: filePath,
      line: line,
      column: column
    )
  }

  /// Sends an action with a case and a payload, and asserts how the action changes the state.
  ///
  /// ```swift
  /// await store.send(\.binding.name, "Blob") { $0.name = "Blob" }
  /// ```
  ///
  /// - Parameters:
  ///   - action: The case key path of the action.
  ///   - value: The payload of the case.
  ///   - update: A closure that changes the state before the action to the expected state; `nil` if the state must not
  ///     change.
  ///   - fileID: The module and name of the file that contains the call.
  ///   - filePath: The path of the file that contains the call.
  ///   - line: The line number of the call.
  ///   - column: The column number of the call.
  /// - Returns: A task that can cancel the effects that the action started, or wait for their end.
  @discardableResult
  public func send<Value>(
    _ action: CaseKeyPath<Action, Value>,
    _ value: Value,
    assert update: ((_ state: inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID,
    file filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async -> TestStoreTask {
    await send(
      AnyCasePath(action).embed(value),
      assert: update,
      fileID: fileID,
      file: filePath,
      line: line,
      column: column
    )
  }
}

/// A task for the effects that one `send` call of a test store started, directly or indirectly.
///
/// ```swift
/// let task = await store.send(.task)
/// await task.cancel()
/// task.isCancelled  // true
/// ```
public struct TestStoreTask: Sendable {
  private let task: StoreTask?
  private let timeout: Duration
  /// A function that returns the lines of an issue that list the running effects.
  private let running: @MainActor @Sendable () -> [String]

  init(
    _ task: StoreTask?,
    timeout: Duration,
    running: @escaping @MainActor @Sendable () -> [String] = { [] }
  ) {
    self.task = task
    self.timeout = timeout
    self.running = running
  }

  /// Cancels the effects, and waits until their operations return, but no longer than the store's `timeout`.
  @MainActor
  public func cancel() async {
    guard let task else { return }
    task.cancel()
    await waitUntil(before: timeout) { task.isFinished }
    await Task.megaYield()
  }

  /// Waits for the effects to end, and reports an issue if they are still running after the maximum time.
  ///
  /// - Parameters:
  ///   - timeout: The maximum time to wait; `nil` for the store's `timeout`.
  ///   - fileID: The module and name of the file that contains the call.
  ///   - filePath: The path of the file that contains the call.
  ///   - line: The line number of the call.
  ///   - column: The column number of the call.
  @MainActor
  public func finish(
    timeout: Duration? = nil,
    fileID: StaticString = #fileID,
    file filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    guard let task else { return }
    let limit = timeout ?? self.timeout
    guard await !waitUntil(before: limit, { task.isFinished }) else { return }
    reportIssue(
      Messages.taskRunning(running(), limit: limit),
      fileID: fileID,
      filePath: filePath,
      line: line,
      column: column
    )
  }

  /// Whether the effects were canceled, which is also `true` if the `send` call started no effects.
  public var isCancelled: Bool { task?.isCancelled ?? true }
}

extension TestStoreTask: Hashable {
  /// Returns whether two tasks belong to the same `send` call and have the same timeout.
  public static func == (lhs: TestStoreTask, rhs: TestStoreTask) -> Bool {
    lhs.task == rhs.task && lhs.timeout == rhs.timeout
  }

  /// Hashes the identity of the `send` call and the timeout.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(task)
    hasher.combine(timeout)
  }
}
