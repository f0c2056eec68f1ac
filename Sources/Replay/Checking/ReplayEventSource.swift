import ActionLog

/// A replay in progress: a source of replayed events.
package protocol ReplayEventSource: AnyObject {
  /// Returns the next replayed event, or `nil` after the last one.
  ///
  /// - Throws: `HostFailure`, `LogReadError`, `ReplayError`.
  func next() throws -> LogEvent?

  /// The lines that the replay wrote to standard error, complete after the replay has ended.
  var hostOutput: [String] { get }

  /// Ends the replay.
  ///
  /// - Parameter isDone: Whether the caller has read all events. Otherwise, the replay is canceled.
  /// - Returns: The reason why the replay ended.
  func end(isDone: Bool) -> ReplayEnd
}

/// The reason why a replay ended.
package enum ReplayEnd: Hashable, Sendable {
  /// All events have been returned, and the host waits for another log.
  case waiting
  /// The process exited with this status.
  case exited(Int32)
  /// The signal with this name ended the process.
  case signal(String)
  /// The process was killed after this number of seconds.
  case timedOut(Double)
}
