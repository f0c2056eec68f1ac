import ActionLog
import Foundation
import ReplayEngine
import Synchronization
internal import TCACore

/// An interceptor that answers the reads of each action from the log, in recorded order.
///
/// A read that occurs earlier than recorded, or not at all, does not affect the answers to later reads.
final class ReadReplayer: DependencyReadInterceptor {
  private let contents = Mutex(ReadQueue())
  /// Whether the action has recorded reads or has already read a dependency.
  private let isTouched = Atomic(false)
  /// The sequence number of the action that is being reduced.
  private let seq = Atomic(0)

  private struct ReadQueue {
    var isUnfinished = false
    var keepsStandIns = false
    var rest: ArraySlice<LogEvent.Read> = []
    /// The recorded reads that were skipped because a read that follows them was made first.
    var skipped: [LogEvent.Read] = []
    /// The key of the first read that was out of order, and the key that was recorded at its position.
    var outOfOrder: (key: String, expected: String)?
    var made: [LogEvent.Read] = []
    /// The number of IDs that were generated for missing reads.
    var ids: UInt32 = 0
    /// The differences between the action's reads and the recorded reads.
    ///
    /// The number of the action is added to these findings in `result(of:)`.
    var findings: [LogEvent.Finding] = []

    /// Removes and returns the recorded answer to a read, at any position, or returns `nil` if there is none.
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
        // The read is reported only now, because until now the code might simply have stopped making the skipped read.
        if let outOfOrder { reportUnexpected(outOfOrder.key, expected: outOfOrder.expected) }
        read = skipped.remove(at: index)
      } else {
        if !isUnfinished || !rest.isEmpty { reportUnexpected(key, expected: rest.first?.key) }
        return nil
      }
      made.append(read)
      return read.value
    }

    /// Adds a finding about a read that the log does not have at this position.
    private mutating func reportUnexpected(_ key: String, expected: String?) {
      // Only the first such read is reported, because the following ones result from code that took another branch.
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

  /// Prepares the answers to the reads of an action.
  func prepare(_ input: StepInput) {
    let isTouched = !input.reads.isEmpty || input.isUnfinished || input.keepsStandIns
    // Most actions read no dependencies, so the lock is rarely needed.
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
        $0.findings.append(UndecodableReadFinding.finding(key, recorded, Value.self, error))
      }
      return distinct(standIn())
    }
  }

  /// Returns a stand-in in which an ID is unique among all reads of the log.
  ///
  /// A collection drops a row with a duplicate ID.
  private func distinct<Value>(_ standIn: Value) -> Value {
    guard standIn is UUID else { return standIn }
    let number = contents.withLock { contents in
      contents.ids += 1
      return contents.ids
    }
    return UUID(action: seq.load(ordering: .relaxed), number: number) as? Value ?? standIn
  }

  /// Returns the stand-in for a missing read, and records it if stand-ins are kept.
  private func noted<Value>(_ key: String, _ value: Value) -> Value {
    guard contents.withLock(\.keepsStandIns) else { return value }
    let read = LogEvent.Read(seq: 0, key: key, value: JSON(logging: value))
    contents.withLock { $0.made.append(read) }
    return value
  }

  /// Whether the action has no recorded reads and has not read a dependency.
  var isUntouched: Bool { !isTouched.load(ordering: .acquiring) }

  /// Returns the reads of an action, and their differences from the recorded reads.
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

/// A collector for the issues that reducers report while an action is reduced.
///
/// In a replay, these issues become findings about the action instead of warnings on standard error.
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

  /// Removes all collected issues.
  func forget() {
    guard !isEmpty else { return }
    hasIssues.store(false, ordering: .releasing)
    issues.withLock { $0 = [] }
  }

  /// Returns the distinct issues as findings about an action.
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
