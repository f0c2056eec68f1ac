import ActionLog

/// A replay in progress: a source of replayed events.
package protocol ReplayEventSource: AnyObject {
  /// Returns the next replayed event, or `nil` after the last one.
  ///
  /// - Throws: `HostFailure`, `LogReadError`, `ReplayError`.
  func next() throws -> LogEvent?

  /// The lines of standard error, after the replay has ended.
  var hostOutput: [String] { get }

  /// Ends the replay.
  ///
  /// - Parameter isDone: Whether the caller has read all events. Otherwise, the replay is canceled.
  /// - Returns: The end of the replay.
  func end(isDone: Bool) -> ReplayEnd
}

/// The end of a replay.
package enum ReplayEnd: Hashable, Sendable {
  /// All events have been returned, and the host waits for another log.
  case waiting
  /// The process exited with a status.
  case exited(Int32)
  /// A signal ended the process.
  case signal(String)
  /// The process was killed after a number of seconds.
  case timedOut(Double)
}
