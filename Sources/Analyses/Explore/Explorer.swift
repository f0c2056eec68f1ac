import ActionLog
import LogTools
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// Searches for an order of a log's steps that violates a rule.
struct Explorer: Sendable {
  let log: ThreadedLog
  let replayer: EventReplayer
  var judge: SearchJudge
  var strategy = SearchStrategy.systematic
  var seed: UInt64 = 0
  /// The maximum number of transitions, after which the search ends.
  var mostTransitions = Self.usualTransitions
  /// The search in a host's memory, or `nil` to replay each order from the start.
  var memory: InMemorySearchClient?
  /// A closure that returns whether the time limit has been reached.
  var isTimeUp: @Sendable () -> Bool = { false }
  /// A closure that receives the number of transitions and the number of distinct states so far.
  var progress: @Sendable (_ transitions: Int, _ places: Int) -> Void = { _, _ in }

  static let usualTransitions = 2_000_000
  /// The maximum number of orders to replay if the search can't run in memory.
  static let mostReplays = 10_000

  /// The violation that the search found, if any, and the extent of the search.
  struct Result: Sendable {
    /// The confirmed violation, or `nil` if the search found none.
    var violation: Violation?
    var transitions = 0
    /// The number of orders that were replayed from the start, including confirmations.
    var replays = 0
    /// The number of distinct states that the search reached.
    var places = 0
    /// The number of orders that ended early, because their further results would not prove a fault.
    var unclear = 0
    /// The number of faults in the recorded order, which are ignored in other orders.
    var known = 0
    /// Whether all orders were tried to their end, without a violation.
    var isComplete = false
    /// The limit that ended the search early, or `nil` if no limit was reached.
    var limit: SearchLimit?
    /// The reason why orders were replayed from the start, or `nil` if the search ran in memory.
    var obstacle: InMemorySearchClient.Obstacle?
    /// The signal that ended the search early, or `nil`.
    var interruption: Int32?
  }

  /// An order of steps that violates a rule, with its replay.
  struct Violation: Sendable {
    /// The steps in their order, ending with the step that violates the rule.
    var order: [Int]
    /// The events of the replay, ending with the violation.
    var events: [LogEvent]
    /// The number that the violating action has in the replay.
    var seq: Int
    var kind: SearchJudge.Violation
    /// The signal that prevented a second replay from confirming the violation, or `nil` if it was confirmed.
    var interruption: Int32?
  }

  /// The reason why a log can't be explored.
  enum ExplorationObstacle: Error, Hashable {
    /// The state was changed outside of an action, after the action with this number.
    case changedFromOutside(at: Int)
    /// The replay of the recorded order differs from the log at the action with this number.
    case isNotReproduced(at: Int)
    /// Two replays of the same order differ.
    case notDeterministic
  }

  var interleavings: InterleavingReplayer { InterleavingReplayer(log: log, replayer: replayer) }

  /// Runs the search.
  ///
  /// - Returns: The result, which is partial if a signal or a limit ended the search.
  /// - Throws: `ExplorationObstacle`, `HostFailure`, `StreamError`.
  func explore() throws -> Result {
    if let seq = log.externalChange { throw ExplorationObstacle.changedFromOutside(at: seq) }
    let recorded = try interleavings.attempt(log.interleaving(), judge: judge.ofRecording)
    try check(recorded)
    var explorer = self
    explorer.judge.known = recorded.outcome.findings.filter(\.isFault)
    var result = Result(replays: recorded.replays, places: recorded.trace.nodes.count)
    result.transitions = max(0, recorded.trace.nodes.count - 1)
    result.known = judge.countsFaults ? explorer.judge.known.count : 0
    guard recorded.trace.ending == .complete else {
      explorer.judge = judge.ofRecording
      result.violation = try explorer.confirmed(recorded, &result.replays)
      result.interruption = result.violation?.interruption
      return result
    }
    let second = try interleavings.attempt(log.interleaving(), judge: explorer.judge)
    result.replays += second.replays
    guard second.trace.nodes.map(\.key) == recorded.trace.nodes.map(\.key) else {
      throw ExplorationObstacle.notDeterministic
    }
    try explorer.search(from: second, &result)
    return result
  }

  private func search(from recorded: InterleavingReplayer.Attempt, _ result: inout Result) throws {
    guard !isTimeUp() else {
      result.limit = .budget
      return
    }
    do {
      switch try searchInMemory(&result) {
      case .found(let found):
        if try confirm(found, &result) { return }
        // A violation that only occurs in memory doesn't count, so the search is repeated with replays.
        result.obstacle = .differs
      case .impossible(let obstacle): result.obstacle = obstacle
      }
      let found = try searchByReplays(from: recorded, &result)
      guard try confirm(found, &result) else { throw ExplorationObstacle.notDeterministic }
    } catch let error as Interrupted {
      result.interruption = error.signal
    }
  }

  /// Adds the results of a search, and confirms its violation by a replay.
  ///
  /// - Returns: `false` if the replay does not confirm the violation; otherwise, `true`.
  private func confirm(_ found: SearchResult, _ result: inout Result) throws -> Bool {
    result.transitions = found.transitions
    result.places = found.states
    result.unclear = found.unclear
    result.isComplete = found.isComplete
    result.limit = found.limit
    guard let order = found.violation?.steps else { return true }
    // A host may send an invalid order, so the order is checked before it is used.
    guard order.allSatisfy(log.steps.indices.contains), Set(order).count == order.count else {
      return false
    }
    let attempt = try interleavings.attempt(Interleaving(order: order), judge: judge)
    result.replays += attempt.replays
    guard let violation = try confirmed(attempt, &result.replays) else { return false }
    result.violation = violation
    result.interruption = violation.interruption
    result.violation = try ReorderingMinimizer(self).reduced(violation, &result.replays)
    return true
  }

  private func searchInMemory(_ result: inout Result) throws -> InMemorySearchClient.SearchOutcome {
    guard let memory else { return .impossible(.notServed) }
    var latest: SearchResult?
    do {
      return try memory.explore(
        InMemorySearchClient.ExplorationParameters(
          judge: judge,
          strategy: strategy,
          seed: seed,
          mostTransitions: mostTransitions
        ),
        progress: {
          latest = $0
          progress($0.transitions, $0.states)
          return !isTimeUp()
        }
      )
    } catch let error as Interrupted {
      // An interrupted search reports what it has found so far.
      if let latest { _ = try confirm(latest, &result) }
      throw error
    }
  }

  private func searchByReplays(
    from recorded: InterleavingReplayer.Attempt,
    _ result: inout Result
  ) throws -> SearchResult {
    let world = ReplayedStateSpace(interleavings, judge: judge, recorded: recorded)
    var limits = SearchLimits(mostTransitions: mostTransitions, interval: 0)
    var latest = SearchResult()
    limits.look = { found in
      latest = found
      progress(found.transitions, found.states)
      if world.replays >= Self.mostReplays { return .replays }
      return isTimeUp() ? .budget : nil
    }
    defer { result.replays += world.replays }
    do {
      return try strategy.run(in: world, log, seed: seed, limits: limits).result
    } catch let error as Interrupted {
      result.interruption = error.signal
      return latest
    }
  }

  /// Checks that the replay of the recorded order matches the log.
  ///
  /// - Throws: `ExplorationObstacle.isNotReproduced`.
  private func check(_ recorded: InterleavingReplayer.Attempt) throws {
    var expected = log.events(of: recorded.interleaving.order)[...]
    // The log's steps don't contain cancellations by actions, so these are also removed from the replay.
    var replay = recorded.outcome.events.filter { $0.cancellingAction == nil }[...]
    var comparison = LogComparison(
      recorded: { expected.popFirst() },
      replayed: { replay.popFirst() }
    )
    let result = try comparison.run()
    if let difference = result.differences.first {
      throw ExplorationObstacle.isNotReproduced(at: difference.seq)
    }
  }
}

/// The strategy by which the search chooses orders.
enum SearchStrategy: String, Sendable, CaseIterable {
  /// Visits each state once, starting with orders close to the recorded order.
  case systematic
  /// Chooses random orders, as a baseline to compare the systematic search with.
  case random

  /// Runs a search with this strategy until it finds a violation, is complete, or reaches a limit.
  func run(
    in world: some SearchStateSpace,
    _ log: ThreadedLog,
    seed: UInt64,
    limits: SearchLimits
  ) throws -> EndedSearch {
    switch self {
    case .systematic:
      var search = SystematicSearch(world, log, seed: seed, limits: limits)
      try search.run()
      return EndedSearch(result: search.result, search: search)
    case .random:
      var walks = RandomWalkSearch(world, seed: seed, limits: limits)
      try walks.run()
      return EndedSearch(result: walks.result, search: world)
    }
  }
}

extension Explorer {
  /// Returns the violation in a replayed order after confirming it with a second replay.
  ///
  /// - Parameters:
  ///   - attempt: The first replay of the order.
  ///   - replays: The number of replays so far, which is increased.
  /// - Returns: The violation, or `nil` if the first replay has none.
  /// - Throws: `ExplorationObstacle.notDeterministic` if the replays differ, `HostFailure`, `StreamError`,
  ///   `LogCursor.BrokenPatch`.
  func confirmed(
    _ attempt: InterleavingReplayer.Attempt,
    _ replays: inout Int
  ) throws -> Violation? {
    guard let step = attempt.trace.ending.violatingStep else { return nil }
    var interleaving = attempt.interleaving
    let place = interleaving.order.firstIndex(of: step) ?? 0
    interleaving.order.removeSubrange((place + 1)...)
    var interruption: Int32?
    var again = attempt
    do {
      again = try interleavings.attempt(interleaving, judge: judge)
      replays += again.replays
    } catch let error as Interrupted {
      // The violation is returned without confirmation.
      interruption = error.signal
    }
    guard again.trace.ending == attempt.trace.ending else {
      throw ExplorationObstacle.notDeterministic
    }
    guard let (kind, seq) = again.trace.ending.violation else { return nil }
    let events = again.outcome.events
    return Violation(
      order: interleaving.order,
      events: interruption == nil ? events : events.through(action: seq),
      seq: seq,
      kind: kind,
      interruption: interruption
    )
  }
}

extension InterleavingTrace.TraceEnd {
  /// The violation that ends the order, with the number of its action, or `nil` if there is none.
  fileprivate var violation: (SearchJudge.Violation, seq: Int)? {
    switch self {
    case .violated(let violation, let seq, _): (violation, seq)
    case .trapped(let signal, let seq, _): (.trap(signal: signal), seq)
    case .complete, .unclear: nil
    }
  }

  /// The index of the step that violates a rule, or `nil` if there is none.
  fileprivate var violatingStep: Int? {
    switch self {
    case .violated(_, _, let step), .trapped(_, _, let step): step
    case .complete, .unclear: nil
    }
  }
}

extension [LogEvent] {
  /// Returns the events before the action that follows action `seq`.
  fileprivate func through(action seq: Int) -> [LogEvent] {
    Array(
      prefix { event in
        guard case .action(let action) = event else { return true }
        return action.seq <= seq
      }
    )
  }
}

extension LogEvent {
  /// The number of the action that canceled an effect, or `nil` if the event is not such a cancellation.
  fileprivate var cancellingAction: Int? {
    guard case .effect(let effect) = self, case .cancelled(by: .action(let seq), _) = effect.event
    else { return nil }
    return seq
  }
}

/// An error for a log that can't be explored.
struct CannotExplore: StatusError, Hashable, CustomStringConvertible {
  let log: String
  let failure: Explorer.ExplorationObstacle

  var description: String { Wording.describe(failure, log) }
  // The failure says nothing about the feature's behavior, so the status is not `different`.
  var status: ExitStatus { .unreadable }
}
