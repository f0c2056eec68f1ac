import ActionLog
import LogTools
import ReplayCommands
import ReplayEngine
import ReplayHosts

/// Looks for an interleaving of a log's threads in which a condition does not hold.
struct Explorer: Sendable {
  let log: ThreadedLog
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
  /// Called with the number of replays and of different nodes so far.
  var progress: @Sendable (_ replays: Int, _ places: Int) -> Void = { _, _ in }

  static let usualReplays = 10_000

  /// How orders are chosen.
  enum Strategy: String, Sendable, CaseIterable {
    /// Those near to the recorded one first, and no node twice.
    case systematic
    /// Any order: the baseline of the systematic search.
    case random
  }

  /// The result of a search.
  struct Result: Sendable {
    /// The order that breaks the condition; `nil` when none was found.
    var violation: Violation?
    var replays = 0
    /// How many different nodes the replays have passed.
    var places = 0
    /// How many orders could not be followed to their end.
    var unclear = 0
    /// Whether all orders were covered.
    var isComplete = false
    /// The limit that ended the search before it had tried all orders that it knew.
    var limit: Limit?
    /// The signal that ended the search before its time.
    var interruption: Int32?
  }

  /// A limit of a search.
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
    /// The log holds a change of the state that no recorded action made, after this action.
    case changedFromOutside(at: Int)
    /// The replay differs from the log, from this action on.
    case isNotReproduced(at: Int)
    /// Two replays of the same log differ.
    case notDeterministic
  }

  /// A replay of an interleaving, and its trace.
  struct Attempt: Sendable {
    var interleaving: Interleaving
    var trace: InterleavingTrace
    var outcome: EventReplayer.Outcome
    var replays: Int
  }

  /// The search.
  ///
  /// - Throws: `Failure`, `HostFailure`, `StreamError`.
  func explore() throws -> Result {
    if let seq = log.externalChange { throw Failure.changedFromOutside(at: seq) }
    let recorded = try attempt(log.interleaving(), ignoring: nil)
    try check(recorded)
    let known = Set(recorded.outcome.findings)
    guard recorded.trace.ending == .complete else {
      return Result(
        violation: try violation(recorded),
        replays: recorded.replays + 1,
        places: recorded.trace.nodes.count
      )
    }
    let second = try attempt(log.interleaving(), ignoring: known)
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

  /// Replays an interleaving, without the steps that turn out to be disabled.
  ///
  /// - Parameters:
  ///   - interleaving: The order.
  ///   - known: The findings of the recorded order, which are ignored; `nil` for that order itself.
  /// - Returns: The replay of the steps that are left.
  /// - Throws: `HostFailure`, `StreamError`, `LogCursor.BrokenPatch`.
  func attempt(
    _ interleaving: Interleaving,
    ignoring known: Set<EventReplayer.Finding>?
  ) throws -> Attempt {
    var interleaving = interleaving
    var replays = 0
    while true {
      replays += 1
      let outcome = try replayer.replay(log.events(of: interleaving.order))
      do {
        let trace = try InterleavingTrace(
          of: outcome,
          interleaving,
          in: log,
          isUnexpected: { finding in known.map { finding.isUnexpected(ignoring: $0) } ?? false },
          isBroken: { !invariant.holds(in: $0) }
        )
        return Attempt(interleaving: interleaving, trace: trace, outcome: outcome, replays: replays)
      } catch let disabled as InterleavingTrace.DisabledStep {
        log.disable(disabled.step, at: disabled.place, in: &interleaving)
      }
    }
  }

  /// Compares the replay of the recorded order with the log.
  private func check(_ recorded: Attempt) throws {
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

  /// The violation that an attempt has found, confirmed by a second replay up to there.
  ///
  /// - Throws: `Failure.notDeterministic`, `HostFailure`, `StreamError`, `LogCursor.BrokenPatch`.
  func violation(_ attempt: Attempt) throws -> Violation? {
    let step: Int
    switch attempt.trace.ending {
    case .violated(_, let within), .trapped(_, _, let within): step = within
    case .complete, .unclear: return nil
    }
    var interleaving = attempt.interleaving
    let place = interleaving.order.firstIndex(of: step) ?? 0
    interleaving.order.removeSubrange((place + 1)...)
    var interruption: Int32?
    var again = attempt
    do { again = try self.attempt(interleaving, ignoring: nil) } catch let error as Interrupted {
      // The violation is kept, although nothing has confirmed it.
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
      order: interleaving.order,
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
  /// Whether a replay cannot be followed after this finding.
  fileprivate func isUnexpected(ignoring known: Set<EventReplayer.Finding>) -> Bool {
    switch code {
    case .unrecordedRead, .undecodable, .notReplayable: true
    case .runtimeIssue: !known.contains(EventReplayer.Finding(self))
    case .unusedRead, .deadEffect, .schemaDrift, .actionDrift, .resynced, .unknownFeature,
      .brokenLog, .opaque:
      false
    }
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
