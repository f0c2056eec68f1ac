import ActionLog
import ReplayCommands
import ReplayEngine

/// A replay in this process.
///
/// A trap of the feature ends the process.
package final class InProcessReplay: ReplayEventSource {
  private var session: ReplaySession

  package init(_ session: ReplaySession) { self.session = session }

  package func next() throws -> LogEvent? { try session.next() }

  /// The standard error of this process is not collected.
  package var hostOutput: [String] { [] }

  package func end(isDone: Bool) -> ReplayEnd { .waiting }
}

extension FeatureCatalog {
  /// A catalog that contains only the counter.
  package static var counter: FeatureCatalog {
    FeatureCatalog([
      FeatureEntry(name: "Counter", stateType: "CounterState") { CounterEngine() }
    ])
  }

  /// Replays logs of the features in this process.
  package var inProcessStarter: CommandContext.ReplayStarter {
    { log, options in
      InProcessReplay(
        ReplaySession(
          until: options.until ?? .max,
          isResyncing: options.isContinuing,
          ignored: options.comparison.ignored,
          isPruning: options.isPruning,
          keepsStandIns: options.keepsStandIns,
          events: try log.events(),
          makeEngine: { try self.entry(for: $0, named: options.feature).makeEngine() }
        )
      )
    }
  }
}
