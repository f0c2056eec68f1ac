import Foundation

/// The severity of an issue.
public enum IssueSeverity: Sendable {
  /// An issue that should be reviewed.
  case warning
  /// An error.
  case error
}

/// A receiver of the issues that code reports.
public protocol IssueReporter: Sendable {
  /// Receives an issue.
  func reportIssue(
    _ message: @autoclosure () -> String?,
    severity: IssueSeverity,
    fileID: StaticString,
    filePath: StaticString,
    line: UInt,
    column: UInt
  )
}

/// The receivers of issues.
private enum IssueReporters { @TaskLocal static var current: [any IssueReporter]? }

/// Sets the receivers for the issues of an operation.
public func withIssueReporters<R>(
  _ reporters: [any IssueReporter],
  operation: () throws -> R
) rethrows -> R {
  try IssueReporters.$current.withValue(reporters, operation: operation)
}

/// Sets the receivers for the issues of an asynchronous operation.
public func withIssueReporters<R>(
  _ reporters: [any IssueReporter],
  isolation: isolated (any Actor)? = #isolation,
  operation: () async throws -> R
) async rethrows -> R {
  try await IssueReporters.$current.withValue(reporters, operation: operation)
}

/// Reports a mistake in the app.
///
/// Without a receiver, it is written to standard error.
public func reportIssue(
  _ message: @autoclosure () -> String?,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) {
  let text = message() ?? ""
  guard let reporters = IssueReporters.current else {
    return FileHandle.standardError.write(Data("\(fileID):\(line): \(text)\n".utf8))
  }
  for reporter in reporters {
    reporter.reportIssue(
      text,
      severity: .error,
      fileID: fileID,
      filePath: filePath,
      line: line,
      column: column
    )
  }
}

enum Messages {
  static func modifiedUnrelatedCase(of value: some Any) -> String {
    "A case was to be modified that the value does not have."
  }
}
