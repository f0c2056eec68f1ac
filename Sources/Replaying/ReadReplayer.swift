import ActionLog
import ReplayEngine
import Synchronization
internal import TCACore

/// Answers the reads of one action after the other from the log, in the order in which they were recorded.
///
/// What the code asks for sooner than it did, or no more, does not keep later questions from their answers.
final class ReadReplayer: ReadInterceptor {
  private let contents = Mutex(Contents())
  /// Whether something was recorded or asked for.
  private let isTouched = Atomic(false)

  private struct Contents {
    var isUnfinished = false
    var rest: ArraySlice<LogEvent.Read> = []
    /// What was passed over, for something behind it was asked for first.
    var skipped: [LogEvent.Read] = []
    /// The first question that did not come in its turn, and what stood there.
    var outOfTurn: (key: String, expected: String)?
    var made: [LogEvent.Read] = []
    /// What did not agree with the recording, of an action whose number is put in later.
    var findings: [LogEvent.Finding] = []

    /// Takes the recorded answer, wherever it stands.
    mutating func take(_ key: String) -> JSON? {
      let read: LogEvent.Read
      if let next = rest.first, next.key == key {
        rest.removeFirst()
        read = next
      } else if let index = rest.firstIndex(where: { $0.key == key }) {
        outOfTurn = outOfTurn ?? (key, rest[rest.startIndex].key)
        skipped += rest[..<index]
        read = rest[index]
        rest = rest[(index + 1)...]
      } else if let index = skipped.firstIndex(where: { $0.key == key }) {
        // Only now it is clear that the order is another one, and not that something is no longer asked for.
        if let outOfTurn { note(outOfTurn.key, expected: outOfTurn.expected) }
        read = skipped.remove(at: index)
      } else {
        if !isUnfinished || !rest.isEmpty { note(key, expected: rest.first?.key) }
        return nil
      }
      made.append(read)
      return read.value
    }

    /// Notes a question that the log does not have at this place.
    private mutating func note(_ key: String, expected: String?) {
      // The first one says it all: what is asked for after it is asked by code that went another way.
      guard findings.isEmpty else { return }
      findings.append(
        LogEvent.Finding(
          seq: 0,
          code: .unrecordedRead,
          subject: key,
          expected: expected.map(JSON.string),
          actual: .string(key)
        )
      )
    }
  }

  /// Begins with an action.
  func begin(_ input: StepInput) {
    contents.withLock {
      $0 = Contents(isUnfinished: input.isUnfinished, rest: input.reads[...])
    }
    isTouched.store(!input.reads.isEmpty || input.isUnfinished, ordering: .releasing)
  }

  /// Begins with an action for which no reads were recorded.
  func begin() {
    guard !isUntouched else { return }
    contents.withLock { $0 = Contents() }
    isTouched.store(false, ordering: .releasing)
  }

  func read<Value>(_ key: String, standIn: () -> Value, live: () -> Value) -> Value {
    isTouched.store(true, ordering: .releasing)
    let recorded = contents.withLock { $0.take(key) }
    guard let recorded else { return standIn() }
    do { return try LogDecoder(recorded).value(Value.self) } catch {
      contents.withLock {
        $0.findings.append(
          LogEvent.Finding(
            seq: 0,
            code: .undecodable,
            subject: key,
            actual: recorded,
            message: "\(error)"
          )
        )
      }
      return standIn()
    }
  }

  /// Whether nothing was recorded and nothing was asked.
  var isUntouched: Bool { !isTouched.load(ordering: .acquiring) }

  /// What was asked, and what did not agree with the recording.
  func result(of seq: Int) -> (reads: [LogEvent.Read], findings: [LogEvent.Finding]) {
    contents.withLock { contents in
      let unused = (contents.skipped + contents.rest).map {
        LogEvent.Finding(
          seq: seq,
          code: .unusedRead,
          subject: $0.key,
          expected: $0.value
        )
      }
      let findings = contents.findings.map { finding in
        var finding = finding
        finding.seq = seq
        return finding
      }
      return (contents.made, findings + unused)
    }
  }
}

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
