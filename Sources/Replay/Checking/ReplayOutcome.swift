/// The outcome of checking a log: a verdict or an error.
package enum ReplayOutcome: Sendable {
  case verdict(ReplayCheck.Result)
  /// The error that kept the log from being replayed.
  case failure(any Error)
}
