/// Runs an operation that is expected to report an issue, which then fails nothing.
///
/// ```swift
/// withExpectedIssue { store.send(.child(.tap)) }
/// ```
///
/// An error that the operation throws counts as an issue, and so does what Swift Testing records itself: a failed `#expect`.
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
  let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  let collector = IssueCollector()
  let known = KnownIssues.count(at: location) {
    withIssueReporters([collector]) {
      do { try operation() } catch { reportIssue(error) }
    }
  }
  _ = collector.check(message, isIntermittent || known > 0, at: location) { _ in true }
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
  let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  let collector = IssueCollector()
  let known = await KnownIssues.count(at: location) {
    await withIssueReporters([collector]) {
      do { try await operation() } catch { reportIssue(error) }
    }
  }
  _ = collector.check(message, isIntermittent || known > 0, at: location) { _ in true }
}
