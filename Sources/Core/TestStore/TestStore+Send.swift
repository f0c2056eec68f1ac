extension TestStore {
  /// Sends an action, and asserts how it changes the state.
  ///
  /// ```swift
  /// await store.send(.incrementButtonTapped) { $0.count = 1 }
  /// ```
  ///
  /// The test must assert all received actions first.
  ///
  /// - Parameters:
  ///   - action: The action to send.
  ///   - update: Changes the state before the action to the expected state after it; `nil` if the state must not
  ///     change.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A task of the effects that the action started. Use it to cancel them or to wait for them.
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
    // Compares before any effect starts, because changes that effects make to shared values don't belong to this step.
    check(from: before, to: record.asserted, update, at: location)
    // Lets short effects end, so that tests need not wait for each of them.
    await Task.megaYield()
    return TestStoreTask(task, timeout: timeout) { [record, registry] in
      record.actions(of: registry.running.filter { $0.group == task.group }).flatMap(\.lines)
    }
  }

  /// Sends an action with a case that has no payload, and asserts how the action changes the state.
  ///
  /// ```swift
  /// await store.send(\.path[id: 0].detail.closeButtonTapped)
  /// ```
  ///
  /// - Parameters:
  ///   - action: The case of the action.
  ///   - update: Changes the state before the action to the expected state after it; `nil` if the state must not
  ///     change.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A task of the effects that the action started. Use it to cancel them or to wait for them.
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

  /// Sends an action with a case and its payload, and asserts how the action changes the state.
  ///
  /// ```swift
  /// await store.send(\.binding.name, "Blob") { $0.name = "Blob" }
  /// ```
  ///
  /// - Parameters:
  ///   - action: The case of the action.
  ///   - value: The payload.
  ///   - update: Changes the state before the action to the expected state after it; `nil` if the state must not
  ///     change.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: A task of the effects that the action started. Use it to cancel them or to wait for them.
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

/// The effects that one `send` of a test store started, directly or indirectly.
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

  /// Cancels the effects and waits until they return, but no longer than the store's `timeout`.
  @MainActor
  public func cancel() async {
    guard let task else { return }
    task.cancel()
    await waitUntil(before: timeout) { task.isFinished }
    await Task.megaYield()
  }

  /// Waits for the effects to end, and reports an issue if they don't.
  ///
  /// - Parameters:
  ///   - timeout: The maximum time to wait; `nil` for the store's `timeout`.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
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

  /// Whether the effects were cancelled; `true` if there were none.
  public var isCancelled: Bool { task?.isCancelled ?? true }
}

extension TestStoreTask: Hashable {
  /// Returns whether two tasks belong to the same `send`.
  public static func == (lhs: TestStoreTask, rhs: TestStoreTask) -> Bool {
    lhs.task == rhs.task && lhs.timeout == rhs.timeout
  }

  /// Hashes the identity of the task.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(task)
    hasher.combine(timeout)
  }
}
