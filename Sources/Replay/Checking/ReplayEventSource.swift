import ActionLog

/// A replay in progress: a source of replayed events with the way in which it ended.
package protocol ReplayEventSource: AnyObject {
  /// The next replayed event; `nil` when there are no more.
  ///
  /// - Throws: `HostFailure`, `LogReadError`, `ReplayError`.
  func next() throws -> LogEvent?

  /// The lines of standard error, once the replay has ended.
  var hostOutput: [String] { get }

  /// Ends the replay.
  ///
  /// - Parameter isDone: Whether all events were wanted and taken; otherwise the replay is cancelled.
  /// - Returns: How it ended.
  func end(isDone: Bool) -> ReplayEnd
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
