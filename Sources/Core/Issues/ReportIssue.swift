/// Reports incorrect use of an API to the current reporters.
///
/// The default reporter fails the running test. Outside of tests, this reporter writes to standard error, and the
/// process continues.
///
/// - Parameters:
///   - message: The message, which states the finding, the expectation, and a suggested fix.
///   - fileID: The module and name of the file to which the issue is attributed.
///   - filePath: The path of the file to which the issue is attributed.
///   - line: The number of the line to which the issue is attributed.
///   - column: The number of the column to which the issue is attributed.
public func reportIssue(
  _ message: @autoclosure () -> String = "",
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) {
  let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  reportIssue(message(), at: location)
}

/// Reports an unhandled error to the current reporters.
///
/// - Parameters:
///   - error: The unhandled error.
///   - message: The activity that failed; `nil` if it isn't known.
///   - fileID: The module and name of the file to which the error is attributed.
///   - filePath: The path of the file to which the error is attributed.
///   - line: The number of the line to which the error is attributed.
///   - column: The number of the column to which the error is attributed.
public func reportIssue(
  _ error: any Error,
  _ message: @autoclosure () -> String? = nil,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) {
  let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  reportIssue(error, message(), at: location)
}

/// Reports an issue together with its kind, which reporters can read from `IssueContext`.
func reportIssue(_ kind: LogEvent.Finding.Issue, _ message: String, at location: IssueLocation) {
  IssueContext.$kind.withValue(kind) { reportIssue(message, at: location) }
}

package func reportIssue(_ message: String, at location: IssueLocation) {
  let location = IssueContext.current ?? location
  for reporter in IssueReporters.current {
    reporter.reportIssue(
      message,
      fileID: location.fileID,
      filePath: location.filePath,
      line: location.line,
      column: location.column
    )
  }
}

func reportIssue(_ error: any Error, _ message: String?, at location: IssueLocation) {
  let location = IssueContext.current ?? location
  for reporter in IssueReporters.current {
    reporter.reportIssue(
      error,
      message,
      fileID: location.fileID,
      filePath: location.filePath,
      line: location.line,
      column: location.column
    )
  }
}

/// Reports an expected issue to the current reporters, which can show or ignore it.
package func expectIssue(_ message: String, at location: IssueLocation) {
  let location = IssueContext.current ?? location
  for reporter in IssueReporters.current {
    reporter.expectIssue(
      message,
      fileID: location.fileID,
      filePath: location.filePath,
      line: location.line,
      column: location.column
    )
  }
}

/// Runs an operation, and reports its error as an issue if it throws one.
///
/// ```swift
/// withErrorReporting { try storage.save(todos) }
/// ```
///
/// - Parameters:
///   - message: The activity of the operation, for the message of the issue.
///   - reporters: The reporters that receive the issue; `nil` for the current reporters.
///   - fileID: The module and name of the file to which the issue is attributed.
///   - filePath: The path of the file to which the issue is attributed.
///   - line: The number of the line to which the issue is attributed.
///   - column: The number of the column to which the issue is attributed.
///   - operation: The operation to run.
/// - Returns: The result of `operation`, or `nil` if it throws.
@discardableResult
public func withErrorReporting<R>(
  _ message: @autoclosure () -> String? = nil,
  to reporters: [any IssueReporter]? = nil,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column,
  catching operation: () throws -> R
) -> R? {
  withIssueReporters(reporters ?? IssueReporters.current) {
    do { return try operation() } catch {
      let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
      reportIssue(error, message(), at: location)
      return nil
    }
  }
}

/// Runs an asynchronous operation, and reports its error as an issue if it throws one.
///
/// - Parameters:
///   - message: The activity of the operation, for the message of the issue.
///   - reporters: The reporters that receive the issue; `nil` for the current reporters.
///   - fileID: The module and name of the file to which the issue is attributed.
///   - filePath: The path of the file to which the issue is attributed.
///   - line: The number of the line to which the issue is attributed.
///   - column: The number of the column to which the issue is attributed.
///   - isolation: The actor on which the operation runs. The default is the actor of the caller.
///   - operation: The operation to run.
/// - Returns: The result of `operation`, or `nil` if it throws.
@discardableResult
public func withErrorReporting<R>(
  _ message: @autoclosure () -> String? = nil,
  to reporters: [any IssueReporter]? = nil,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column,
  isolation: isolated (any Actor)? = #isolation,
  catching operation: () async throws -> R
) async -> R? {
  await withIssueReporters(reporters ?? IssueReporters.current) {
    do { return try await operation() } catch {
      let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
      reportIssue(error, message(), at: location)
      return nil
    }
  }
}
