/// Runs an operation that is expected to report an issue, which then fails nothing.
///
/// ```swift
/// withExpectedIssue { store.send(.child(.tap)) }
/// ```
///
/// An error that the operation throws counts as an issue.
///
/// - Parameters:
///   - message: Why an issue is expected.
///   - isIntermittent: Whether there may also be no issue.
///   - fileID: The file of the call.
///   - filePath: The path of that file.
///   - line: The line of the call.
///   - column: The column of the call.
///   - operation: What is run.
public func withExpectedIssue(
  _ message: String? = nil,
  isIntermittent: Bool = false,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column,
  _ operation: () throws -> Void
) {
  expectReportsIssue(
    message,
    isIntermittent: isIntermittent,
    fileID: fileID,
    filePath: filePath,
    line: line,
    column: column,
    operation
  )
}

/// Runs an asynchronous operation that is expected to report an issue, which then fails nothing.
///
/// - Parameters:
///   - message: Why an issue is expected.
///   - isIntermittent: Whether there may also be no issue.
///   - isolation: The actor of the caller.
///   - fileID: The file of the call.
///   - filePath: The path of that file.
///   - line: The line of the call.
///   - column: The column of the call.
///   - operation: What is run.
public func withExpectedIssue(
  _ message: String? = nil,
  isIntermittent: Bool = false,
  isolation: isolated (any Actor)? = #isolation,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column,
  _ operation: () async throws -> Void
) async {
  await expectReportsIssue(
    message,
    isIntermittent: isIntermittent,
    fileID: fileID,
    filePath: filePath,
    line: line,
    column: column,
    operation
  )
}
