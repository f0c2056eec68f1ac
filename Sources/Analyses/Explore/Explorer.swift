import ActionLog
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// Looks for an order of arrivals in which a condition does not hold.
struct Explorer: Sendable {
  let arrivals: Arrivals
  let replayer: EventReplayer
  let invariant: Condition
  var strategy = Strategy.systematic
  var seed: UInt64 = 0
  /// How many replays there may be.
  var mostReplays = Self.usualReplays
  /// How many go on at the same time; the result does not depend on it.
  var jobs = 1
  /// Whether the time is up.
  var isTimeUp: @Sendable () -> Bool = { false }
  /// Is told how many replays and different places there were.
  var progress: @Sendable (_ replays: Int, _ places: Int) -> Void = { _, _ in }

  static let usualReplays = 10_000

  /// How orders are chosen.
  enum Strategy: String, Sendable, CaseIterable {
    /// Those near to the recorded one first, and no place twice.
    case systematic
    /// Any order, over and over: what the systematic search is measured by.
    case random
  }

  /// What was found.
  struct Result: Sendable {
    /// The order that breaks the condition; `nil` when none was found.
    var violation: Violation?
    var replays = 0
    /// How many different places the replays have been at.
    var places = 0
    /// How many orders could not be followed to their end.
    var unclear = 0
    /// Whether all orders were covered.
    var isComplete = false
    /// What ended the search before it had tried all orders that it knew.
    var limit: Limit?
    /// The signal that ended the search before its time.
    var interruption: Int32?
  }

  /// What ends a search early.
  enum Limit: String, Sendable {
    case budget, replays
  }

  /// The limit that a search has come to after some replays.
  func limit(after replays: Int) -> Limit? {
    if replays >= mostReplays { return .replays }
    return isTimeUp() ? .budget : nil
  }

  /// An order that breaks the condition.
  struct Violation: Sendable {
    /// The steps up to the one that breaks it.
    let order: [Int]
    /// The replayed log up to there.
    let events: [LogEvent]
    /// The action after which the condition does not hold, as the replay counts.
    let seq: Int
    /// The signal, when the host trapped there.
    let trap: String?
    /// The signal that ended the search before a second replay had shown the same.
    var interruption: Int32?
  }

  /// Why a log cannot be explored.
  enum Failure: Error, Hashable {
    /// The log holds a change of the state that no recorded action made, behind this action.
    case changedFromOutside(at: Int)
    /// The replay of the log is not what the log says, from this action on.
    case isNotReproduced(at: Int)
    /// Two replays of the same log are not the same.
    case notDeterministic
  }

  /// A replay of an order, with what its steps turned out to be.
  struct Attempt: Sendable {
    var plan: Arrivals.Plan
    var trace: OrderTrace
    var outcome: EventReplayer.Outcome
    var replays: Int
  }

  /// The search.
  ///
  /// - Throws: `Failure`, `HostFailure`, `StreamError`.
  func explore() throws -> Result {
    if let seq = arrivals.changeFromOutside { throw Failure.changedFromOutside(at: seq) }
    let recorded = try attempt(arrivals.plan(), besides: nil)
    try check(recorded)
    let known = Set(recorded.outcome.findings)
    guard recorded.trace.ending == .complete else {
      return Result(
        violation: try violation(recorded),
        replays: recorded.replays + 1,
        places: recorded.trace.nodes.count
      )
    }
    let second = try attempt(arrivals.plan(), besides: known)
    guard second.trace.nodes.map(\.key) == recorded.trace.nodes.map(\.key) else {
      throw Failure.notDeterministic
    }
    let replays = recorded.replays + second.replays
    switch strategy {
    case .systematic:
      var search = SystematicSearch(self, known: known, replays: replays)
      return try search.run(from: second)
    case .random:
      var search = RandomSearch(self, known: known, replays: replays)
      return try search.run()
    }
  }

  /// Replays an order, leaving out what turns out not to arrive.
  ///
  /// - Parameters:
  ///   - plan: The order.
  ///   - known: What the recorded order has to say besides; `nil` for that order itself.
  /// - Returns: The replay of the steps that are left.
  /// - Throws: `HostFailure`, `StreamError`, `ReplayError.brokenPatch`.
  func attempt(
    _ plan: Arrivals.Plan,
    besides known: Set<EventReplayer.Finding>?
  ) throws -> Attempt {
    var plan = plan
    var replays = 0
    while true {
      replays += 1
      let outcome = try replayer.replay(arrivals.events(of: plan.order))
      do {
        let trace = try OrderTrace(
          of: outcome,
          plan,
          in: arrivals,
          isOdd: { finding in known.map { finding.isOdd(besides: $0) } ?? false },
          isBroken: { !invariant.holds(at: $0) }
        )
        return Attempt(plan: plan, trace: trace, outcome: outcome, replays: replays)
      } catch let lost as OrderTrace.Lost {
        arrivals.lose(lost.step, at: lost.place, in: &plan)
      }
    }
  }

  /// Compares the replay of the recorded order with the log.
  private func check(_ recorded: Attempt) throws {
    var log = arrivals.events(of: recorded.plan.order)[...]
    // What actions cancel is the replay's own result, which the steps do not hold.
    var replay = recorded.outcome.events.filter { $0.cancellingAction == nil }[...]
    var comparison = LogComparison(
      recorded: { log.popFirst() },
      replayed: { replay.popFirst() }
    )
    let result = try comparison.run()
    if let difference = result.differences.first {
      throw Failure.isNotReproduced(at: difference.seq)
    }
  }

  /// What an attempt has found, if it has found something: replayed once more, up to there.
  ///
  /// - Throws: `Failure.notDeterministic`, `HostFailure`, `StreamError`, `ReplayError.brokenPatch`.
  func violation(_ attempt: Attempt) throws -> Violation? {
    let step: Int
    switch attempt.trace.ending {
    case .violated(_, let within), .trapped(_, _, let within): step = within
    case .complete, .unclear: return nil
    }
    var plan = attempt.plan
    let place = plan.order.firstIndex(of: step) ?? 0
    plan.order.removeSubrange((place + 1)...)
    var interruption: Int32?
    var again = attempt
    do { again = try self.attempt(plan, besides: nil) } catch let error as Interrupted {
      // What was found once is not lost, although nothing has confirmed it.
      interruption = error.signal
    }
    guard again.trace.ending == attempt.trace.ending else { throw Failure.notDeterministic }
    let (end, signal): (Int, String?)
    switch again.trace.ending {
    case .violated(let seq, _): (end, signal) = (seq, nil)
    case .trapped(let trap, let seq, _): (end, signal) = (seq, trap)
    case .complete, .unclear: return nil
    }
    let events =
      interruption == nil ? again.outcome.events : again.outcome.events.through(action: end)
    return Violation(
      order: plan.order,
      events: events,
      seq: end,
      trap: signal,
      interruption: interruption
    )
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

extension LogEvent.Finding {
  /// Whether a replay cannot be followed behind this: what comes of it could not happen, or not be known.
  fileprivate func isOdd(besides known: Set<EventReplayer.Finding>) -> Bool {
    switch code {
    case .unrecordedRead, .undecodable, .notReplayable: true
    case .runtimeIssue: !known.contains(EventReplayer.Finding(self))
    case .unusedRead, .deadEffect, .schemaDrift, .actionDrift, .resynced, .unknownFeature,
      .brokenLog:
      false
    }
  }
}

/// A log whose orders cannot be explored.
struct CannotExplore: StatusError, Hashable, CustomStringConvertible {
  let log: String
  let failure: Explorer.Failure

  var description: String { Wording.describe(failure, log) }
  // A refusal says nothing of the behaviour.
  var status: ExitStatus { .unreadable }
}
