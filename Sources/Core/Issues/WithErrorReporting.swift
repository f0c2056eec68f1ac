/// Runs an operation and makes an error that it throws an issue.
///
/// ```swift
/// withErrorReporting { try storage.save(todos) }
/// ```
///
/// - Parameters:
///   - message: What is being done.
///   - reporters: Who is told, the current reporters when nil.
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
///   - reporters: Who is told, the current reporters when nil.
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
