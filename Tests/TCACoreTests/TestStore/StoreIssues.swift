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
  /// The messages of issues that are only shown.
  var shown: [String] { all.filter(\.isExpected).map(\.message) }
  var lines: [UInt] { all.map(\.line) }

  func reportIssue(_ message: String, at location: IssueLocation) {
    storage.withLock { $0.append(Issue(message: message, line: location.line)) }
  }

  func expectIssue(_ message: String, at location: IssueLocation) {
    storage.withLock { $0.append(Issue(message: message, line: location.line, isExpected: true)) }
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
