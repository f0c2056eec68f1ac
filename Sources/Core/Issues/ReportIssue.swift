/// Reports incorrect use of an API to the current reporters.
///
/// The default reporter fails the running test. Outside of tests, it writes to standard error, and the process
/// continues.
///
/// - Parameters:
///   - message: The finding, the expectation and a suggested fix.
///   - fileID: The file to which the issue is attributed.
///   - filePath: The path of that file.
///   - line: The line to which the issue is attributed.
///   - column: The column to which the issue is attributed.
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
///   - error: The error.
///   - message: The activity that failed.
///   - fileID: The file to which the error is attributed.
///   - filePath: The path of that file.
///   - line: The line to which the error is attributed.
///   - column: The column to which the error is attributed.
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

/// Reports an issue of a known kind.
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

/// Reports an expected issue, which reporters may show.
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

/// Runs an operation and reports an error that it throws as an issue.
///
/// ```swift
/// withErrorReporting { try storage.save(todos) }
/// ```
///
/// - Parameters:
///   - message: The activity of the operation.
///   - reporters: The reporters that receive the issue. If `nil`, the current ones do.
///   - fileID: The file to which the issue is attributed.
///   - filePath: The path of that file.
///   - line: The line to which the issue is attributed.
///   - column: The column to which the issue is attributed.
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

/// Runs an asynchronous operation and reports an error that it throws as an issue.
///
/// - Parameters:
///   - message: The activity of the operation.
///   - reporters: The reporters that receive the issue. If `nil`, the current ones do.
///   - fileID: The file to which the issue is attributed.
///   - filePath: The path of that file.
///   - line: The line to which the issue is attributed.
///   - column: The column to which the issue is attributed.
///   - isolation: The actor of the caller.
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
