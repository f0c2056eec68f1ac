import ActionLog
import LogTools
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// Reduces a log that has a property to few actions, with simple values in them.
struct Minimizer: Sendable {
  let replayer: SubsetReplayer
  let property: PreservedProperty
  /// The hosts that test subsets in memory first, or `nil` to replay each subset from the start.
  var memory: InMemorySubsetTester?
  var jobs = 1
  /// A closure that returns whether the time limit has been reached.
  var isTimeUp: @Sendable () -> Bool = { false }
  /// A closure that receives the number of remaining units and the number of tested subsets.
  var progress: @Sendable (_ left: Int, _ replays: Int) -> Void = { _, _ in }

  /// The minimized log and the extent of the search.
  struct Result: Sendable {
    /// The events of the minimized log, as its replay wrote them.
    var events: [LogEvent]
    /// The units of the minimized log, with replaced actions.
    var subset: CausalLog.Subset
    /// The number of replays, including those in memory.
    var replays: Int
    /// The number of subsets that were refuted in memory.
    var inMemory = 0
    /// Whether the search is complete, so that no single action can be removed.
    var isMinimal: Bool
    /// The signal that ended the search early, or `nil`.
    var interruption: Int32?
  }

  /// The reason why a log can't be minimized.
  enum MinimizationObstacle: Error, Hashable {
    /// The complete log does not have the property.
    case doesNotHold
    /// Two replays of the complete log differ, starting at the action with this number.
    case notDeterministic(at: Int)
  }

  /// Runs the search.
  ///
  /// - Returns: The result, which is partial if a signal or the time limit ended the search.
  /// - Throws: `MinimizationObstacle`, or `HostFailure` if the host can't run.
  func minimize() throws -> Result {
    let log = replayer.log
    let whole = CausalLog.Subset(units: log.all)
    let baseline = try checkedBaseline(whole)
    let search = Search(self, baseline: baseline)
    var left = log.all
    var isMinimal = true
    // Units without a parent are removed first, with all their descendants, and then any units.
    let roots = left.filter { log.units[$0].parent == nil }
    if roots.count < left.count {
      left = search.minimize(left, removingAmong: roots).kept
    }
    let last = search.minimize(left, removingAmong: left)
    left = last.kept
    isMinimal = last.isMinimal
    var subset = CausalLog.Subset(units: left)
    subset = search.simplify(subset)
    do {
      if let failure = search.failure { throw failure }
      let outcome = try replayer.replay(subset)
      return Result(
        events: outcome.events,
        subset: subset,
        replays: search.replays + property.checks + 1,
        inMemory: search.inMemory,
        isMinimal: isMinimal && !isTimeUp()
      )
    } catch let error as Interrupted {
      let best = search.best
      return Result(
        events: best.events,
        subset: best.subset,
        replays: search.replays + property.checks,
        inMemory: search.inMemory,
        isMinimal: false,
        interruption: error.signal
      )
    }
  }

  struct Baseline: Sendable {
    let sighting: PreservedProperty.Manifestation
    let findings: Set<EventReplayer.OrderIndependentFinding>
    /// The events of the complete log's replay.
    let events: [LogEvent]
  }

  private func checkedBaseline(_ whole: CausalLog.Subset) throws -> Baseline {
    var first: SubsetReplayer.Outcome?
    var seen: PreservedProperty.Manifestation?
    for _ in 0..<property.checks {
      let outcome = try replayer.replay(whole)
      let sighting = try property.sighting(in: outcome, of: whole)
      if let first {
        if let seq = try first.differs(from: outcome) {
          throw MinimizationObstacle.notDeterministic(at: seq)
        }
        guard seen == sighting else {
          throw MinimizationObstacle.notDeterministic(at: outcome.lastAction)
        }
      }
      first = outcome
      seen = sighting
    }
    guard let first, let seen else { throw MinimizationObstacle.doesNotHold }
    return Baseline(sighting: seen, findings: first.findings, events: first.events)
  }
}

extension EventReplayer.ReplayedEvents {
  /// Returns the number of the action at which two replays first differ, or `nil` if they don't differ.
  fileprivate func differs(from other: Self) throws -> Int? {
    guard end == other.end else { return min(lastAction, other.lastAction) }
    var first = events[...]
    var second = other.events[...]
    var comparison = LogComparison(
      recorded: { first.popFirst() },
      replayed: { second.popFirst() }
    )
    return try comparison.run().differences.first?.seq
  }
}

/// An error for a log that can't be minimized.
struct CannotMinimize: StatusError, Hashable, CustomStringConvertible {
  let log: String
  let failure: Minimizer.MinimizationObstacle

  var description: String { Wording.describe(failure, log) }

  var status: ExitStatus {
    switch failure {
    case .doesNotHold: .different
    // The failure says nothing about the feature's behavior, so the status is not `different`.
    case .notDeterministic: .unreadable
    }
  }
}

/// The property that a minimized log must keep.
enum PreservedProperty: Sendable {
  /// A condition holds after at least one action.
  case condition(Condition)
  /// The host traps, and the action has the same case as in the complete log.
  case trap
  /// A finding of this kind occurs, such as an issue that is reported at a line of source code.
  case finding(EventReplayer.OrderIndependentFinding)
  /// The replay differs from the replay by another host.
  case difference(to: SubsetReplayer)
  /// Replays in several settings differ at a path.
  case unstable(EnvironmentSensitivityCheck)

  /// The manifestation of the property in a replay, which must be the same for the complete and the minimized log.
  enum Manifestation: Hashable, Sendable {
    case condition
    case trap(signal: String, action: [String])
    case finding
    case difference(LogDifference.Cause)
    /// Only one of two hosts traps, with this signal.
    case trapOfOne(signal: String)
    case unstable
  }

  /// The number of replays of the complete log that must agree.
  ///
  /// For `unstable`, the log is replayed only once, because its replays are expected to differ.
  fileprivate var checks: Int { if case .unstable = self { 1 } else { 3 } }

  /// Returns the manifestation of the property in a replay, or `nil` if the replay doesn't have the property.
  ///
  /// - Parameters:
  ///   - outcome: The replay of the subset.
  ///   - subset: The subset, which another host replays if the property is a difference between hosts.
  /// - Returns: The manifestation, which is compared with that of the complete log.
  /// - Throws: `HostFailure`, `StreamError`, `LogReadError`, or `LogCursor.BrokenPatch` if a patch does not fit.
  func sighting(
    in outcome: SubsetReplayer.Outcome,
    of subset: CausalLog.Subset
  ) throws -> Manifestation? {
    switch self {
    case .condition(let condition):
      return try Self.isMet(condition, in: outcome.events) ? .condition : nil
    case .trap:
      guard let signal = outcome.trap, let action = outcome.last else { return nil }
      return .trap(signal: signal, action: action.action.caseNames)
    case .finding(let finding):
      return outcome.trap == nil && outcome.findings.contains(finding) ? .finding : nil
    case .difference(let reference):
      return try Self.difference(
        of: try reference.replay(subset),
        to: outcome,
        reference.options.comparison
      )
    case .unstable(let comparison): return try comparison.differs(from: outcome) ? .unstable : nil
    }
  }

  /// Returns whether a condition holds after at least one action.
  private static func isMet(_ condition: Condition, in events: [LogEvent]) throws -> Bool {
    var rest = events[...]
    var contexts = ConditionContextReader { rest.popFirst() }
    while let context = try contexts.next() {
      // The first state doesn't count, because no action led to it.
      if context.action != nil, condition.holds(in: context) { return true }
    }
    return false
  }

  private static func difference(
    of expected: SubsetReplayer.Outcome,
    to actual: SubsetReplayer.Outcome,
    _ options: LogComparison.Options
  ) throws -> Manifestation? {
    if expected.trap != actual.trap {
      return (actual.trap ?? expected.trap).map { .trapOfOne(signal: $0) }
    }
    var recorded = expected.events[...]
    var replayed = actual.events[...]
    var comparison = LogComparison(
      recorded: { recorded.popFirst() },
      replayed: { replayed.popFirst() },
      options: options
    )
    return try comparison.run().differences.first.map { .difference($0.cause) }
  }
}
