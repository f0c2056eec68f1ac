import ActionLog
import LogTools
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// Looks for an interleaving of a log's threads that shows a violation.
struct Explorer: Sendable {
  let log: ThreadedLog
  let replayer: EventReplayer
  var judge: SearchJudge
  var strategy = SearchStrategy.systematic
  var seed: UInt64 = 0
  /// How many transitions there may be.
  var mostTransitions = Self.usualTransitions
  /// Starts a host that searches in memory, and says what it is to search; `nil` where orders are replayed.
  var memory: MemorySearch?
  /// Whether the time is up.
  var isTimeUp: @Sendable () -> Bool = { false }
  /// Called with the numbers of transitions and of different places so far.
  var progress: @Sendable (_ transitions: Int, _ places: Int) -> Void = { _, _ in }

  static let usualTransitions = 2_000_000
  /// How many orders are replayed from the start, where a search in memory is not possible.
  static let mostReplays = 10_000

  /// The result of a search.
  struct Result: Sendable {
    /// The order that shows a violation; `nil` when none was found.
    var violation: Violation?
    var transitions = 0
    /// How many orders were replayed from the start, those that check the result among them.
    var replays = 0
    /// How many different places were passed.
    var places = 0
    /// How many orders could not be followed to their end.
    var unclear = 0
    /// How many findings the recorded order has of its own, which are not looked for.
    var known = 0
    /// Whether all orders were covered.
    var isComplete = false
    /// The limit that ended the search before it had tried all orders that it knew.
    var limit: SearchLimit?
    /// Why orders were replayed from the start; `nil` for a search in memory.
    var obstacle: MemorySearch.Obstacle?
    /// The signal that ended the search before its time.
    var interruption: Int32?
  }

  /// An order that shows a violation.
  struct Violation: Sendable {
    /// The steps up to the one that shows it.
    var order: [Int]
    /// The replayed log up to there.
    var events: [LogEvent]
    /// The action after which it shows, as the replay counts.
    var seq: Int
    var kind: SearchJudge.Violation
    /// The signal that ended the search before a second replay had shown the same.
    var interruption: Int32?
  }

  /// Why a log cannot be explored.
  enum Failure: Error, Hashable {
    /// The log holds a change of the state that no recorded action made, after this action.
    case changedFromOutside(at: Int)
    /// The replay differs from the log, from this action on.
    case isNotReproduced(at: Int)
    /// Two replays of the same log differ.
    case notDeterministic
  }

  var interleavings: InterleavingReplayer { InterleavingReplayer(log: log, replayer: replayer) }

  /// The search.
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
        // What memory shows and a replay does not is no violation.
        result.obstacle = .differs
      case .impossible(let obstacle): result.obstacle = obstacle
      }
      let found = try searchByReplays(from: recorded, &result)
      guard try confirm(found, &result) else { throw Failure.notDeterministic }
    } catch let error as Interrupted {
      result.interruption = error.signal
    }
  }

  /// Takes what a search has found, and has it confirmed.
  ///
  /// - Returns: Whether a replay shows it, too.
  private func confirm(_ found: SearchResult, _ result: inout Result) throws -> Bool {
    result.transitions = found.transitions
    result.places = found.states
    result.unclear = found.unclear
    result.isComplete = found.isComplete
    result.limit = found.limit
    guard let order = found.violation?.steps else { return true }
    // A host may answer anything.
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
      // What was searched by then is told.
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
    // Cancellations by actions are results of the replay, which the steps do not hold.
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

/// How orders are chosen.
enum SearchStrategy: String, Sendable, CaseIterable {
  /// Those near to the recorded one first, and no place twice.
  case systematic
  /// Any order: the baseline of the systematic search.
  case random

  /// Searches.
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
  /// The violation that an attempt has found, confirmed by a second replay up to there.
  ///
  /// - Parameters:
  ///   - attempt: The replay of an order.
  ///   - replays: Counts the replays.
  /// - Returns: The violation; `nil` where the attempt has found none.
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
      // The violation is kept, although nothing has confirmed it.
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

extension InterleavingTrace.Ending {
  /// The violation with which an order ends, and the action that shows it.
  fileprivate var violation: (SearchJudge.Violation, seq: Int)? {
    switch self {
    case .violated(let violation, let seq, _): (violation, seq)
    case .trapped(let signal, let seq, _): (.trap(signal: signal), seq)
    case .complete, .unclear: nil
    }
  }

  /// The step that shows a violation.
  fileprivate var violatingStep: Int? {
    switch self {
    case .violated(_, _, let step), .trapped(_, _, let step): step
    case .complete, .unclear: nil
    }
  }
}

extension [LogEvent] {
  /// The events of a log up to the end of an action.
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
  /// The action whose effects cancelled another one, when the event is such a cancellation.
  fileprivate var cancellingAction: Int? {
    guard case .effect(let effect) = self, case .cancelled(by: .action(let seq), _) = effect.event
    else { return nil }
    return seq
  }
}

/// A log whose orders cannot be explored.
struct CannotExplore: StatusError, Hashable, CustomStringConvertible {
  let log: String
  let failure: Explorer.Failure

  var description: String { Wording.describe(failure, log) }
  // A refusal says nothing about the behaviour.
  var status: ExitStatus { .unreadable }
}
