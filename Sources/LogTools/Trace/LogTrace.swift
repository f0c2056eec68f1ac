import ActionLog
import ReplayEngine

/// Converts the events of logs to one trace, in which each recording is a process.
///
/// Logs of any length can be converted, because only the state and open slices are held in memory.
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
  /// The number of recordings that have been read so far.
  private(set) var recordings = 0
  private var endedActions = 0
  private var found: Set<Int> = []
  private var missingEnds: [Int: UnresolvedPath] = [:]

  /// Creates a trace.
  ///
  /// - Parameters:
  ///   - style: The style for actions and values.
  ///   - counters: The paths into the state whose values are shown as counters.
  init(style: Style, counters: [ValuePath] = []) {
    text = TraceText(style)
    self.counters = counters
  }

  /// The number of actions that have been read so far.
  var actions: Int { endedActions + (recording?.actions ?? 0) }

  /// Returns and removes the errors for patches that did not fit, since the last call.
  ///
  /// After such a patch, no patch is applied up to the next checkpoint, so at most one error occurs between two
  /// checkpoints.
  mutating func consumeBrokenPatches() -> [LogCursor.BrokenPatch] {
    recording?.consumeBrokenPatches() ?? []
  }

  /// The counters whose paths had no value in any state, with the part of each path that resolves in the last state.
  var missing: [(place: ValuePath, end: UnresolvedPath)] {
    counters.indices.compactMap { index in
      missingEnds[index].map { (counters[index], $0) }
    }
  }

  /// Adds an event to the trace.
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

  /// Adds a note that the remaining events of a log can't be read.
  mutating func markUnreadable(_ error: any Error) {
    recording?.markUnreadable(error, &writer)
  }

  /// Ends all open slices and the document.
  mutating func close() {
    finish()
    writer.close()
  }

  /// Removes bytes from the writer's buffer after they were written to the output.
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
