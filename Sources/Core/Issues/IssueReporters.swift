import Synchronization

/// Access to the reporters that receive issues.
///
/// ```swift
/// IssueReporters.current.append(CrashService())  // for all tasks of the process
/// ```
public enum IssueReporters {
  @TaskLocal private static var local: [any IssueReporter]?
  private static let ofProcess = Mutex<[any IssueReporter]>([.default])

  /// The reporters of the current task, which `withIssueReporters` sets, or else the reporters of the process.
  ///
  /// Setting this property changes the reporters of the process.
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

/// Runs an operation whose issues are sent to the given reporters.
///
/// ```swift
/// withIssueReporters([MyLog()]) { store.send(.tap) }
/// ```
///
/// - Parameters:
///   - reporters: The reporters that receive the issues. An empty array silences all issues.
///   - operation: The operation to run.
/// - Returns: The result of `operation`.
public func withIssueReporters<R>(
  _ reporters: [any IssueReporter],
  operation: () throws -> R
) rethrows -> R {
  try IssueReporters.storage.withValue(reporters, operation: operation)
}

/// Runs an asynchronous operation whose issues are sent to the given reporters.
///
/// - Parameters:
///   - reporters: The reporters that receive the issues. An empty array silences all issues.
///   - isolation: The actor on which the operation runs. The default is the actor of the caller.
///   - operation: The operation to run.
/// - Returns: The result of `operation`.
public func withIssueReporters<R>(
  _ reporters: [any IssueReporter],
  isolation: isolated (any Actor)? = #isolation,
  operation: () async throws -> R
) async rethrows -> R {
  try await IssueReporters.storage.withValue(reporters, operation: operation, isolation: isolation)
}

/// The task-local values that describe the issues of an operation.
package enum IssueContext {
  @TaskLocal static var current: IssueLocation?
  /// The kind of the current issue, which reporters read instead of parsing the message.
  @TaskLocal package static var kind: LogEvent.Finding.Issue?
}

/// Attributes all issues of an operation to one source location.
///
/// Use this function in test helpers: an issue then points to the line in the test, and not to a line in the helper.
///
/// ```swift
/// @MainActor func check(_ store: StoreOf<Feature>, fileID: StaticString = #fileID, line: UInt = #line) {
///   withIssueContext(fileID: fileID, filePath: #filePath, line: line, column: 1) { store.send(.tap) }
/// }
/// ```
///
/// - Parameters:
///   - fileID: The module and name of the file to which issues are attributed.
///   - filePath: The path of the file to which issues are attributed.
///   - line: The number of the line to which issues are attributed.
///   - column: The number of the column to which issues are attributed.
///   - operation: The operation to run.
/// - Returns: The result of `operation`.
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

/// Attributes all issues of an asynchronous operation to one source location.
///
/// - Parameters:
///   - fileID: The module and name of the file to which issues are attributed.
///   - filePath: The path of the file to which issues are attributed.
///   - line: The number of the line to which issues are attributed.
///   - column: The number of the column to which issues are attributed.
///   - isolation: The actor on which the operation runs. The default is the actor of the caller.
///   - operation: The operation to run.
/// - Returns: The result of `operation`.
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
