import ActionLog
import ComposableArchitecture
import Synchronization

/// Collects the issues that are reported while an action is reduced.
///
/// They become findings of a replay instead of messages on standard error.
///
/// The library reports actions for missing features, and reads of dependencies without a value in a replay.
final class ReportedIssues: IssueReporter {
  private struct Issue: Hashable {
    let place: String
    let message: String
  }

  private struct Contents {
    var issues: [Issue] = []
    /// Many actions may read a dependency without a value, and one override fixes all of them.
    var said: Set<Issue> = []
  }

  private let contents = Mutex(Contents())

  func reportIssue(
    _ message: @autoclosure () -> String?,
    severity: IssueSeverity,
    fileID: StaticString,
    filePath: StaticString,
    line: UInt,
    column: UInt
  ) {
    let issue = Issue(place: "\(fileID):\(line)", message: message() ?? "")
    contents.withLock { contents in
      if !contents.issues.contains(issue) { contents.issues.append(issue) }
    }
  }

  /// Returns the issues since the last call as findings of an action.
  func takeFindings(of seq: Int) -> [LogEvent.Finding] {
    contents.withLock { contents in
      defer { contents.issues = [] }
      return contents.issues.map { issue in
        LogEvent.Finding(
          seq: seq,
          code: .runtimeIssue,
          subject: issue.place,
          message: UnansweredClient(issue.message)?.message ?? issue.message
        )
      }
    }
  }
}
