import ActionLog
import LogTools
import ReplayEngine
import ReplayHosts

/// The search states through which the replay of an interleaving passes.
struct InterleavingTrace: Sendable {
  /// A search state before or after a step.
  struct TraceNode: Sendable {
    /// A key that is equal for search states from which the same orders are possible.
    let key: Key
    /// The indexes of the steps that can come next, in ascending order.
    let enabled: [Int]
  }

  /// A hash of the feature's state, the running effects, and the next step of each thread, or all steps so far.
  struct Key: SearchKey, Sendable {
    private let first: Int
    private let second: Int

    init(_ parts: some Hashable) {
      // With two hashes, different search states practically never have the same key.
      first = Self.hash(parts, salt: 1)
      second = Self.hash(parts, salt: 2)
    }

    /// Returns a hash of the key and a number, such as the index of a step.
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

  /// An error for a step that its effect can't perform at this position in the order.
  struct DisabledStep: Error, Hashable {
    let step: Int
    /// The number of steps that precede the disabled step in the order.
    let place: Int
  }

  /// The reason why the trace of a replay ends.
  enum TraceEnd: Sendable, Hashable {
    /// The trace contains all steps.
    case complete
    /// A violation was found after the action with number `seq`, which belongs to `step`.
    case violated(SearchJudge.Violation, seq: Int, step: Int)
    /// The host trapped in the action with number `seq`, which belongs to `step`.
    case trapped(signal: String, seq: Int, step: Int)
    /// The step read an unrecorded value, could not be replayed, or reported an issue.
    ///
    /// Further results would therefore not prove a fault.
    case unclear(step: Int)
  }

  /// The search state before each step.
  ///
  /// If the trace is complete, the state after the last step follows.
  private(set) var nodes: [TraceNode] = []
  private(set) var ending = TraceEnd.complete
}

extension InterleavingTrace {
  /// Traces the replay of an interleaving.
  ///
  /// - Parameters:
  ///   - outcome: The replay of the interleaving's events.
  ///   - interleaving: The order of the steps.
  ///   - log: The log that contains the steps.
  ///   - judge: The rules that define violations.
  /// - Throws: `DisabledStep` if a step is not possible, or `LogCursor.BrokenPatch` if a patch does not fit.
  init(
    of outcome: EventReplayer.ReplayedEvents,
    _ interleaving: Interleaving,
    in log: ThreadedLog,
    judge: SearchJudge
  ) throws {
    var follower = InterleavingTracker(
      interleaving,
      in: log,
      countsOvertaking: judge.countsOvertaking
    )
    var events = outcome.events[...]
    var findings: [LogEvent.Finding] = []
    // The closure passes each event to `follower` before `contexts` processes it.
    var isStopped = false
    var disabled: DisabledStep?
    var nodes: [TraceNode] = []
    var contexts = ConditionContextReader {
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
      let isFromUser = log.steps[follower.step].isFromUser
      var verdict = judge.verdict(on: findings, isFromUser: isFromUser)
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
    } else if judge.verdict(on: findings, isFromUser: false) == .unclear {
      ending = .unclear(step: follower.step)
    } else {
      self.nodes.append(follower.node())
    }
  }
}

/// Tracks the current step and the running effects while the events of a replay are read.
struct InterleavingTracker {
  private let log: ThreadedLog
  private let order: [Int]
  private let countsOvertaking: Bool
  private var effects = SimulatedEffects()
  /// The state of the feature after the last change.
  var state: JSON = .null
  private var seq = 0
  /// For each input that is still to come, the index of its step.
  ///
  /// A step with several inputs begins with its first input.
  private var inputs: ArraySlice<Int>
  private var done: Set<Int> = []
  private var last: Int?
  /// The numbers of actions in the replay, keyed by their numbers in the log.
  private var replayed: [Int: Int] = [:]
  /// The numbers of actions in the log, keyed by their numbers in the replay.
  private var originals: [Int: Int] = [:]
  /// The effects that differ from their counterparts in the log.
  ///
  /// An effect's counterpart has the same index, and was started by the same action in the log.
  private var foreign: Set<EffectID> = []
  /// The steps that are still to come, for each thread.
  private var left: [ThreadedLog.Thread: ArraySlice<Int>]

  /// Creates a tracker that has read no events.
  ///
  /// - Parameters:
  ///   - interleaving: The order of the steps.
  ///   - log: The log that contains the steps.
  ///   - countsOvertaking: Whether an action that overtakes another one is a violation.
  init(_ interleaving: Interleaving, in log: ThreadedLog, countsOvertaking: Bool) {
    order = interleaving.order
    self.countsOvertaking = countsOvertaking
    self.log = log
    let inputs = interleaving.order.flatMap { step in
      log.steps[step].events.filter(log.isInput).map { _ in step }
    }
    self.inputs = inputs[...]
    let steps = log.steps.indices.filter { interleaving.disabled[$0] == nil }
    left = Dictionary(grouping: steps) { log.steps[$0].thread }.mapValues { $0[...] }
  }

  /// The index of the current step, or of the first step in the order if no step has begun.
  var step: Int { last ?? order.first ?? 0 }

  /// Processes an event of the replay.
  ///
  /// - Returns: The search state before a step, if the event begins the step; otherwise, an empty array.
  /// - Throws: `DisabledStep` if the step is not possible.
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
        _ = effects.removeSend(by: id)
        return []
      }
      let nodes = try startStep()
      _ = effects.arrive(from: action.origin, as: seq)
      return nodes
    case .change(let change):
      recordForeignEffects(change)
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

  private mutating func recordForeignEffects(_ change: LogEvent.Change) {
    guard !change.effects.isEmpty, let original = originals[change.seq] else { return }
    for (leaf, identity) in change.effects.identities {
      guard let id = leaf.id,
        let recorded = log.identities[EffectID(seq: original, index: id.index)]
      else { continue }
      if !recorded.isLike(identity) { foreign.insert(id) }
    }
  }

  /// Returns the path at which the action of a context has overwritten the result of a newer effect.
  ///
  /// Returns `nil` if there is no such path.
  func overtaken(by context: ConditionContext) -> JSON.ValueLocation? {
    guard let original = context.action?.originalSeq, original == log.steps[step].action?.seq,
      let before = context.before
    else { return nil }
    return log.overtaking.rivals(of: step, isDone: done.contains)
      .first { $0.isReplaced(before: before, after: context.state) }?.place
  }

  /// Returns the search state after the events that were read.
  func node() -> InterleavingTrace.TraceNode {
    var waiting: [ThreadedLog.Thread: Int] = [:]
    var enabled: [Int] = []
    for (thread, steps) in left {
      guard let next = steps.first else { continue }
      if !log.steps[next].needs.allSatisfy(done.contains) {
        // A later step may still start the effect of this step, so the thread is part of the key.
        waiting[thread] = next
      } else if isEnabled(next) {
        waiting[thread] = next
        enabled.append(next)
      }
    }
    let future = SearchStateComponents(
      state: state,
      waiting: waiting,
      done: countsOvertaking ? done : [],
      alive: effects.alive.map(name).sorted()
    )
    return InterleavingTrace.TraceNode(
      key: InterleavingTrace.Key(future),
      enabled: enabled.sorted()
    )
  }

  /// The facts that determine which orders are possible from a search state.
  private struct SearchStateComponents: Hashable {
    let state: JSON
    /// The next step of each thread.
    let waiting: [ThreadedLog.Thread: Int]
    /// The steps so far if they determine which actions are overtaken; otherwise, empty.
    let done: Set<Int>
    let alive: [String]
  }

  /// Returns an effect's name, which is the same in all orders.
  private func name(_ leaf: LoggedEffects.Leaf) -> String {
    guard case .own(let id) = leaf else { return "" }
    return "\(originals[id.seq].map(String.init) ?? "new").\(id.index)"
  }

  /// Returns whether the effect of a step can perform the step now.
  ///
  /// A step of the user is always possible.
  private func isEnabled(_ index: Int) -> Bool {
    let step = log.steps[index]
    guard case .effect(let original) = step.thread else { return true }
    let seq = original.seq <= log.start ? original.seq : replayed[original.seq]
    guard let seq else { return false }
    let id = EffectID(seq: seq, index: original.index)
    guard !foreign.contains(id) else { return false }
    // The library may send an action on behalf of an effect that has ended.
    if case .effect(_, .some) = step.action?.origin { return true }
    if effects.awaitingStart.contains(id) { return false }
    if step.action == nil { return effects.isRunning(id) }
    return effects.isAlive(id) || effects.completed.contains(id)
  }
}

extension ThreadedLog {
  /// Returns whether an event is an input, rather than a consequence of an input.
  func isInput(_ event: LogEvent) -> Bool {
    switch event {
    case .action(let action): action.origin.directEffect.map { !sends.contains($0) } ?? true
    case .effect: true
    default: false
    }
  }
}
