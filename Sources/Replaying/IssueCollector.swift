import ActionLog
import Synchronization
internal import TCACore

/// Keeps the issues that are reported while an action is reduced: in a replay they are findings of the action, and no
/// warnings on standard error that nobody can tell apart.
final class IssueCollector: IssueReporter {
  private struct Issue: Hashable {
    let place: String
    let message: String
  }

  private let issues = Mutex<[Issue]>([])
  /// Whether nothing was reported.
  var isEmpty: Bool { !hasIssues.load(ordering: .acquiring) }
  private let hasIssues = Atomic(false)

  func reportIssue(
    _ message: @autoclosure () -> String?,
    fileID: StaticString,
    filePath: StaticString,
    line: UInt,
    column: UInt
  ) {
    let issue = Issue(place: "\(fileID):\(line)", message: message() ?? "")
    hasIssues.store(true, ordering: .releasing)
    issues.withLock { issues in
      // A loop may report the same again and again.
      if issues.last != issue { issues.append(issue) }
    }
  }

  /// The issues as findings, each once.
  func findings(of seq: Int) -> [LogEvent.Finding] {
    var seen: Set<Issue> = []
    return issues.withLock { $0 }.filter { seen.insert($0).inserted }.map { issue in
      LogEvent.Finding(
        seq: seq,
        code: .runtimeIssue,
        subject: issue.place,
        message: issue.message
      )
    }
  }
}
