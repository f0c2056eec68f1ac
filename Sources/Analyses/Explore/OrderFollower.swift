import ActionLog
import ReplayEngine

/// Keeps in step with a replayed log: which step of the order is at work, which effects are alive.
struct OrderFollower {
  private let arrivals: Arrivals
  private let order: [Int]
  private var effects = SimulatedEffects()
  /// The state behind the last change.
  var state: JSON = .null
  private var seq = 0
  /// What is fed from outside, by the step that it belongs to; the first of each step begins it.
  private var inputs: ArraySlice<Int>
  private var done: Set<Int> = []
  private var last: Int?
  /// Numbers of the replay for those of the log, and the other way round.
  private var replayed: [Int: Int] = [:]
  private var originals: [Int: Int] = [:]
  /// What is still to come, by its thread.
  private var left: [Arrivals.Thread: ArraySlice<Int>]

  /// A follower at the beginning of an order.
  init(_ plan: Arrivals.Plan, in arrivals: Arrivals) {
    order = plan.order
    self.arrivals = arrivals
    let inputs = plan.order.flatMap { step in
      arrivals.steps[step].events.filter(arrivals.isInput).map { _ in step }
    }
    self.inputs = inputs[...]
    let steps = arrivals.steps.indices.filter { plan.gone[$0] == nil }
    left = Dictionary(grouping: steps) { arrivals.steps[$0].thread }.mapValues { $0[...] }
  }

  /// The step at work.
  var step: Int { last ?? order.first ?? 0 }

  /// Takes the next event of the replayed log.
  ///
  /// - Returns: The node before the step that the event begins.
  mutating func take(_ event: LogEvent) throws(OrderTrace.Lost) -> [OrderTrace.Node] {
    switch event {
    case .checkpoint(let checkpoint):
      effects.load(checkpoint)
      seq = checkpoint.seq
      return []
    case .action(let action):
      seq = action.seq
      if let original = action.rest[Arrivals.Mark.original]?.int {
        replayed[original] = seq
        originals[seq] = original
      }
      if let id = action.origin.directEffect, effects.isSend(id) {
        _ = effects.nextProduced()
        _ = effects.takeSent(by: id)
        return []
      }
      let nodes = try begin()
      _ = effects.findings(onArrivalFrom: action.origin, as: seq)
      return nodes
    case .change(let change):
      _ = effects.start(change.effects, of: change.seq)
      return []
    case .effect(let effect):
      if case .cancelled(by: .action, _) = effect.event { return [] }
      let nodes = try begin()
      _ = effects.follow(effect, at: seq)
      return nodes
    default: return []
    }
  }

  private mutating func begin() throws(OrderTrace.Lost) -> [OrderTrace.Node] {
    guard let step = inputs.popFirst(), step != last else { return [] }
    let node = node()
    guard isPossible(step) else { throw OrderTrace.Lost(step: step, place: done.count) }
    done.insert(step)
    last = step
    left[arrivals.steps[step].thread]?.removeAll { $0 == step }
    return [node]
  }

  /// Where the replay is now.
  func node() -> OrderTrace.Node {
    var waiting: [Arrivals.Thread: Int] = [:]
    var enabled: [Int] = []
    for (thread, steps) in left {
      guard let next = steps.first else { continue }
      if !arrivals.steps[next].needs.allSatisfy(done.contains) {
        // Its effect may still be started.
        waiting[thread] = next
      } else if isPossible(next) {
        waiting[thread] = next
        enabled.append(next)
      }
    }
    let alive = effects.alive.map(name)
    return OrderTrace.Node(
      key: OrderTrace.Key([
        AnyHashable(state), AnyHashable(waiting), AnyHashable(alive.sorted()),
      ]),
      enabled: enabled.sorted()
    )
  }

  /// An effect under a name that does not depend on the order.
  private func name(_ leaf: SimulatedEffects.Leaf) -> String {
    guard case .own(let id) = leaf else { return "" }
    return "\(originals[id.seq].map(String.init) ?? "new").\(id.index)"
  }

  /// Whether the effect of a step can take its turn now.
  private func isPossible(_ index: Int) -> Bool {
    let step = arrivals.steps[index]
    guard case .effect(let original) = step.thread else { return true }
    let seq = original.seq <= arrivals.start ? original.seq : replayed[original.seq]
    guard let seq else { return false }
    let id = EffectID(seq: seq, index: original.index)
    // What the library sends for an effect may come when that has ended.
    if case .effect(_, .some) = step.action?.origin { return true }
    if effects.awaitingStart.contains(id) { return false }
    if step.action == nil { return effects.isRunning(id) }
    return effects.isAlive(id) || effects.completed.contains(id)
  }
}

extension Arrivals {
  /// Whether an event is fed, and not a result of what is fed.
  func isInput(_ event: LogEvent) -> Bool {
    switch event {
    case .action(let action): action.origin.directEffect.map { !sends.contains($0) } ?? true
    case .effect: true
    default: false
    }
  }
}
