import ActionLog
import LogTools
import ReplayEngine
import ReplayHosts

/// The replay of an interleaving, step by step.
struct InterleavingTrace: Sendable {
  /// The point between two steps.
  struct TraceNode: Sendable {
    /// A key that is equal for nodes with the same possible futures.
    let key: Key
    /// The steps that can come next.
    let enabled: [Int]
  }

  /// A digest of a state, the running effects and the remaining steps.
  struct Key: SearchKey, Sendable {
    private let first: Int
    private let second: Int

    init(_ parts: some Hashable) {
      // Two hashes make collisions between different nodes practically impossible.
      first = Self.hash(parts, salt: 1)
      second = Self.hash(parts, salt: 2)
    }

    /// Returns a hash of the key and a number.
    func edge(_ number: Int) -> UInt64 {
      UInt64(bitPattern: Int64(first)) &* 0x9E37_79B9_7F4A_7C15
        ^ UInt64(bitPattern: Int64(Self.hash(number, salt: second)))
    }

    private static func hash(_ parts: some Hashable, salt: Int) -> Int {
      var hasher = Hasher()
      hasher.combine(salt)
      hasher.combine(parts)
      return hasher.finalize()
    }
  }

  /// An error for a step that can't occur at its position, because its effect isn't running.
  struct DisabledStep: Error, Hashable {
    let step: Int
    /// The number of preceding steps.
    let place: Int
  }

  /// The point at which following the replay ended.
  enum TraceEnd: Sendable, Hashable {
    /// All steps were followed.
    case complete
    /// A rule is violated after an action of the replay.
    case violated(SearchJudge.Violation, seq: Int, step: Int)
    /// The host trapped.
    case trapped(signal: String, seq: Int, step: Int)
    /// The replay has made an unrecorded read or reported an issue, so its result is not evidence.
    case unclear(step: Int)
  }

  /// One node before each step, and one after the last.
  private(set) var nodes: [TraceNode] = []
  private(set) var ending = TraceEnd.complete
}

extension InterleavingTrace {
  /// Follows the replay of an interleaving.
  ///
  /// - Parameters:
  ///   - outcome: The replay of the interleaving's events.
  ///   - interleaving: The order of the replayed steps.
  ///   - log: The steps.
  ///   - judge: The definition of violations.
  /// - Throws: `DisabledStep`, `LogCursor.BrokenPatch`.
  init(
    of outcome: EventReplayer.ReplayedEvents,
    _ interleaving: Interleaving,
    in log: ThreadedLog,
    judge: SearchJudge
  ) throws {
    var follower = InterleavingFollower(interleaving, in: log)
    var events = outcome.events[...]
    var findings: [LogEvent.Finding] = []
    // The follower and the contexts process the same events, but the contexts lag by one change.
    var isStopped = false
    var disabled: DisabledStep?
    var nodes: [TraceNode] = []
    var contexts = ActionContexts {
      guard let event = events.popFirst() else { return nil }
      if case .finding(let finding) = event { findings.append(finding) }
      do throws(DisabledStep) {
        for node in try follower.observe(event) { nodes.append(node) }
      } catch {
        disabled = error
        return nil
      }
      return event
    }
    while !isStopped, let context = try contexts.next() {
      follower.state = context.state
      guard context.action != nil else { continue }
      let isUsers = log.steps[follower.step].isUsers
      var verdict = judge.verdict(on: findings, isUsers: isUsers)
      if verdict.isClear { verdict = judge.verdict(on: context) }
      if verdict.isClear, judge.countsOvertaking, let place = follower.overtaken(by: context) {
        verdict = .violated(.overtaken(place))
      }
      switch verdict {
      case .clear: break
      case .unclear:
        ending = .unclear(step: follower.step)
        isStopped = true
      case .violated(let violation):
        ending = .violated(violation, seq: context.seq, step: follower.step)
        isStopped = true
      }
      findings = []
    }
    self.nodes = nodes
    if isStopped { return }
    if let disabled { throw disabled }
    if let signal = outcome.trap {
      ending = .trapped(signal: signal, seq: outcome.lastAction, step: follower.step)
    } else if judge.verdict(on: findings, isUsers: false) == .unclear {
      ending = .unclear(step: follower.step)
    } else {
      self.nodes.append(follower.node())
    }
  }
}

/// Tracks the current step and the running effects of a replayed log.
struct InterleavingFollower {
  private let log: ThreadedLog
  private let order: [Int]
  private var effects = SimulatedEffects()
  /// The state after the last change.
  var state: JSON = .null
  private var seq = 0
  /// The step of each input event.
  ///
  /// The first event of a step begins it.
  private var inputs: ArraySlice<Int>
  private var done: Set<Int> = []
  private var last: Int?
  /// The replay's number of each action in the log, followed by the inverse.
  private var replayed: [Int: Int] = [:]
  private var originals: [Int: Int] = [:]
  /// The effects that differ from those with the same ids in the log.
  private var foreign: Set<EffectID> = []
  /// The remaining steps, by thread.
  private var left: [ThreadedLog.Thread: ArraySlice<Int>]

  /// Creates a follower at the beginning of an order.
  init(_ interleaving: Interleaving, in log: ThreadedLog) {
    order = interleaving.order
    self.log = log
    let inputs = interleaving.order.flatMap { step in
      log.steps[step].events.filter(log.isInput).map { _ in step }
    }
    self.inputs = inputs[...]
    let steps = log.steps.indices.filter { interleaving.disabled[$0] == nil }
    left = Dictionary(grouping: steps) { log.steps[$0].thread }.mapValues { $0[...] }
  }

  /// The current step.
  var step: Int { last ?? order.first ?? 0 }

  /// Processes the next event of the replayed log.
  ///
  /// - Returns: The node before the step that the event begins.
  mutating func observe(
    _ event: LogEvent
  ) throws(InterleavingTrace.DisabledStep) -> [InterleavingTrace.TraceNode] {
    switch event {
    case .checkpoint(let checkpoint):
      effects.load(checkpoint)
      seq = checkpoint.seq
      return []
    case .action(let action):
      seq = action.seq
      if let original = action.originalSeq {
        replayed[original] = seq
        originals[seq] = original
      }
      if let id = action.origin.directEffect, effects.isSend(id) {
        _ = effects.nextProduced()
        _ = effects.takeSent(by: id)
        return []
      }
      let nodes = try startStep()
      _ = effects.arrive(from: action.origin, as: seq)
      return nodes
    case .change(let change):
      noteForeign(change)
      _ = effects.start(change.effects, of: change.seq)
      return []
    case .effect(let effect):
      if case .cancelled(by: .action, _) = effect.event { return [] }
      let nodes = try startStep()
      _ = effects.apply(effect, at: seq)
      return nodes
    default: return []
    }
  }

  private mutating func startStep() throws(InterleavingTrace.DisabledStep) -> [InterleavingTrace
    .TraceNode]
  {
    guard let step = inputs.popFirst(), step != last else { return [] }
    let node = node()
    guard isEnabled(step) else {
      throw InterleavingTrace.DisabledStep(step: step, place: done.count)
    }
    done.insert(step)
    last = step
    left[log.steps[step].thread]?.removeAll { $0 == step }
    return [node]
  }

  private mutating func noteForeign(_ change: LogEvent.Change) {
    guard !change.effects.isEmpty, let original = originals[change.seq] else { return }
    for (leaf, identity) in change.effects.identities {
      guard let id = leaf.id,
        let recorded = log.identities[EffectID(seq: original, index: id.index)]
      else { continue }
      if !recorded.isLike(identity) { foreign.insert(id) }
    }
  }

  /// Returns the path at which an action has overwritten the result of a newer effect.
  func overtaken(by context: ActionContext) -> JSON.Location? {
    guard let original = context.action?.originalSeq, original == log.steps[step].action?.seq,
      let before = context.before
    else { return nil }
    return log.overtaking.rivals(of: step, isDone: done.contains)
      .first { $0.isReplaced(before: before, after: context.state) }?.place
  }

  /// Returns the current node.
  func node() -> InterleavingTrace.TraceNode {
    var waiting: [ThreadedLog.Thread: Int] = [:]
    var enabled: [Int] = []
    for (thread, steps) in left {
      guard let next = steps.first else { continue }
      if !log.steps[next].needs.allSatisfy(done.contains) {
        // Its effect may still be started.
        waiting[thread] = next
      } else if isEnabled(next) {
        waiting[thread] = next
        enabled.append(next)
      }
    }
    let future = Future(state: state, waiting: waiting, alive: effects.alive.map(name).sorted())
    return InterleavingTrace.TraceNode(
      key: InterleavingTrace.Key(future),
      enabled: enabled.sorted()
    )
  }

  /// The information that determines all possible futures of a node.
  private struct Future: Hashable {
    let state: JSON
    let waiting: [ThreadedLog.Thread: Int]
    let alive: [String]
  }

  /// Returns a name for an effect that doesn't depend on the order.
  private func name(_ leaf: LoggedEffects.Leaf) -> String {
    guard case .own(let id) = leaf else { return "" }
    return "\(originals[id.seq].map(String.init) ?? "new").\(id.index)"
  }

  /// Returns whether the effect of a step can proceed now.
  private func isEnabled(_ index: Int) -> Bool {
    let step = log.steps[index]
    guard case .effect(let original) = step.thread else { return true }
    let seq = original.seq <= log.start ? original.seq : replayed[original.seq]
    guard let seq else { return false }
    let id = EffectID(seq: seq, index: original.index)
    guard !foreign.contains(id) else { return false }
    // The library may send an action for an effect after the effect's end.
    if case .effect(_, .some) = step.action?.origin { return true }
    if effects.awaitingStart.contains(id) { return false }
    if step.action == nil { return effects.isRunning(id) }
    return effects.isAlive(id) || effects.completed.contains(id)
  }
}

extension ThreadedLog {
  /// Returns whether an event is an input rather than a consequence of inputs.
  func isInput(_ event: LogEvent) -> Bool {
    switch event {
    case .action(let action): action.origin.directEffect.map { !sends.contains($0) } ?? true
    case .effect: true
    default: false
    }
  }
}
