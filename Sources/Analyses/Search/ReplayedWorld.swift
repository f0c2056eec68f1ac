import ActionLog
import ReplayEngine
import ReplayHosts

/// The orders of a log for hosts without searches in memory, and for features without snapshots.
///
/// Each order is replayed from the start. A replay includes the steps that the search will probably request next, so
/// that their results are known in advance.
final class ReplayedWorld: SearchWorld {
  /// A search state, given by the steps that lead to it.
  struct ChoicePoint {
    fileprivate let steps: [Int]
    /// The steps that are known to be disabled.
    fileprivate let disabled: [Int: Int]
  }

  typealias Visit = SearchVisit<ChoicePoint, InterleavingTrace.Key>

  private let replayer: InterleavingReplayer
  private let judge: SearchJudge
  /// The most recent replay.
  private var last: InterleavingReplayer.Attempt

  /// Creates a world for a log.
  ///
  /// - Parameters:
  ///   - replayer: Replays orders of the log.
  ///   - judge: The definition of violations.
  ///   - recorded: The replay of the recorded order.
  init(
    _ replayer: InterleavingReplayer,
    judge: SearchJudge,
    recorded: InterleavingReplayer.Attempt
  ) {
    self.replayer = replayer
    self.judge = judge
    last = recorded
  }

  /// The number of replayed orders.
  private(set) var replays = 0

  func start() throws -> Visit {
    if let visit = visit(at: []) { return visit }
    return try attempt([], without: [:], delaying: [])
  }

  func visit(
    _ step: Int,
    from place: ChoicePoint,
    delaying delayed: DelayedThreads
  ) throws -> Visit {
    let steps = place.steps + [step]
    if last.interleaving.order.starts(with: steps), let visit = visit(at: steps) { return visit }
    return try attempt(steps, without: place.disabled, delaying: delayed)
  }

  func isKnownUnclear(_: Int) -> Bool { false }

  func retain(_ place: ChoicePoint) {}

  func steps(to place: ChoicePoint) -> [Int] { place.steps }

  /// Always false, because replays are so slow that the time limit is reached first.
  var isFull: Bool { false }

  private func attempt(
    _ steps: [Int],
    without disabled: [Int: Int],
    delaying delayed: DelayedThreads
  ) throws -> Visit {
    last = try replayer.attempt(
      replayer.log.interleaving(from: steps, without: disabled, delayed: delayed),
      judge: judge
    )
    replays += last.replays
    if last.interleaving.order.starts(with: steps), let visit = visit(at: steps) { return visit }
    // The last step turned out to be disabled, so nothing follows it.
    return Visit(
      place: ChoicePoint(steps: steps, disabled: [:]),
      key: InterleavingTrace.Key(steps),
      enabled: [],
      verdict: .unclear
    )
  }

  /// Returns the result of the last replay after some of its steps.
  private func visit(at steps: [Int]) -> Visit? {
    let (nodes, ending) = (last.trace.nodes, last.trace.ending)
    // A step that was disabled later may be enabled in another order.
    let disabled = last.interleaving.disabled.filter { $0.value <= steps.count }
    let place = ChoicePoint(steps: steps, disabled: disabled)
    if steps.count < nodes.count {
      let node = nodes[steps.count]
      return Visit(place: place, key: node.key, enabled: node.enabled, verdict: .clear)
    }
    guard steps.count == nodes.count else { return nil }
    let verdict: SearchJudge.Verdict
    switch ending {
    case .complete: return nil
    case .violated(let violation, _, _): verdict = .violated(violation)
    case .trapped(let signal, _, _): verdict = .violated(.trap(signal: signal))
    case .unclear: verdict = .unclear
    }
    return Visit(place: place, key: InterleavingTrace.Key(steps), enabled: [], verdict: verdict)
  }
}

/// Replays interleavings of a log's threads in hosts.
struct InterleavingReplayer: Sendable {
  let log: ThreadedLog
  let replayer: EventReplayer

  /// The replay of an interleaving with its trace.
  struct Attempt: Sendable {
    var interleaving: Interleaving
    var trace: InterleavingTrace
    var outcome: EventReplayer.ReplayedEvents
    var replays: Int
  }

  /// Replays an interleaving without the steps that turn out to be disabled.
  ///
  /// - Parameters:
  ///   - interleaving: The order.
  ///   - judge: The definition of violations.
  /// - Returns: The replay of the remaining steps.
  /// - Throws: `HostFailure`, `StreamError`, `LogCursor.BrokenPatch`.
  func attempt(_ interleaving: Interleaving, judge: SearchJudge) throws -> Attempt {
    var interleaving = interleaving
    var replays = 0
    while true {
      replays += 1
      let outcome = try replayer.replay(log.events(of: interleaving.order))
      do {
        let trace = try InterleavingTrace(of: outcome, interleaving, in: log, judge: judge)
        return Attempt(interleaving: interleaving, trace: trace, outcome: outcome, replays: replays)
      } catch let disabled as InterleavingTrace.DisabledStep {
        log.disable(disabled.step, at: disabled.place, in: &interleaving)
      }
    }
  }
}
