import Synchronization
import TCACore

/// Collects the issues of an operation instead of failing the test.
final class IssueCollector: IssueReporter {
  private let storage = Mutex<[(message: String, place: String)]>([])

  var messages: [String] { storage.withLock { $0.map(\.message) } }

  /// The files and lines of the issues.
  var places: [String] { storage.withLock { $0.map(\.place) } }

  func reportIssue(
    _ message: @autoclosure () -> String?,
    fileID: StaticString,
    filePath: StaticString,
    line: UInt,
    column: UInt
  ) {
    let issue = (message() ?? "", "\(fileID):\(line)")
    storage.withLock { $0.append(issue) }
  }
}

/// Returns the messages of the issues that an operation reports.
func recordingIssues(_ operation: () throws -> Void) rethrows -> [String] {
  let collector = IssueCollector()
  try withIssueReporters([collector], operation: operation)
  return collector.messages
}

/// Returns the messages of the issues that an asynchronous operation reports.
func recordingIssues(
  isolation: isolated (any Actor)? = #isolation,
  _ operation: () async throws -> Void
) async rethrows -> [String] {
  let collector = IssueCollector()
  try await withIssueReporters([collector], operation: operation)
  return collector.messages
}
