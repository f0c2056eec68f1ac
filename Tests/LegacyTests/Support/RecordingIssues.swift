import Foundation
import Synchronization
import TCACore

/// Collects the issues of an operation instead of failing the test.
final class IssueCollector: IssueReporter {
  private let storage = Mutex<[String]>([])

  var messages: [String] { storage.withLock { $0 } }

  func reportIssue(
    _ message: @autoclosure () -> String?,
    fileID: StaticString,
    filePath: StaticString,
    line: UInt,
    column: UInt
  ) {
    let text = message() ?? ""
    storage.withLock { $0.append(text) }
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

/// Returns a message without line numbers in its source locations.
func withoutLines(_ message: String) -> String {
  var rest = Substring(message)
  var result = ""
  while let place = rest.range(of: ".swift:") {
    result += rest[..<place.upperBound] + "N"
    rest = rest[place.upperBound...].drop { $0.isNumber }
  }
  return result + rest
}
