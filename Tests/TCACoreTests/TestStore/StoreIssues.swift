import Synchronization
import TCACore

/// The issues of test stores, with the lines that they blame.
final class StoreIssues: IssueReporter {
  struct Issue: Equatable, Sendable {
    let message: String
    let line: UInt
    var isExpected = false
  }

  private let storage = Mutex<[Issue]>([])

  var all: [Issue] { storage.withLock { $0 } }
  /// The messages of issues that fail a test.
  var messages: [String] { all.filter { !$0.isExpected }.map(\.message) }
  /// The messages of issues that are only displayed.
  var shown: [String] { all.filter(\.isExpected).map(\.message) }
  var lines: [UInt] { all.map(\.line) }

  func reportIssue(
    _ message: @autoclosure () -> String?,
    fileID: StaticString,
    filePath: StaticString,
    line: UInt,
    column: UInt
  ) {
    let issue = Issue(message: message() ?? "", line: line)
    storage.withLock { $0.append(issue) }
  }

  func expectIssue(
    _ message: @autoclosure () -> String?,
    fileID: StaticString,
    filePath: StaticString,
    line: UInt,
    column: UInt
  ) {
    let issue = Issue(message: message() ?? "", line: line, isExpected: true)
    storage.withLock { $0.append(issue) }
  }

  /// Collects the issues of an operation.
  static func of(
    isolation: isolated (any Actor)? = #isolation,
    _ operation: () async throws -> Void
  ) async rethrows -> StoreIssues {
    let issues = StoreIssues()
    try await withIssueReporters([issues], operation: operation)
    return issues
  }
}
