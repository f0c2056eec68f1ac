/// Tells the current reporters of a mistake in how something is used.
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

/// Tells the current reporters of an error that nothing else takes care of.
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
