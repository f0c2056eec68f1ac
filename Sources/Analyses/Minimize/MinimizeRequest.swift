import ActionLog
import LogTools
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// A search for the fewest actions of a log that keep a property.
package struct MinimizeRequest {
  /// The property to keep.
  package enum KeptProperty {
    /// A condition that holds after an action.
    case condition(Condition)
    /// A trap in the same kind of action.
    case trap
    /// A difference from the replay of another host.
    case difference(fromHost: String)
  }

  /// The log, in the version of the host's code.
  let log: LogSlice
  /// Replays the log, and what is made of it.
  let hosts: HostPool
  let options: ReplayOptions
  let property: KeptProperty
  /// The number of hosts that run at the same time.
  let jobs: Int
  /// The end of the search; `nil` for one without a time limit.
  let deadline: ContinuousClock.Instant?
  /// Called with what the search has come to, in words.
  let progress: @Sendable (String) -> Void

  package init(
    log: LogSlice,
    hosts: HostPool,
    options: ReplayOptions,
    property: KeptProperty,
    jobs: Int,
    deadline: ContinuousClock.Instant?,
    progress: @escaping @Sendable (String) -> Void
  ) {
    (self.log, self.hosts) = (log, hosts)
    (self.options, self.property) = (options, property)
    (self.jobs, self.deadline, self.progress) = (jobs, deadline, progress)
  }

  /// Searches.
  ///
  /// - Parameter context: Starts hosts that search.
  /// - Returns: The report.
  /// - Throws: `CannotMinimize`, `HostFailure`, `LogReadError`.
  package func run(in context: CommandContext) throws -> MinimizeReport {
    let causalLog = try CausalLog(try log.events())
    func makeReplayer(_ options: ReplayOptions) -> SubsetReplayer {
      SubsetReplayer(log: causalLog, hosts: hosts, options: options)
    }
    let minimized: MinimizedProperty
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
      memory: SubsetMemory(minimized, options, log, context),
      jobs: jobs,
      isTimeUp: { [deadline] in deadline.map { ContinuousClock.now >= $0 } ?? false },
      progress: { [progress] left, replays in progress(Wording.minimizing(left, replays)) }
    )
    do {
      return MinimizeReport(name: log.name, log: causalLog, result: try minimizer.minimize())
    } catch let failure as Minimizer.Failure {
      throw CannotMinimize(log: log.name, failure: failure)
    }
  }
}

extension SubsetMemory {
  /// The memory for a property; `nil` for one that takes several hosts.
  fileprivate convenience init?(
    _ property: MinimizedProperty,
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
