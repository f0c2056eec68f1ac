import ActionLog

/// A replay under way: a source of replayed events, and how it ended.
package protocol RunningReplay: AnyObject {
  /// The next replayed event; `nil` when there are no more.
  ///
  /// - Throws: `HostFailure`, `LogReadError`, `ReplayError`.
  func next() throws -> LogEvent?

  /// Replays actions for as long as nothing comes of each but its recorded patch, and gives no events of them.
  ///
  /// - Returns: The actions; `nil` when there are none.
  /// - Throws: As `next()`.
  func passAlike() throws -> LogComparison.PassedActions?

  /// The recording, when the replay takes from it, too.
  var recording: RecordedEvents? { get }

  /// Whether actions are passed, so that it is not told which one the replay does not survive.
  var isPassing: Bool { get }

  /// What was written to standard error meanwhile, once the replay has ended.
  var hostOutput: [String] { get }

  /// Ends the replay.
  ///
  /// - Parameter isDone: Whether all events were wanted and taken; otherwise the replay is broken off.
  /// - Returns: How it ended.
  func end(isDone: Bool) -> ReplayEnd
}

extension RunningReplay {
  /// Nobody but who compares takes from it.
  package var recording: RecordedEvents? { nil }

  /// What is written in this process is not held.
  package var hostOutput: [String] { [] }

  /// Every action is told.
  package var isPassing: Bool { false }

  /// Gives events of all actions.
  package func passAlike() throws -> LogComparison.PassedActions? { nil }
}

/// How a replay ended.
package enum ReplayEnd: Hashable, Sendable {
  /// All has been given, and what replays waits for another log.
  case waiting
  /// The process exited with this status.
  case exited(Int32)
  /// A signal ended the process.
  case signal(String)
  /// It took more than this many seconds, and was killed.
  case timedOut(Double)
}

/// A replay in this process: what traps there traps here.
package final class InProcessReplay: RunningReplay {
  private var session: ReplaySession

  package init(_ session: ReplaySession) { self.session = session }

  package func next() throws -> LogEvent? { try session.next() }

  package func passAlike() throws -> LogComparison.PassedActions? { try session.passAlike() }

  package func end(isDone: Bool) -> ReplayEnd { .waiting }
}
