import ActionLog
import Foundation
import ReplayEngine
import Synchronization
internal import TCACore

/// Answers the reads of each action from the log, in recorded order.
///
/// A read that occurs earlier than recorded, or not at all, does not affect the answers to later reads.
final class ReadReplayer: ReadInterceptor {
  private let contents = Mutex(ReadQueue())
  /// Whether the action has recorded reads or has made any.
  private let isTouched = Atomic(false)
  /// The number of the action.
  private let seq = Atomic(0)

  private struct ReadQueue {
    var isUnfinished = false
    var keepsStandIns = false
    var rest: ArraySlice<LogEvent.Read> = []
    /// The recorded reads that were skipped because a later one was made first.
    var skipped: [LogEvent.Read] = []
    /// The first read that was out of order, and the key that was recorded at its position.
    var outOfOrder: (key: String, expected: String)?
    var made: [LogEvent.Read] = []
    /// The number of IDs that were generated for missing reads.
    var ids: UInt32 = 0
    /// The differences from the recording.
    ///
    /// The number of the action is set later.
    var findings: [LogEvent.Finding] = []

    /// Returns the recorded answer to a read, at any position.
    mutating func removeAnswer(_ key: String) -> JSON? {
      let read: LogEvent.Read
      if let next = rest.first, next.key == key {
        rest.removeFirst()
        read = next
      } else if let index = rest.firstIndex(where: { $0.key == key }) {
        outOfOrder = outOfOrder ?? (key, rest[rest.startIndex].key)
        skipped += rest[..<index]
        read = rest[index]
        rest = rest[(index + 1)...]
      } else if let index = skipped.firstIndex(where: { $0.key == key }) {
        // Reported only now: until this read, the skipped read might simply no longer have been made.
        if let outOfOrder { reportUnexpected(outOfOrder.key, expected: outOfOrder.expected) }
        read = skipped.remove(at: index)
      } else {
        if !isUnfinished || !rest.isEmpty { reportUnexpected(key, expected: rest.first?.key) }
        return nil
      }
      made.append(read)
      return read.value
    }

    /// Records a read that the log does not have at this position.
    private mutating func reportUnexpected(_ key: String, expected: String?) {
      // Reports the first one only, because the following ones result from code that took another branch.
      guard findings.isEmpty || keepsStandIns else { return }
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

  /// Starts to answer the reads of an action.
  func prepare(_ input: StepInput) {
    let isTouched = !input.reads.isEmpty || input.isUnfinished || input.keepsStandIns
    // Most actions read no dependencies.
    if isTouched || !isUntouched {
      contents.withLock {
        $0 = ReadQueue(
          isUnfinished: input.isUnfinished,
          keepsStandIns: input.keepsStandIns,
          rest: input.reads[...]
        )
      }
    }
    self.isTouched.store(isTouched, ordering: .releasing)
    seq.store(input.seq, ordering: .relaxed)
  }

  func read<Value>(_ key: String, standIn: () -> Value, live: () -> Value) -> Value {
    isTouched.store(true, ordering: .releasing)
    let recorded = contents.withLock { $0.removeAnswer(key) }
    guard let recorded else { return noted(key, distinct(standIn())) }
    do { return try LogDecoder(recorded).value(Value.self) } catch {
      contents.withLock {
        $0.findings.append(ReadProblem.finding(key, recorded, Value.self, error))
      }
      return distinct(standIn())
    }
  }

  /// Makes a substitute ID unique among all reads of the log, because a collection drops a row with a duplicate ID.
  private func distinct<Value>(_ standIn: Value) -> Value {
    guard standIn is UUID else { return standIn }
    let number = contents.withLock { contents in
      contents.ids += 1
      return contents.ids
    }
    return UUID(action: seq.load(ordering: .relaxed), number: number) as? Value ?? standIn
  }

  /// Records the substitute for a missing read, if substitutes are kept, and returns it.
  private func noted<Value>(_ key: String, _ value: Value) -> Value {
    guard contents.withLock(\.keepsStandIns) else { return value }
    let read = LogEvent.Read(seq: 0, key: key, value: JSON(logging: value))
    contents.withLock { $0.made.append(read) }
    return value
  }

  /// Whether the action has neither recorded reads nor has made any.
  var isUntouched: Bool { !isTouched.load(ordering: .acquiring) }

  /// Returns the reads, and their differences from the recording.
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

extension UUID {
  /// Creates an ID from an action number and a counter: `00000000-0000-0000-0007-000000000001`.
  fileprivate init(action: Int, number: UInt32) {
    let (a, n) = (UInt64(bitPattern: Int64(action)), number)
    func byte(_ value: some BinaryInteger, _ index: Int) -> UInt8 {
      UInt8(truncatingIfNeeded: value >> (index * 8))
    }
    self.init(
      uuid: (
        byte(a, 7), byte(a, 6), byte(a, 5), byte(a, 4), 0, 0, byte(a, 3), byte(a, 2), byte(a, 1),
        byte(a, 0), 0, 0, byte(n, 3), byte(n, 2), byte(n, 1), byte(n, 0)
      )
    )
  }
}

/// A collector of the issues that are reported while an action is reduced.
///
/// In a replay, they are findings of the action instead of warnings on standard error.
final class IssueCollector: IssueReporter {
  private struct Issue: Hashable {
    let place: String
    let message: String
    let kind: LogEvent.Finding.Issue?
  }

  private let issues = Mutex<[Issue]>([])
  /// Whether no issues were reported.
  var isEmpty: Bool { !hasIssues.load(ordering: .acquiring) }
  private let hasIssues = Atomic(false)

  func reportIssue(
    _ message: @autoclosure () -> String?,
    fileID: StaticString,
    filePath: StaticString,
    line: UInt,
    column: UInt
  ) {
    let issue = Issue(
      place: "\(fileID):\(line)",
      message: message() ?? "",
      kind: IssueContext.kind
    )
    hasIssues.store(true, ordering: .releasing)
    issues.withLock { issues in
      // A loop may report the same issue many times.
      if issues.last != issue { issues.append(issue) }
    }
  }

  /// Removes all issues.
  func forget() {
    guard !isEmpty else { return }
    hasIssues.store(false, ordering: .releasing)
    issues.withLock { $0 = [] }
  }

  /// Returns the distinct issues as findings.
  func findings(of seq: Int) -> [LogEvent.Finding] {
    var seen: Set<Issue> = []
    return issues.withLock { $0 }.filter { seen.insert($0).inserted }.map { issue in
      LogEvent.Finding(
        seq: seq,
        code: .runtimeIssue,
        subject: issue.place,
        message: issue.message,
        issue: issue.kind
      )
    }
  }
}
