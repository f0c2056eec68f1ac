import ActionLog
import LogTools
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// The settings for minimizing a log that has a property.
package struct MinimizeRequest {
  /// The property that the minimized log must keep.
  package enum RequestedProperty {
    /// A condition holds after at least one action.
    case condition(Condition)
    /// The host traps in an action with the same case as in the complete log.
    case trap
    /// The replay differs from the replay by another host.
    case difference(fromHost: String)
  }

  /// The log, migrated to the schema version of the host.
  let log: LogSlice
  /// The hosts that replay subsets of the log.
  let hosts: HostPool
  let options: ReplayOptions
  let property: RequestedProperty
  /// The number of hosts that run at the same time.
  let jobs: Int
  /// The time at which the search ends, or `nil` for no time limit.
  let deadline: ContinuousClock.Instant?
  /// A closure that receives a description of the progress, such as the number of tested subsets.
  let progress: @Sendable (String) -> Void

  package init(
    log: LogSlice,
    hosts: HostPool,
    options: ReplayOptions,
    property: RequestedProperty,
    jobs: Int,
    deadline: ContinuousClock.Instant?,
    progress: @escaping @Sendable (String) -> Void
  ) {
    (self.log, self.hosts) = (log, hosts)
    (self.options, self.property) = (options, property)
    (self.jobs, self.deadline, self.progress) = (jobs, deadline, progress)
  }

  /// Runs the search.
  ///
  /// - Parameter context: The context of the command, which starts hosts.
  /// - Returns: A report with the minimized log.
  /// - Throws: `CannotMinimize`, `HostFailure`, `LogReadError`.
  package func run(in context: CommandContext) throws -> MinimizeReport {
    let causalLog = try CausalLog(try log.events())
    func makeReplayer(_ options: ReplayOptions) -> SubsetReplayer {
      SubsetReplayer(log: causalLog, hosts: hosts, options: options)
    }
    let minimized: PreservedProperty
    switch property {
    case .condition(let condition): minimized = .condition(condition)
    case .trap: minimized = .trap
    case .difference(let host):
      var other = options
      other.host = host
      minimized = .difference(to: makeReplayer(other))
    }
    let minimizer = Minimizer(
      replayer: makeReplayer(options),
      property: minimized,
      memory: InMemorySubsetTester(minimized, options, log, context),
      jobs: jobs,
      isTimeUp: { [deadline] in deadline.map { ContinuousClock.now >= $0 } ?? false },
      progress: { [progress] left, replays in progress(Wording.minimizing(left, replays)) }
    )
    do {
      return MinimizeReport(name: log.name, log: causalLog, result: try minimizer.minimize())
    } catch let failure as Minimizer.MinimizationObstacle {
      throw CannotMinimize(log: log.name, failure: failure)
    }
  }
}

extension InMemorySubsetTester {
  /// Creates a tester for a search, or returns `nil` if a test of the property requires several hosts.
  fileprivate convenience init?(
    _ property: PreservedProperty,
    _ options: ReplayOptions,
    _ log: LogSlice,
    _ context: CommandContext
  ) {
    var condition: Condition?
    switch property {
    case .condition(let given): condition = given
    case .trap, .finding: break
    case .difference, .unstable: return nil
    }
    self.init(makeHost: context.makeSearchHost, options: options, log: log, condition: condition)
  }
}
