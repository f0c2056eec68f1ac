import ActionLog
import ReplayEngine

/// Makes one trace of the events of logs: each recording is a process.
///
/// It holds the state, what is open, and what later actions may come from, so that a log of any length streams through it.
///
/// ```swift
/// var trace = LogTrace(style: .plain)
/// while let entry = try source.next() { trace.traceEvent(entry.event) }
/// trace.close()
/// String(decoding: trace.writer.bytes, as: UTF8.self)  // {"traceEvents":[ …
/// ```
struct LogTrace {
  private(set) var writer = TraceWriter()
  private let text: TraceText
  private let counters: [ValuePath]
  private var recording: RecordingTrace?
  /// The number of recordings so far.
  private(set) var recordings = 0
  private var endedActions = 0
  private var found: Set<Int> = []
  private var missingEnds: [Int: UnresolvedPath] = [:]

  /// Creates a trace.
  ///
  /// - Parameters:
  ///   - style: The style of actions and values.
  ///   - counters: The paths of the state that are shown as numbers.
  init(style: Style, counters: [ValuePath] = []) {
    text = TraceText(style)
    self.counters = counters
  }

  /// The number of actions so far.
  var actions: Int { endedActions + (recording?.actions ?? 0) }

  /// Removes and returns the first change of each range that did not fit its state.
  ///
  /// A range ends at a checkpoint.
  mutating func takeBrokenPatches() -> [LogCursor.BrokenPatch] {
    recording?.takeBrokenPatches() ?? []
  }

  /// The counters whose paths no state has had, with the resolved part of each path in the last state.
  var missing: [(place: ValuePath, end: UnresolvedPath)] {
    counters.indices.compactMap { index in
      missingEnds[index].map { (counters[index], $0) }
    }
  }

  /// Adds the next event.
  mutating func traceEvent(_ event: LogEvent) {
    guard case .header(let header) = event else {
      recording?.traceEvent(event, &writer)
      return
    }
    if recording?.isContinued(by: header) == true {
      recording?.resume(header, &writer)
      return
    }
    finish()
    recordings += 1
    recording = RecordingTrace(
      header,
      number: recordings,
      text,
      counters: counters,
      &writer
    )
  }

  /// Registers that the remaining events of a log cannot be read.
  mutating func markUnreadable(_ error: any Error) {
    recording?.markUnreadable(error, &writer)
  }

  /// Ends the document.
  mutating func close() {
    finish()
    writer.close()
  }

  /// Clears the bytes that have been written elsewhere.
  mutating func clear() { writer.clear() }

  private mutating func finish() {
    guard var ended = recording.take() else { return }
    ended.finish(&writer)
    endedActions += ended.actions
    for index in counters.indices where !found.contains(index) {
      if let end = ended.missingPath(ofCounter: index) {
        missingEnds[index] = end
      } else {
        found.insert(index)
        missingEnds[index] = nil
      }
    }
  }
}
