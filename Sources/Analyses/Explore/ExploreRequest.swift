import ActionLog
import LogTools
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// A search for an order of effects' outputs that violates a condition or reveals a fault.
package struct ExploreRequest {
  /// The log in the schema version of the host.
  let log: LogSlice
  /// The hosts that replay the log and its variations.
  let hosts: HostPool
  let options: ReplayOptions
  /// The condition that must hold after each action; `nil` to search for faults.
  package var invariant: Condition?
  /// Further conditions with names.
  var invariants: Invariants?
  /// Whether an effect's action may overwrite the result of a newer effect.
  package var allowsOvertaking = false
  var strategy = SearchStrategy.systematic
  var seed: UInt64 = 0
  var mostTransitions = Explorer.usualTransitions
  /// The end of the search; `nil` for no time limit.
  let deadline: ContinuousClock.Instant?
  /// Receives a description of the progress.
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

  /// Runs the search.
  ///
  /// - Parameter context: The command's context, which starts hosts.
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
