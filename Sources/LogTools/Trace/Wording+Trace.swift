import ActionLog
import ReplayEngine

/// The names, labels, and messages of `trace`.
extension Wording {
  static let trace = "a trace"

  static let actionThread = "actions"

  static let noteThread = "notes"

  static func traceLabel(_ header: LogEvent.Header) -> String {
    "log \(Notation.visible(header.id))"
      + (header.startedAt.isEmpty ? "" : ", recorded \(Notation.visible(header.startedAt))")
  }

  static let ranBefore = "it ran already when the log began"

  static let runsOn = "it had not ended when the log did"

  static let endedUnseen = "it ended where something is missing from the log"

  static let neverFinished = "its change is not in the log"

  static let untimed = "the log does not say how long the reducer took"

  static let taskWasCancelled = "the task of the call was canceled"

  static let gap = "gap"

  static let brokenPatch = "a change does not fit the state"

  static let unreadableFromHere = "the rest of the log cannot be read"

  static func segmentBegins(_ number: Int) -> String { "segment \(number)" }

  static func logEnds(_ end: LogEvent.End) -> String { "end, \(Notation.visible(end.reason))" }

  static func brokenPatch(_ broken: LogCursor.BrokenPatch, in log: String) -> String {
    "\(Notation.visible(log)): \(broken); the trace has no counters and no old values from there to the next checkpoint"
  }

  static func nothingToCount(at place: ValuePath, _ missing: UnresolvedPath) -> String {
    "--counter \(place): no state has anything there"
      + nearest(missing, name: writer(of: "\(place)"))
  }

  static func wroteTrace(_ path: String, logs: Int, actions count: Int) -> String {
    "\(path): \(actions(count))\(logs > 1 ? " of \(logs) logs" : ""); https://ui.perfetto.dev opens it\n"
  }
}
