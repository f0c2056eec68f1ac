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
  let counter = IssueCounter()
  withIssueReporters([counter]) {
    do { try operation() } catch { reportIssue(error) }
  }
  guard counter.count == 0, !isIntermittent else { return }
  let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  reportIssue(Messages.expectedIssueMissing(message), at: location)
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
  let counter = IssueCounter()
  await withIssueReporters([counter]) {
    do { try await operation() } catch { reportIssue(error) }
  }
  guard counter.count == 0, !isIntermittent else { return }
  let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  reportIssue(Messages.expectedIssueMissing(message), at: location)
}

private final class IssueCounter: IssueReporter {
  private let issues = LockIsolated(0)

  var count: Int { issues.value }

  func reportIssue(_: String, at _: IssueLocation) {
    issues.withValue { $0 += 1 }
  }
}
