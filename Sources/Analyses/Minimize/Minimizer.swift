import ActionLog
import LogTools
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// Looks for the fewest actions of a log, and the simplest values in them, that still show something.
struct Minimizer: Sendable {
  let replayer: SubsetReplayer
  let property: MinimizedProperty
  /// Looks at subsets in memory first; `nil` where each one is replayed by a host from the start.
  var memory: SubsetMemory?
  var jobs = 1
  /// Whether the time is up.
  var isTimeUp: @Sendable () -> Bool = { false }
  /// Called with the number of actions from outside that are left, and of replays so far.
  var progress: @Sendable (_ left: Int, _ replays: Int) -> Void = { _, _ in }

  /// The result of a search.
  struct Result: Sendable {
    /// The shortest log, as its replay wrote it.
    var events: [LogEvent]
    /// The units that are left.
    var subset: CausalLog.Subset
    /// How many replays it took.
    var replays: Int
    /// How many of them were made in the memory of a host.
    var inMemory = 0
    /// Whether no single action can go.
    var isMinimal: Bool
    /// The signal that ended the search before its time.
    var interruption: Int32?
  }

  /// Why a log cannot be minimized.
  enum Failure: Error, Hashable {
    /// The property does not hold for the whole log.
    case doesNotHold
    /// Two replays of the same log differ.
    case notDeterministic(at: Int)
  }

  /// The search.
  ///
  /// - Throws: `Failure`, and `HostFailure` when the host cannot run.
  func minimize() throws -> Result {
    let log = replayer.log
    let whole = CausalLog.Subset(units: log.all)
    let baseline = try checkedBaseline(whole)
    let search = Search(self, baseline: baseline)
    var left = log.all
    var isMinimal = true
    // First whole trees of causes, then single units.
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
    let sighting: MinimizedProperty.Sighting
    let findings: Set<EventReplayer.Finding>
    /// The replay of the whole log.
    let events: [LogEvent]
  }

  private func checkedBaseline(_ whole: CausalLog.Subset) throws -> Baseline {
    var first: SubsetReplayer.Outcome?
    var seen: MinimizedProperty.Sighting?
    for _ in 0..<property.checks {
      let outcome = try replayer.replay(whole)
      let sighting = try property.sighting(in: outcome, of: whole)
      if let first {
        if let seq = try first.differs(from: outcome) { throw Failure.notDeterministic(at: seq) }
        guard seen == sighting else { throw Failure.notDeterministic(at: outcome.lastAction) }
      }
      first = outcome
      seen = sighting
    }
    guard let first, let seen else { throw Failure.doesNotHold }
    return Baseline(sighting: seen, findings: first.findings, events: first.events)
  }
}

extension EventReplayer.ReplayedEvents {
  /// The action at which two replays first differ; `nil` when they do not.
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

/// A log that cannot be minimized.
struct CannotMinimize: StatusError, Hashable, CustomStringConvertible {
  let log: String
  let failure: Minimizer.Failure

  var description: String { Wording.describe(failure, log) }

  var status: ExitStatus {
    switch failure {
    case .doesNotHold: .different
    // A refusal says nothing about the behaviour.
    case .notDeterministic: .unreadable
    }
  }
}

/// The property of a log that its minimized log must keep.
enum MinimizedProperty: Sendable {
  /// A condition that holds after an action.
  case condition(Condition)
  /// The trap of the host within an action of a kind.
  case trap
  /// A finding of a kind, such as an issue at a line of source.
  case finding(EventReplayer.Finding)
  /// A difference to another host.
  case difference(to: SubsetReplayer)
  /// A difference between replays in several settings of the host.
  case unstable(SettingComparison)

  /// How the property was seen, so that another log can be checked for the same.
  enum Sighting: Hashable, Sendable {
    case condition
    case trap(signal: String, action: [String])
    case finding
    case difference(LogDifference.Cause)
    /// One of two hosts trapped.
    case trapOfOne(signal: String)
    case unstable
  }

  /// How often the whole log is replayed to see whether the replays agree; those of an unstable feature need not.
  fileprivate var checks: Int { if case .unstable = self { 1 } else { 3 } }

  /// Looks for the property in a replay.
  ///
  /// - Returns: The sighting; `nil` when the property does not hold.
  func sighting(
    in outcome: SubsetReplayer.Outcome,
    of subset: CausalLog.Subset
  ) throws -> Sighting? {
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

  /// Whether a condition holds after any action.
  private static func isMet(_ condition: Condition, in events: [LogEvent]) throws -> Bool {
    var rest = events[...]
    var contexts = ActionContexts { rest.popFirst() }
    while let context = try contexts.next() {
      // The state before the first action is nothing that actions have made.
      if context.action != nil, condition.holds(in: context) { return true }
    }
    return false
  }

  private static func difference(
    of expected: SubsetReplayer.Outcome,
    to actual: SubsetReplayer.Outcome,
    _ options: LogComparison.Options
  ) throws -> Sighting? {
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
