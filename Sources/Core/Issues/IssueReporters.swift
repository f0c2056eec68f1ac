import Synchronization

/// The reporters of issues.
///
/// ```swift
/// IssueReporters.current.append(CrashService())  // for the whole process
/// ```
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

/// The location that the issues of an operation are reported at, in place of their own.
package enum IssueContext {
  @TaskLocal static var current: IssueLocation?
  /// The kind of the issue that is being reported: reporters must not tell it from the message.
  @TaskLocal package static var kind: LogEvent.Finding.Issue?
}

/// Blames one place for all issues of an operation.
///
/// For helpers of tests: the test's line is of more use than the helper's.
///
/// ```swift
/// @MainActor func check(_ store: StoreOf<Feature>, fileID: StaticString = #fileID, line: UInt = #line) {
///   withIssueContext(fileID: fileID, filePath: #filePath, line: line, column: 1) { store.send(.tap) }
/// }
/// ```
///
/// - Parameters:
///   - fileID: The file to blame.
///   - filePath: The path of that file.
///   - line: The line to blame.
///   - column: The column to blame.
///   - operation: What is run.
/// - Returns: What the operation returns.
public func withIssueContext<R>(
  fileID: StaticString,
  filePath: StaticString,
  line: UInt,
  column: UInt,
  operation: () throws -> R
) rethrows -> R {
  let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  return try IssueContext.$current.withValue(location, operation: operation)
}

/// Blames one place for all issues of an asynchronous operation.
///
/// - Parameters:
///   - fileID: The file to blame.
///   - filePath: The path of that file.
///   - line: The line to blame.
///   - column: The column to blame.
///   - isolation: The actor of the caller.
///   - operation: What is run.
/// - Returns: What the operation returns.
public func withIssueContext<R>(
  fileID: StaticString,
  filePath: StaticString,
  line: UInt,
  column: UInt,
  isolation: isolated (any Actor)? = #isolation,
  operation: () async throws -> R
) async rethrows -> R {
  let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  return try await IssueContext.$current.withValue(
    location,
    operation: operation,
    isolation: isolation
  )
}
