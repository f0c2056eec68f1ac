import ActionLog
import LogTools
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// The settings for a search for an order of effect actions that violates a condition or reveals a fault.
package struct ExploreRequest {
  /// The log, migrated to the schema version of the host.
  let log: LogSlice
  /// The hosts that replay the log in other orders.
  let hosts: HostPool
  let options: ReplayOptions
  /// The condition that must hold after each action, or `nil` to search for faults.
  package var invariant: Condition?
  /// Named conditions from a file, which must also hold, or `nil` if no file was given.
  var invariants: Invariants?
  /// Whether an action of an older effect may overwrite the result of a newer effect.
  package var allowsOvertaking = false
  var strategy = SearchStrategy.systematic
  var seed: UInt64 = 0
  var mostTransitions = Explorer.usualTransitions
  /// The time at which the search ends, or `nil` for no time limit.
  let deadline: ContinuousClock.Instant?
  /// A closure that receives a description of the progress, such as the number of transitions.
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
  /// - Parameter context: The context of the command, which starts hosts.
  /// - Returns: A report with the violation, if one was found.
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
      memory: InMemorySearchClient(makeHost: context.makeSearchHost, options: options, log: log),
      isTimeUp: { [deadline] in deadline.map { ContinuousClock.now >= $0 } ?? false },
      progress: { [progress] transitions, places in
        progress(Wording.exploring(transitions, places))
      }
    )
    let result: Explorer.Result
    do {
      result = try explorer.explore()
    } catch let failure as Explorer.ExplorationObstacle {
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
