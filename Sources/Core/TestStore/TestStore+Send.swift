extension TestStore {
  /// Sends an action, and asserts how it changes the state.
  ///
  /// ```swift
  /// await store.send(.incrementButtonTapped) { $0.count = 1 }
  /// ```
  ///
  /// All received actions have to be asserted first.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - update: Changes the state from before the action to the one that is expected after it;
  ///     none when it is not to change.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: The effects that go back to the action, to be cancelled or waited for.
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
    // Before any effect begins: what one does to a shared value is no part of this step.
    check(from: before, to: record.asserted, update, at: location)
    // Lets short effects come to their end, so that tests need not wait for each of them.
    await Task.megaYield()
    return TestStoreTask(task, timeout: timeout) { [record, registry] in
      record.actions(of: registry.running.filter { $0.group == task.group }).flatMap(\.lines)
    }
  }

  /// Sends an action of a case that has no payload, and asserts how it changes the state.
  ///
  /// ```swift
  /// await store.send(\.path[id: 0].detail.closeButtonTapped)
  /// ```
  ///
  /// - Parameters:
  ///   - action: The case.
  ///   - update: Changes the state from before the action to the one that is expected after it.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: The effects that go back to the action, to be cancelled or waited for.
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

  /// Sends an action of a case with its payload, and asserts how it changes the state.
  ///
  /// ```swift
  /// await store.send(\.binding.name, "Blob") { $0.name = "Blob" }
  /// ```
  ///
  /// - Parameters:
  ///   - action: The case.
  ///   - value: The payload.
  ///   - update: Changes the state from before the action to the one that is expected after it.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  /// - Returns: The effects that go back to the action, to be cancelled or waited for.
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

/// The effects that go back to one `send` of a test store.
///
/// ```swift
/// let task = await store.send(.task)
/// await task.cancel()
/// task.isCancelled  // true
/// ```
public struct TestStoreTask: Sendable {
  private let task: StoreTask?
  private let timeout: Duration
  /// The lines of an issue for the running effects.
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

  /// Cancels the effects, and waits for them to return; for the store's `timeout` at most.
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
  ///   - timeout: How long to wait, the store's `timeout` when nil.
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

  /// Whether the effects were cancelled; true also when there were none.
  public var isCancelled: Bool { task?.isCancelled ?? true }
}

extension TestStoreTask: Hashable {
  /// Whether two tasks go back to the same `send`.
  public static func == (lhs: TestStoreTask, rhs: TestStoreTask) -> Bool {
    lhs.task == rhs.task && lhs.timeout == rhs.timeout
  }

  /// Hashes the identity of the task.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(task)
    hasher.combine(timeout)
  }
}
