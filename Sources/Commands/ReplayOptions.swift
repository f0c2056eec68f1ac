import ActionLog
import Dispatch
import Foundation
import ReplayEngine

/// The options that a command passes to a replay.
package struct ReplayOptions: Sendable, Equatable {
  package var host: String
  package var feature: String?
  package var until: Int?
  /// The number of the action before which the host waits for a debugger, or `nil` to replay without a pause.
  package var pauseBefore: Int?
  package var timeout: Double
  /// Whether a replay continues from the recorded state after a divergence.
  package var isContinuing: Bool
  /// Whether the replay skips actions of effects that are not alive in the replay.
  package var isPruning: Bool
  /// Whether the replayed log contains the stand-ins for missing reads as reads.
  package var keepsStandIns = false
  /// The environment variables to add to those of this process for the host.
  package var environment: [String: String]
  package var comparison: LogComparison.Options
  /// An interruption that kills the hosts of these replays, or `nil` if the hosts end only with this process.
  package var cancellation: Interruption?

  package init(
    host: String = "",
    feature: String? = nil,
    until: Int? = nil,
    pauseBefore: Int? = nil,
    timeout: Double = Self.defaultTimeout,
    isContinuing: Bool = false,
    isPruning: Bool = false,
    environment: [String: String] = [:],
    comparison: LogComparison.Options = LogComparison.Options()
  ) {
    self.host = host
    self.feature = feature
    self.until = until
    self.pauseBefore = pauseBefore
    self.timeout = timeout
    self.isContinuing = isContinuing
    self.isPruning = isPruning
    self.environment = environment
    self.comparison = comparison
  }

  /// The default time limit of a replay in seconds.
  ///
  /// The limit is far above the time that a replay of a day's log takes, and far below the time limit of a CI job.
  package static let defaultTimeout = 60.0

  /// Throws an error if this process has been interrupted or the replays have been canceled.
  ///
  /// - Throws: `Interrupted`.
  package func checkInterruption() throws(Interrupted) {
    try Interruption.process.check()
    try cancellation?.check()
  }

  package var childArguments: [String] {
    var arguments: [String] = []
    if let feature { arguments += ["--feature", feature] }
    if let until { arguments += ["--until", String(until)] }
    if let pauseBefore { arguments += ["--pause-before", String(pauseBefore)] }
    if isContinuing {
      arguments.append("--continue")
      arguments += comparison.ignored.flatMap { ["--ignore", $0.description] }
    }
    if isPruning { arguments.append("--prune") }
    if keepsStandIns { arguments.append("--stand-ins") }
    return arguments
  }
}
