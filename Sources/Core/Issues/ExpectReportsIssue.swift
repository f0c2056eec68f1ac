/// An issue that an operation has reported.
///
/// ```swift
/// let issues = expectReportsIssue { store.send(.child(.tap)) }
/// issues.first?.message  // the text that a test would show
/// ```
public struct ReportedIssue: Sendable, CustomStringConvertible {
  /// The message, which states the finding, the expectation, and a suggested fix.
  public let message: String
  /// The source location to which the issue is attributed.
  public let location: IssueLocation

  /// The message of the issue.
  public var description: String { message }
}

/// Runs an operation that is expected to report an issue, which then doesn't fail the test.
///
/// ```swift
/// expectReportsIssue {
///   store.send(.child(.tap))
/// } matching: {
///   $0.message.contains("nil")
/// }
/// ```
///
/// An error of the operation counts as an issue. Unexpected issues are reported as usual.
///
/// - Parameters:
///   - message: The reason why an issue is expected, for the message if none occurs.
///   - isIntermittent: Whether it is also valid that no issue is reported.
///   - fileID: The module and name of the file that contains the call.
///   - filePath: The path of the file that contains the call.
///   - line: The line number of the call.
///   - column: The column number of the call.
///   - operation: The operation to run.
///   - isExpected: A closure that returns whether an issue is expected. By default, all issues are expected.
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

/// Runs an asynchronous operation that is expected to report an issue, which then doesn't fail the test.
///
/// - Parameters:
///   - message: The reason why an issue is expected, for the message if none occurs.
///   - isIntermittent: Whether it is also valid that no issue is reported.
///   - isolation: The actor on which the operation runs. The default is the actor of the caller.
///   - fileID: The module and name of the file that contains the call.
///   - filePath: The path of the file that contains the call.
///   - line: The line number of the call.
///   - column: The column number of the call.
///   - operation: The operation to run.
///   - isExpected: A closure that returns whether an issue is expected. By default, all issues are expected.
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

/// A reporter that stores all issues of an operation, so that `check` can separate expected from unexpected ones.
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

  /// Reports the unexpected issues, and also the absence of expected issues unless that is allowed.
  ///
  /// - Returns: The expected issues.
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

/// Runs an operation that is expected to report an issue, which then doesn't fail the test.
///
/// ```swift
/// withExpectedIssue { store.send(.child(.tap)) }
/// ```
///
/// An error of the operation counts as an issue, as does an issue that Swift Testing records, such as a failed
/// `#expect`.
///
/// - Parameters:
///   - message: The reason why an issue is expected, for the message if none occurs.
///   - isIntermittent: Whether it is also valid that no issue is reported.
///   - fileID: The module and name of the file that contains the call.
///   - filePath: The path of the file that contains the call.
///   - line: The line number of the call.
///   - column: The column number of the call.
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

/// Runs an asynchronous operation that is expected to report an issue, which then doesn't fail the test.
///
/// - Parameters:
///   - message: The reason why an issue is expected, for the message if none occurs.
///   - isIntermittent: Whether it is also valid that no issue is reported.
///   - isolation: The actor on which the operation runs. The default is the actor of the caller.
///   - fileID: The module and name of the file that contains the call.
///   - filePath: The path of the file that contains the call.
///   - line: The line number of the call.
///   - column: The column number of the call.
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

/// The functions that accept issues recorded by a testing library itself, such as failures of `#expect`.
private enum KnownIssues {
  /// Runs an operation so that issues recorded by the testing library don't fail the test.
  ///
  /// - Parameters:
  ///   - location: The source location of the code that expects the issues.
  ///   - operation: The operation to run.
  /// - Returns: The number of these issues; 0 outside of Swift Testing.
  static func count(at location: IssueLocation, in operation: () -> Void) -> Int {
    guard let count = SwiftTestingLibrary.knownIssues(at: location, in: operation) else {
      operation()
      return 0
    }
    return count
  }

  /// Runs an asynchronous operation so that issues recorded by the testing library don't fail the test.
  ///
  /// - Parameters:
  ///   - isolation: The actor on which the operation runs. The default is the actor of the caller.
  ///   - location: The source location of the code that expects the issues.
  ///   - operation: The operation to run.
  /// - Returns: The number of these issues; 0 outside of Swift Testing.
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
