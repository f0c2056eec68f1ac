import ActionLog

/// The reason why a host could not replay a log.
package enum HostFailure: Error, Hashable, CustomStringConvertible {
  case cannotStart(String, reason: String)
  /// The host exited with this status before the end of the log.
  ///
  /// - Parameter at: The number of the last action that the host returned.
  case exited(Int32, at: Int)
  /// The host ended before it returned an event.
  ///
  /// - Parameter said: The lines that the host wrote to standard error.
  case silent(String, ReplayEnd, said: [String])
  /// A signal ended the host while it was not reducing an action.
  ///
  /// - Parameter at: The number of the last action that the host returned.
  case killed(String, at: Int)
  /// The host wrote a line to standard output that is not an event of a log.
  case notALog(LogReadError)
  /// The host wrote text to standard output that is not the answer to a check.
  case noAnswer
  /// The header that the host returned lacks the token that proves a replay.
  case noReplay
  /// The host has no feature for the log.
  ///
  /// The value is the host's message.
  case unknownFeature(String)
  /// The host stopped replaying this log after action `at`, and waits for the next log.
  case incomplete(at: Int)
  /// The log has another schema version than the host's code, so it must be migrated first.
  case needsMigration(found: Int, version: Int)
  /// The host could not migrate the log.
  ///
  /// - Parameter reason: The host's message, or `nil` if the host did not exit by itself.
  case notMigrated(String, ReplayEnd, reason: String?)
  /// The host exceeded this time limit, in seconds.
  ///
  /// - Parameter at: The number of the last action that the host returned.
  case timedOut(Double, at: Int)

  package var description: String { Wording.describe(self) }
}
