/// The effects that go back to one `send` of a test store.
///
/// ```swift
/// let task = await store.send(.task)
/// await task.cancel()
/// ```
public struct TestStoreTask: Sendable {
  private let task: StoreTask?
  private let timeout: Duration
  /// What an issue says of the effects that run.
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
