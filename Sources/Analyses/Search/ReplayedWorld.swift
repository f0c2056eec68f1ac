import ActionLog
import ReplayEngine
import ReplayHosts

/// The orders of a log for hosts that do not search in memory, and features that cannot go back: each order is replayed from the
/// start.
///
/// A replay goes on to the end of the order as the search is likely to want it, so that the next steps are known already.
final class ReplayedWorld: SearchWorld {
  /// The steps that lead to a place.
  struct ChoicePoint {
    fileprivate let steps: [Int]
    /// The steps that had turned out by then not to arrive.
    fileprivate let disabled: [Int: Int]
  }

  typealias Visit = SearchVisit<ChoicePoint, InterleavingTrace.Key>

  private let replayer: InterleavingReplayer
  private let judge: SearchJudge
  /// The order that was replayed last.
  private var last: InterleavingReplayer.Attempt

  /// A world over a log.
  ///
  /// - Parameters:
  ///   - replayer: Replays orders of the log.
  ///   - judge: What is a violation.
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

  /// How many orders were replayed.
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

  /// Replays are so slow that time ends first.
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
    // The last step did not arrive after all, so there is nothing behind it.
    return Visit(
      place: ChoicePoint(steps: steps, disabled: [:]),
      key: InterleavingTrace.Key(steps),
      enabled: [],
      verdict: .unclear
    )
  }

  /// What the last replay says of a place on its way.
  private func visit(at steps: [Int]) -> Visit? {
    let (nodes, ending) = (last.trace.nodes, last.trace.ending)
    // A step that was left out later may arrive in another order.
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

  /// A replay of an interleaving, and its trace.
  struct Attempt: Sendable {
    var interleaving: Interleaving
    var trace: InterleavingTrace
    var outcome: EventReplayer.ReplayedEvents
    var replays: Int
  }

  /// Replays an interleaving, without the steps that turn out to be disabled.
  ///
  /// - Parameters:
  ///   - interleaving: The order.
  ///   - judge: What is a violation.
  /// - Returns: The replay of the steps that are left.
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
