import ActionLog

/// A replay in progress: a source of replayed events with the way in which it ended.
package protocol ReplayEventSource: AnyObject {
  /// The next replayed event; `nil` when there are no more.
  ///
  /// - Throws: `HostFailure`, `LogReadError`, `ReplayError`.
  func next() throws -> LogEvent?

  /// Replays actions as long as each has no other outcome than its recorded patch, and gives no events of them.
  ///
  /// - Returns: The actions; `nil` when there are none.
  /// - Throws: The errors of `next()`.
  func passAlike() throws -> LogComparison.PassedActions?

  /// The recording, when the replay reads it, too.
  var recording: RecordedEvents? { get }

  /// Whether events of matching actions are left out, so that it is not known which one ends the replaying process.
  var isPassing: Bool { get }

  /// The lines of standard error, once the replay has ended.
  var hostOutput: [String] { get }

  /// Ends the replay.
  ///
  /// - Parameter isDone: Whether all events were wanted and taken; otherwise the replay is cancelled.
  /// - Returns: How it ended.
  func end(isDone: Bool) -> ReplayEnd
}

extension ReplayEventSource {
  /// Only the comparison reads it.
  package var recording: RecordedEvents? { nil }

  /// The standard error of this process is not collected.
  package var hostOutput: [String] { [] }

  /// Every action gives its events.
  package var isPassing: Bool { false }

  /// Gives events of all actions.
  package func passAlike() throws -> LogComparison.PassedActions? { nil }
}

/// The way in which a replay ended.
package enum ReplayEnd: Hashable, Sendable {
  /// All events have been given, and the host waits for another log.
  case waiting
  /// The process exited with this status.
  case exited(Int32)
  /// A signal ended the process.
  case signal(String)
  /// It took more than this many seconds, and was killed.
  case timedOut(Double)
}

/// A replay in this process, which a trap of the feature ends.
package final class InProcessReplay: ReplayEventSource {
  private var session: ReplaySession

  package init(_ session: ReplaySession) { self.session = session }

  package func next() throws -> LogEvent? { try session.next() }

  package func passAlike() throws -> LogComparison.PassedActions? { try session.passAlike() }

  package func end(isDone: Bool) -> ReplayEnd { .waiting }
}
