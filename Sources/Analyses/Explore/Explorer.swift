import ActionLog
import LogTools
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// Searches the interleavings of a log's threads for a violation.
struct Explorer: Sendable {
  let log: ThreadedLog
  let replayer: EventReplayer
  var judge: SearchJudge
  var strategy = SearchStrategy.systematic
  var seed: UInt64 = 0
  /// The maximum number of transitions.
  var mostTransitions = Self.usualTransitions
  /// The search in the memory of a host; `nil` to replay each order.
  var memory: MemorySearch?
  /// Returns whether the time limit has been reached.
  var isTimeUp: @Sendable () -> Bool = { false }
  /// Receives the numbers of transitions and of distinct states so far.
  var progress: @Sendable (_ transitions: Int, _ places: Int) -> Void = { _, _ in }

  static let usualTransitions = 2_000_000
  /// The maximum number of orders to replay from the start, if a search in memory is not possible.
  static let mostReplays = 10_000

  /// The result of a search.
  struct Result: Sendable {
    /// The violating order; `nil` if none was found.
    var violation: Violation?
    var transitions = 0
    /// The number of orders replayed from the start, including confirmations.
    var replays = 0
    /// The number of distinct states.
    var places = 0
    /// The number of orders that could not be followed to their end.
    var unclear = 0
    /// The number of findings in the recorded order, which are ignored in others.
    var known = 0
    /// Whether all orders were covered.
    var isComplete = false
    /// The limit that ended the search before it had tried all known candidates.
    var limit: SearchLimit?
    /// The reason for replays from the start; `nil` for a search in memory.
    var obstacle: MemorySearch.Obstacle?
    /// The signal that ended the search early.
    var interruption: Int32?
  }

  /// A violating order.
  struct Violation: Sendable {
    /// The steps up to the violating one.
    var order: [Int]
    /// The replayed log up to the violation.
    var events: [LogEvent]
    /// The number of the violating action in the replay.
    var seq: Int
    var kind: SearchJudge.Violation
    /// The signal that ended the search before a second replay could confirm the violation.
    var interruption: Int32?
  }

  /// The reason why a log can't be explored.
  enum Failure: Error, Hashable {
    /// After this action, the log has a state change without a recorded action.
    case changedFromOutside(at: Int)
    /// The replay differs from the log, starting at this action.
    case isNotReproduced(at: Int)
    /// Two replays of the same log differ.
    case notDeterministic
  }

  var interleavings: InterleavingReplayer { InterleavingReplayer(log: log, replayer: replayer) }

  /// Runs the search.
  ///
  /// - Throws: `Failure`, `HostFailure`, `StreamError`.
  func explore() throws -> Result {
    if let seq = log.externalChange { throw Failure.changedFromOutside(at: seq) }
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
      throw Failure.notDeterministic
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
        // A violation in memory counts only if a replay confirms it.
        result.obstacle = .differs
      case .impossible(let obstacle): result.obstacle = obstacle
      }
      let found = try searchByReplays(from: recorded, &result)
      guard try confirm(found, &result) else { throw Failure.notDeterministic }
    } catch let error as Interrupted {
      result.interruption = error.signal
    }
  }

  /// Adds the results of a search and confirms its violation.
  ///
  /// - Returns: Whether a replay confirms the violation.
  private func confirm(_ found: SearchResult, _ result: inout Result) throws -> Bool {
    result.transitions = found.transitions
    result.places = found.states
    result.unclear = found.unclear
    result.isComplete = found.isComplete
    result.limit = found.limit
    guard let order = found.violation?.steps else { return true }
    // The response is checked, because a host may send invalid data.
    guard order.allSatisfy(log.steps.indices.contains), Set(order).count == order.count else {
      return false
    }
    let attempt = try interleavings.attempt(Interleaving(order: order), judge: judge)
    result.replays += attempt.replays
    guard let violation = try confirmed(attempt, &result.replays) else { return false }
    result.violation = violation
    result.interruption = violation.interruption
    result.violation = try DepartureReduction(self).reduced(violation, &result.replays)
    return true
  }

  private func searchInMemory(_ result: inout Result) throws -> MemorySearch.SearchOutcome {
    guard let memory else { return .impossible(.notServed) }
    var latest: SearchResult?
    do {
      return try memory.explore(
        MemorySearch.Exploration(
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
      // Reports the results so far.
      if let latest { _ = try confirm(latest, &result) }
      throw error
    }
  }

  private func searchByReplays(
    from recorded: InterleavingReplayer.Attempt,
    _ result: inout Result
  ) throws -> SearchResult {
    let world = ReplayedWorld(interleavings, judge: judge, recorded: recorded)
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

  /// Compares the replay of the recorded order with the log.
  private func check(_ recorded: InterleavingReplayer.Attempt) throws {
    var expected = log.events(of: recorded.interleaving.order)[...]
    // Steps don't contain cancellations by actions, because the replay computes them.
    var replay = recorded.outcome.events.filter { $0.cancellingAction == nil }[...]
    var comparison = LogComparison(
      recorded: { expected.popFirst() },
      replayed: { replay.popFirst() }
    )
    let result = try comparison.run()
    if let difference = result.differences.first {
      throw Failure.isNotReproduced(at: difference.seq)
    }
  }
}

/// A strategy for choosing orders.
enum SearchStrategy: String, Sendable, CaseIterable {
  /// Orders close to the recorded one first, and each state only once.
  case systematic
  /// Random orders, as the baseline of the systematic search.
  case random

  /// Runs a search with this strategy.
  func run(
    in world: some SearchWorld,
    _ log: ThreadedLog,
    seed: UInt64,
    limits: SearchLimits
  ) throws -> EndedSearch {
    switch self {
    case .systematic:
      var search = StateSearch(world, log, seed: seed, limits: limits)
      try search.run()
      return EndedSearch(result: search.result, search: search)
    case .random:
      var walks = RandomWalks(world, seed: seed, limits: limits)
      try walks.run()
      return EndedSearch(result: walks.result, search: world)
    }
  }
}

extension Explorer {
  /// Returns the violation of an attempt, confirmed by a second replay.
  ///
  /// - Parameters:
  ///   - attempt: The replay of an order.
  ///   - replays: The counter of replays.
  /// - Returns: The violation; `nil` if the attempt has none.
  /// - Throws: `Failure.notDeterministic`, `HostFailure`, `StreamError`, `LogCursor.BrokenPatch`.
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
      // Keeps the unconfirmed violation.
      interruption = error.signal
    }
    guard again.trace.ending == attempt.trace.ending else { throw Failure.notDeterministic }
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
  /// The violation that ends the order, and its action.
  fileprivate var violation: (SearchJudge.Violation, seq: Int)? {
    switch self {
    case .violated(let violation, let seq, _): (violation, seq)
    case .trapped(let signal, let seq, _): (.trap(signal: signal), seq)
    case .complete, .unclear: nil
    }
  }

  /// The step that violates a rule.
  fileprivate var violatingStep: Int? {
    switch self {
    case .violated(_, _, let step), .trapped(_, _, let step): step
    case .complete, .unclear: nil
    }
  }
}

extension [LogEvent] {
  /// Returns the events up to the end of an action.
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
  /// The action that cancelled an effect, if the event is such a cancellation.
  fileprivate var cancellingAction: Int? {
    guard case .effect(let effect) = self, case .cancelled(by: .action(let seq), _) = effect.event
    else { return nil }
    return seq
  }
}

/// An error for a log that can't be explored.
struct CannotExplore: StatusError, Hashable, CustomStringConvertible {
  let log: String
  let failure: Explorer.Failure

  var description: String { Wording.describe(failure, log) }
  // The error is not a statement about the feature's behavior.
  var status: ExitStatus { .unreadable }
}
