import ActionLog
import ComposableRecorder
import ReplayEngine
import Synchronization

/// Answers the reads of one action from the log.
///
/// A read that comes earlier than recorded, or is missing, does not affect the answers to later reads.
final class ReadAnswers: DependencyReadInterceptor {
  private struct Contents {
    var rest: [LogEvent.Read]
    var made: [LogEvent.Read] = []
    var findings: [LogEvent.Finding] = []
  }

  private let contents: Mutex<Contents>
  private let isUnfinished: Bool
  private let keepsStandIns: Bool
  private let seq: Int
  /// The recorded number of the first new element of a stack, if any.
  let firstStackElement: Int?

  init(_ input: StepInput) {
    contents = Mutex(Contents(rest: input.reads))
    isUnfinished = input.isUnfinished
    keepsStandIns = input.keepsStandIns
    seq = input.seq
    firstStackElement = input.reads.first { $0.key == Self.stackElement }?.value.int
  }

  var seed: UInt64 { UInt64(clamping: seq) }

  private static let stackElement = "stackElementID"

  func read<Value>(_ key: String, standIn: () -> Value, live: () -> Value) -> Value {
    guard let read = take(key) else {
      let value = standIn()
      if keepsStandIns {
        let read = LogEvent.Read(seq: seq, key: key, value: JSON(logging: value))
        contents.withLock { $0.made.append(read) }
      }
      return value
    }
    do { return try LogDecoder(read.value).value(Value.self) } catch {
      note(
        LogEvent.Finding(
          seq: 0,
          code: .undecodable,
          subject: key,
          actual: read.value,
          message: "\(error)"
        )
      )
      return standIn()
    }
  }

  /// Registers that elements of stacks have been created.
  func noteStackElement(_ number: Int) {
    _ = take(Self.stackElement)
  }

  /// Registers the shared values with keys that the reducer has made.
  ///
  /// A value that the log lacks is no difference by itself: its key can be in a part of the state from which the replay
  /// did not begin. Neither is a read of a key that the state had before, as in a sequence of other actions.
  func note(_ made: [SharedKeys.NewValue], besides known: SharedKeys) {
    contents.withLock { contents in
      var new = made
      var rest: [LogEvent.Read] = []
      for read in contents.rest {
        let index = new.firstIndex { $0.read == read.key }
        if let index { new.remove(at: index) }
        if index != nil || known.contains(read.key) {
          contents.made.append(read)
        } else {
          rest.append(read)
        }
      }
      contents.rest = rest
      guard keepsStandIns else { return }
      contents.made += new.map {
        LogEvent.Read(seq: seq, key: $0.read, value: JSON(logging: $0.value))
      }
    }
  }

  /// Whether the reducer has read all that the log has, except for keys of shared values.
  var isComplete: Bool {
    contents.withLock { contents in
      contents.findings.isEmpty
        && contents.rest.allSatisfy {
          $0.key == Self.stackElement || $0.key.hasPrefix(SharedKeys.readPrefix)
        }
    }
  }

  private func take(_ key: String) -> LogEvent.Read? {
    contents.withLock { contents in
      guard let index = contents.rest.firstIndex(where: { $0.key == key }) else {
        // Reports only the first difference, because later reads may come from another branch of the code.
        if !isUnfinished, contents.findings.isEmpty {
          contents.findings.append(
            LogEvent.Finding(
              seq: 0,
              code: .unrecordedRead,
              subject: key,
              expected: contents.rest.first.map { .string($0.key) },
              actual: .string(key)
            )
          )
        }
        return nil
      }
      let read = contents.rest.remove(at: index)
      contents.made.append(read)
      return read
    }
  }

  private func note(_ finding: LogEvent.Finding) {
    contents.withLock { $0.findings.append(finding) }
  }

  /// Returns the reads, and their differences from the recording.
  func result(of seq: Int) -> (reads: [LogEvent.Read], findings: [LogEvent.Finding]) {
    contents.withLock { contents in
      let unused = contents.rest.map {
        LogEvent.Finding(seq: seq, code: .unusedRead, subject: $0.key, expected: $0.value)
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
