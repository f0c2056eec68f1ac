import ActionLog

/// The reason why a host could not replay a log.
package enum HostFailure: Error, Hashable, CustomStringConvertible {
  /// The host could not be started.
  case cannotStart(String, reason: String)
  /// It ended with this status before the log's end, after it had given this action.
  case exited(Int32, at: Int)
  /// It ended before its first event; `said` has the lines of its standard error.
  case silent(String, ReplayEnd, said: [String])
  /// A signal ended it where no action was being reduced.
  case killed(String, at: Int)
  /// It wrote a line that is not a log event to its standard output.
  case notALog(LogReadError)
  /// It was asked to check a log, and wrote something else to its standard output.
  case noAnswer
  /// It returns its input without a sign that it has replayed it.
  case noReplay
  /// It has no such feature; the host's own message.
  case unknownFeature(String)
  /// It went on to the next log after this action.
  case incomplete(at: Int)
  /// The log is of an older schema version than the host's code.
  case needsMigration(found: Int, version: Int)
  /// It could not migrate the log; the reason is the host's own message, when it ended by itself.
  case notMigrated(String, ReplayEnd, reason: String?)
  /// It exceeded its time limit, in seconds; this action was its last.
  case timedOut(Double, at: Int)

  package var description: String { Wording.describe(self) }
}
