import ActionLog
import ReplayEngine
import ReplayHosts

/// The search states of a log, computed by replays.
///
/// This state space is used if a search in memory is not possible, for example because the feature can't be restored
/// from snapshots. Each order is replayed from the start. A replay continues with the steps that the search will
/// probably request next, so that their results are already known.
final class ReplayedStateSpace: SearchStateSpace {
  /// A search state, represented by the steps that lead to it.
  struct ChoicePoint {
    fileprivate let steps: [Int]
    /// The steps that are not possible, with the number of steps after which this became known.
    fileprivate let disabled: [Int: Int]
  }

  typealias Visit = SearchVisitResult<ChoicePoint, InterleavingTrace.Key>

  private let replayer: InterleavingReplayer
  private let judge: SearchJudge
  /// The most recent replay, which may contain the next search states.
  private var last: InterleavingReplayer.Attempt

  /// Creates a state space for the log of a replayer.
  ///
  /// - Parameters:
  ///   - replayer: The replayer for orders of the log.
  ///   - judge: The rules that define violations.
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

  /// The number of orders that were replayed.
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

  /// Always `false`, because replays are slow, so another limit is reached before memory is scarce.
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
    // The last step is not possible, so no step follows it.
    return Visit(
      place: ChoicePoint(steps: steps, disabled: [:]),
      key: InterleavingTrace.Key(steps),
      enabled: [],
      verdict: .unclear
    )
  }

  /// Returns the search state that the last replay reached after the given steps, or `nil` if it did not reach one.
  private func visit(at steps: [Int]) -> Visit? {
    let (nodes, ending) = (last.trace.nodes, last.trace.ending)
    // A step that became impossible later may be possible in another order.
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

/// Replays interleavings of a log's threads in host processes.
struct InterleavingReplayer: Sendable {
  let log: ThreadedLog
  let replayer: EventReplayer

  /// The replay of an interleaving, with its trace and the number of replays that it took.
  struct Attempt: Sendable {
    var interleaving: Interleaving
    var trace: InterleavingTrace
    var outcome: EventReplayer.ReplayedEvents
    var replays: Int
  }

  /// Replays an interleaving without the steps that turn out to be impossible.
  ///
  /// Each time a step is found to be impossible, the interleaving is replayed again without the step.
  ///
  /// - Parameters:
  ///   - interleaving: The order of the steps.
  ///   - judge: The rules that define violations.
  /// - Returns: The replay of the steps that are possible.
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
