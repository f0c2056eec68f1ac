import ActionLog
import ReplayEngine

/// A replay in this process, which a trap of the feature ends.
package final class InProcessReplay: ReplayEventSource {
  private var session: ReplaySession

  package init(_ session: ReplaySession) { self.session = session }

  package func next() throws -> LogEvent? { try session.next() }

  /// The standard error of this process is not collected.
  package var hostOutput: [String] { [] }

  package func end(isDone: Bool) -> ReplayEnd { .waiting }
}
