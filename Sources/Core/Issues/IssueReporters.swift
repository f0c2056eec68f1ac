import Synchronization

/// The reporters that receive issues.
///
/// ```swift
/// IssueReporters.current.append(CrashService())  // for the whole process
/// ```
public enum IssueReporters {
  @TaskLocal private static var local: [any IssueReporter]?
  private static let ofProcess = Mutex<[any IssueReporter]>([.default])

  /// The reporters of the current task: those of `withIssueReporters`, otherwise those of the process.
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

/// Sends the issues of an operation to other reporters.
///
/// ```swift
/// withIssueReporters([MyLog()]) { store.send(.tap) }
/// ```
///
/// - Parameters:
///   - reporters: The reporters to use. An empty array silences all issues.
///   - operation: The operation to run.
/// - Returns: The result of `operation`.
public func withIssueReporters<R>(
  _ reporters: [any IssueReporter],
  operation: () throws -> R
) rethrows -> R {
  try IssueReporters.storage.withValue(reporters, operation: operation)
}

/// Sends the issues of an asynchronous operation to other reporters.
///
/// - Parameters:
///   - reporters: The reporters to use. An empty array silences all issues.
///   - isolation: The actor of the caller.
///   - operation: The operation to run.
/// - Returns: The result of `operation`.
public func withIssueReporters<R>(
  _ reporters: [any IssueReporter],
  isolation: isolated (any Actor)? = #isolation,
  operation: () async throws -> R
) async rethrows -> R {
  try await IssueReporters.storage.withValue(reporters, operation: operation, isolation: isolation)
}

/// The source location that replaces those of an operation's issues.
package enum IssueContext {
  @TaskLocal static var current: IssueLocation?
  /// The kind of the current issue.
  ///
  /// Reporters read it instead of parsing the message.
  @TaskLocal package static var kind: LogEvent.Finding.Issue?
}

/// Attributes all issues of an operation to one source location.
///
/// Use it in test helpers, because the test's line is more useful than the helper's.
///
/// ```swift
/// @MainActor func check(_ store: StoreOf<Feature>, fileID: StaticString = #fileID, line: UInt = #line) {
///   withIssueContext(fileID: fileID, filePath: #filePath, line: line, column: 1) { store.send(.tap) }
/// }
/// ```
///
/// - Parameters:
///   - fileID: The file to which issues are attributed.
///   - filePath: The path of that file.
///   - line: The line to which issues are attributed.
///   - column: The column to which issues are attributed.
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
///   - fileID: The file to which issues are attributed.
///   - filePath: The path of that file.
///   - line: The line to which issues are attributed.
///   - column: The column to which issues are attributed.
///   - isolation: The actor of the caller.
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
