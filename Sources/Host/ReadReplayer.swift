import ActionLog
import ReplayEngine
import Synchronization
internal import TCACore

/// Answers the reads of one action after the other from the log, in the order in which they were recorded.
final class ReadReplayer: ReadInterceptor {
  private let contents = Mutex(Contents())

  private struct Contents {
    var seq = 0
    var isUnfinished = false
    var rest: ArraySlice<LogEvent.Read> = []
    var made: [LogEvent.Read] = []
    var findings: [LogEvent.Finding] = []

    var isUntouched: Bool { rest.isEmpty && made.isEmpty && findings.isEmpty }
  }

  /// Begins with an action.
  func begin(_ input: StepInput) {
    contents.withLock { contents in
      contents.seq = input.seq
      contents.isUnfinished = input.isUnfinished
      guard !contents.isUntouched || !input.reads.isEmpty else { return }
      contents.rest = input.reads[...]
      contents.made = []
      contents.findings = []
    }
  }

  func read<Value>(_ key: String, standIn: () -> Value, live: () -> Value) -> Value {
    let recorded = contents.withLock { contents -> JSON? in
      if let next = contents.rest.first, next.key == key {
        contents.rest.removeFirst()
        contents.made.append(next)
        return next.value
      }
      // The first one says it all: what is asked for after it is asked by code that went another way.
      if contents.findings.isEmpty, !contents.isUnfinished || !contents.rest.isEmpty {
        contents.findings.append(
          LogEvent.Finding(
            seq: contents.seq,
            code: .unrecordedRead,
            subject: key,
            expected: contents.rest.first.map { .string($0.key) },
            actual: .string(key)
          )
        )
      }
      return nil
    }
    guard let recorded else { return standIn() }
    do { return try LogDecoder(recorded).value(Value.self) } catch {
      contents.withLock {
        $0.findings.append(
          LogEvent.Finding(
            seq: $0.seq,
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
  var isUntouched: Bool { contents.withLock { $0.isUntouched } }

  /// What was asked, and what did not agree with the recording.
  func result() -> (reads: [LogEvent.Read], findings: [LogEvent.Finding]) {
    contents.withLock { contents in
      let unused = contents.rest.map {
        LogEvent.Finding(
          seq: contents.seq,
          code: .unusedRead,
          subject: $0.key,
          expected: $0.value
        )
      }
      return (contents.made, contents.findings + unused)
    }
  }
}
