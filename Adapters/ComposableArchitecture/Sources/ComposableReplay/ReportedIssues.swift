import ActionLog
import ComposableArchitecture
import Synchronization

/// The issues that are reported while an action is reduced: findings of a replay, and no messages on standard error.
///
/// The library reports actions for features that are not there, and reads of dependencies that have no value in a replay.
final class ReportedIssues: IssueReporter {
  private struct Issue: Hashable {
    let place: String
    let message: String
  }

  private struct Contents {
    var issues: [Issue] = []
    /// A dependency without a value is asked by many actions, and one override helps all of them.
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

  /// The issues since the last call, as findings of an action.
  func takeFindings(of seq: Int) -> [LogEvent.Finding] {
    contents.withLock { contents in
      defer { contents.issues = [] }
      return contents.issues.map { issue in
        LogEvent.Finding(
          seq: seq,
          code: .runtimeIssue,
          subject: issue.place,
          message: issue.message
        )
      }
    }
  }
}
