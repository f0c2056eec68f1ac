import ActionLog
import LogTools
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// A search for an order of effects' outputs that breaks a condition, or the feature.
package struct ExploreRequest {
  /// The log, in the version of the host's code.
  let log: LogSlice
  /// Replays the log, and what is made of it.
  let hosts: HostPool
  let options: ReplayOptions
  /// The condition that must hold after each action; `nil` for a search for faults.
  package var invariant: Condition?
  /// More conditions, with their names.
  var invariants: Invariants?
  /// Whether an effect's answer may replace that of a newer one.
  package var allowsOvertaking = false
  var strategy = SearchStrategy.systematic
  var seed: UInt64 = 0
  var mostTransitions = Explorer.usualTransitions
  /// The end of the search; `nil` for one without a time limit.
  let deadline: ContinuousClock.Instant?
  /// Called with what the search has come to, in words.
  let progress: @Sendable (String) -> Void

  package init(
    log: LogSlice,
    hosts: HostPool,
    options: ReplayOptions,
    deadline: ContinuousClock.Instant?,
    progress: @escaping @Sendable (String) -> Void
  ) {
    (self.log, self.hosts, self.options) = (log, hosts, options)
    (self.deadline, self.progress) = (deadline, progress)
  }

  /// Searches.
  ///
  /// - Parameter context: Starts hosts that search.
  /// - Returns: The report.
  /// - Throws: `CannotExplore`, `HostFailure`, `LogReadError`.
  package func run(in context: CommandContext) throws -> ExploreReport {
    let threadedLog = try ThreadedLog(try log.events())
    var judge = SearchJudge(
      invariant.map { [SearchJudge.Rule(condition: $0)] } ?? [],
      countsFaults: invariant == nil,
      countsOvertaking: invariant == nil && !allowsOvertaking
    )
    let named = invariants?.applying(to: threadedLog, options.feature) ?? []
    context.warn(of: named, in: [log])
    judge.rules += named.map { SearchJudge.Rule(name: $0.name, condition: $0.condition) }
    let explorer = Explorer(
      log: threadedLog,
      replayer: EventReplayer(hosts: hosts, options: options),
      judge: judge,
      strategy: strategy,
      seed: seed,
      mostTransitions: mostTransitions,
      memory: MemorySearch(makeHost: context.makeSearchHost, options: options, log: log),
      isTimeUp: { [deadline] in deadline.map { ContinuousClock.now >= $0 } ?? false },
      progress: { [progress] transitions, places in
        progress(Wording.exploring(transitions, places))
      }
    )
    let result: Explorer.Result
    do {
      result = try explorer.explore()
    } catch let failure as Explorer.Failure {
      throw CannotExplore(log: log.name, failure: failure)
    }
    let overtaking =
      judge.countsOvertaking && result.interruption == nil
      ? try explorer.recordedOvertaking(try CausalLog(try log.events())) : nil
    return ExploreReport(
      name: log.name,
      judge: judge,
      seed: seed,
      log: threadedLog,
      result: result,
      overtaking: overtaking
    )
  }
}
