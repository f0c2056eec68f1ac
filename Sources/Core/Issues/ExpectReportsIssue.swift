/// An issue that an operation has reported.
///
/// ```swift
/// let issues = expectReportsIssue { store.send(.child(.tap)) }
/// issues.first?.message  // what failed, as a test would show it
/// ```
public struct ReportedIssue: Sendable, CustomStringConvertible {
  /// The message: the finding, the expectation and a suggested fix.
  public let message: String
  /// The source location to which the issue is attributed.
  public let location: IssueLocation

  /// The message.
  public var description: String { message }
}

/// Runs an operation that is expected to report an issue, without failing the test.
///
/// ```swift
/// expectReportsIssue {
///   store.send(.child(.tap))
/// } matching: {
///   $0.message.contains("nil")
/// }
/// ```
///
/// An error that the operation throws counts as an issue. Unexpected issues are reported as usual.
///
/// - Parameters:
///   - message: The reason why an issue is expected.
///   - isIntermittent: Whether it is acceptable that no issue occurs.
///   - fileID: The file of the call.
///   - filePath: The path of that file.
///   - line: The line of the call.
///   - column: The column of the call.
///   - operation: The operation to run.
///   - isExpected: Whether an issue is expected. By default, all issues are.
/// - Returns: The expected issues that occurred.
@discardableResult
public func expectReportsIssue(
  _ message: String? = nil,
  isIntermittent: Bool = false,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column,
  _ operation: () throws -> Void,
  matching isExpected: (ReportedIssue) -> Bool = { _ in true }
) -> [ReportedIssue] {
  let collector = IssueCollector()
  withIssueReporters([collector]) {
    do { try operation() } catch { reportIssue(error) }
  }
  let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  return collector.check(message, isIntermittent, at: location, matching: isExpected)
}

/// Runs an asynchronous operation that is expected to report an issue, without failing the test.
///
/// - Parameters:
///   - message: The reason why an issue is expected.
///   - isIntermittent: Whether it is acceptable that no issue occurs.
///   - isolation: The actor of the caller.
///   - fileID: The file of the call.
///   - filePath: The path of that file.
///   - line: The line of the call.
///   - column: The column of the call.
///   - operation: The operation to run.
///   - isExpected: Whether an issue is expected. By default, all issues are.
/// - Returns: The expected issues that occurred.
@discardableResult
public func expectReportsIssue(
  _ message: String? = nil,
  isIntermittent: Bool = false,
  isolation: isolated (any Actor)? = #isolation,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column,
  _ operation: () async throws -> Void,
  matching isExpected: (ReportedIssue) -> Bool = { _ in true }
) async -> [ReportedIssue] {
  let collector = IssueCollector()
  await withIssueReporters([collector]) {
    do { try await operation() } catch { reportIssue(error) }
  }
  let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  return collector.check(message, isIntermittent, at: location, matching: isExpected)
}

/// Collects issues until the end of an operation, when expected and unexpected ones are separated.
final class IssueCollector: IssueReporter {
  private let issues = LockIsolated<[ReportedIssue]>([])

  func reportIssue(
    _ message: @autoclosure () -> String?,
    fileID: StaticString,
    filePath: StaticString,
    line: UInt,
    column: UInt
  ) {
    let issue = ReportedIssue(
      message: message() ?? "",
      location: IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    )
    issues.withValue { $0.append(issue) }
  }

  /// Reports the unexpected issues, and the absence of expected ones.
  func check(
    _ message: String?,
    _ isIntermittent: Bool,
    at location: IssueLocation,
    matching isExpected: (ReportedIssue) -> Bool
  ) -> [ReportedIssue] {
    var expected: [ReportedIssue] = []
    for issue in issues.value {
      if isExpected(issue) {
        expected.append(issue)
      } else {
        TCACore.reportIssue(issue.message, at: issue.location)
      }
    }
    if expected.isEmpty, !isIntermittent {
      TCACore.reportIssue(Messages.expectedIssueMissing(message), at: location)
    }
    return expected
  }
}

/// Runs an operation that is expected to report an issue, without failing the test.
///
/// ```swift
/// withExpectedIssue { store.send(.child(.tap)) }
/// ```
///
/// An error that the operation throws counts as an issue, as does an issue that Swift Testing records, such as a failed
/// `#expect`.
///
/// - Parameters:
///   - message: The reason why an issue is expected.
///   - isIntermittent: Whether it is acceptable that no issue occurs.
///   - fileID: The file of the call.
///   - filePath: The path of that file.
///   - line: The line of the call.
///   - column: The column of the call.
///   - operation: The operation to run.
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

/// Runs an asynchronous operation that is expected to report an issue, without failing the test.
///
/// - Parameters:
///   - message: The reason why an issue is expected.
///   - isIntermittent: Whether it is acceptable that no issue occurs.
///   - isolation: The actor of the caller.
///   - fileID: The file of the call.
///   - filePath: The path of that file.
///   - line: The line of the call.
///   - column: The column of the call.
///   - operation: The operation to run.
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

/// Handles the issues that a testing library records itself, such as those of `#expect`.
private enum KnownIssues {
  /// Runs an operation whose issues are expected and therefore don't fail the test.
  ///
  /// - Parameters:
  ///   - location: The source location of the expectation.
  ///   - operation: The operation to run.
  /// - Returns: The number of issues, or 0 if the library can't count them.
  static func count(at location: IssueLocation, in operation: () -> Void) -> Int {
    guard let count = SwiftTestingLibrary.knownIssues(at: location, in: operation) else {
      operation()
      return 0
    }
    return count
  }

  /// Runs an asynchronous operation whose issues are expected and therefore don't fail the test.
  ///
  /// - Parameters:
  ///   - isolation: The actor of the caller.
  ///   - location: The source location of the expectation.
  ///   - operation: The operation to run.
  /// - Returns: The number of issues, or 0 if the library can't count them.
  static func count(
    isolation: isolated (any Actor)? = #isolation,
    at location: IssueLocation,
    in operation: () async -> Void
  ) async -> Int {
    guard let count = await SwiftTestingLibrary.knownIssues(at: location, in: operation) else {
      await operation()
      return 0
    }
    return count
  }
}
