import ActionLog
import LogTools
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// A search for the fewest actions of a log that keep a property.
package struct MinimizeRequest {
  /// The property to keep.
  package enum KeptProperty {
    /// A condition holds after an action.
    case condition(Condition)
    /// An action of the same case traps.
    case trap
    /// The replay differs from that of another host.
    case difference(fromHost: String)
  }

  /// The log in the schema version of the host.
  let log: LogSlice
  /// The hosts that replay the log and its variations.
  let hosts: HostPool
  let options: ReplayOptions
  let property: KeptProperty
  /// The number of hosts that run in parallel.
  let jobs: Int
  /// The end of the search; `nil` for no time limit.
  let deadline: ContinuousClock.Instant?
  /// Receives a description of the progress.
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

  /// Runs the search.
  ///
  /// - Parameter context: The command's context, which starts hosts.
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
  /// Creates the memory for a property; returns `nil` for a property that requires several hosts.
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
