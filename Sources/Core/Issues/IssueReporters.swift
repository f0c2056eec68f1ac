import Synchronization

/// The reporters that are told of issues.
public enum IssueReporters {
  @TaskLocal private static var local: [any IssueReporter]?
  private static let ofProcess = Mutex<[any IssueReporter]>([.default])

  /// The reporters of the current task: those of `withIssueReporters`, else those of the process.
  ///
  /// Setting it sets those of the process.
  ///
  /// ```swift
  /// IssueReporters.current.append(CrashService())
  /// ```
  public static var current: [any IssueReporter] {
    get { local ?? ofProcess.withLock { $0 } }
    set { ofProcess.withLock { $0 = newValue } }
  }

  fileprivate static var storage: TaskLocal<[any IssueReporter]?> { $local }
}

/// Hands the issues of an operation to other reporters.
///
/// ```swift
/// withIssueReporters([MyLog()]) { store.send(.tap) }
/// ```
///
/// - Parameters:
///   - reporters: The reporters to use; none at all silences the operation.
///   - operation: What is run with them.
/// - Returns: What the operation returns.
public func withIssueReporters<R>(
  _ reporters: [any IssueReporter],
  operation: () throws -> R
) rethrows -> R {
  try IssueReporters.storage.withValue(reporters, operation: operation)
}

/// Hands the issues of an asynchronous operation to other reporters.
///
/// - Parameters:
///   - reporters: The reporters to use; none at all silences the operation.
///   - isolation: The actor of the caller.
///   - operation: What is run with them.
/// - Returns: What the operation returns.
public func withIssueReporters<R>(
  _ reporters: [any IssueReporter],
  isolation: isolated (any Actor)? = #isolation,
  operation: () async throws -> R
) async rethrows -> R {
  try await IssueReporters.storage.withValue(reporters, operation: operation, isolation: isolation)
}
