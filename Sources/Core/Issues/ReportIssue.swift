/// Reports a mistake in how something is used to the current reporters.
///
/// In a test the test fails there; elsewhere a line goes to standard error and the program goes on.
///
/// - Parameters:
///   - message: What was found, what was expected, what to do.
///   - fileID: The file to blame.
///   - filePath: The path of that file.
///   - line: The line to blame.
///   - column: The column to blame.
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

/// Reports an error that is not handled elsewhere to the current reporters.
///
/// - Parameters:
///   - error: The error.
///   - message: What was being done.
///   - fileID: The file to blame.
///   - filePath: The path of that file.
///   - line: The line to blame.
///   - column: The column to blame.
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

/// Shows something that would be an issue if it had not been expected.
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

/// Runs an operation and makes an error that it throws an issue.
///
/// ```swift
/// withErrorReporting { try storage.save(todos) }
/// ```
///
/// - Parameters:
///   - message: What is being done.
///   - reporters: The reporters that take the issue, the current ones when nil.
///   - fileID: The file to blame.
///   - filePath: The path of that file.
///   - line: The line to blame.
///   - column: The column to blame.
///   - operation: What is run.
/// - Returns: What the operation returns, nil when it throws.
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

/// Runs an asynchronous operation and makes an error that it throws an issue.
///
/// - Parameters:
///   - message: What is being done.
///   - reporters: The reporters that take the issue, the current ones when nil.
///   - fileID: The file to blame.
///   - filePath: The path of that file.
///   - line: The line to blame.
///   - column: The column to blame.
///   - isolation: The actor of the caller.
///   - operation: What is run.
/// - Returns: What the operation returns, nil when it throws.
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
