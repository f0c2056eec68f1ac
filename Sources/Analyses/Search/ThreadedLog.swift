import ActionLog
import ReplayEngine

/// A log that is divided into threads of steps, from which other orders are created.
///
/// The user is one thread, and each effect is another thread. A step is an input from outside the reducer, with its
/// consequences. The steps of a thread stay in order, but a scheduler may interleave the threads differently each time.
struct ThreadedLog: Sendable {
  enum Thread: Hashable, Sendable {
    /// Code outside the recorded reducer and its effects: views, reducers around it, and code that cancels effects.
    case user
    case effect(EffectID)
  }

  /// An input with all events that follow from it.
  struct ThreadStep: Sendable {
    let thread: Thread
    /// The action of the input, or `nil` if the input is an effect event.
    let action: LogEvent.Action?
    /// The events of the step, starting with the input.
    var events: [LogEvent] = []
    /// The index of the previous step in the same thread, or `nil` if this is the first one.
    var predecessor: Int?
    /// The indexes of the steps that must come first: they start the step's effect, or the effect that it cancels.
    var needs: [Int] = []
    /// Whether the step cancels an effect of another thread.
    ///
    /// The effect must have started before the step.
    var cancelsOtherThread = false
    /// Whether the position of the step among other steps matters.
    var isOrderSensitive = true
    /// Whether all actions of `.send` effects had been delivered when the input arrived.
    let isSettled: Bool
  }

  /// The header, and the first checkpoint after the last gap.
  private(set) var head: [LogEvent] = []
  private(set) var steps: [ThreadStep] = []
  private(set) var end: LogEvent.End?
  /// The races in which the action of an older effect can overwrite the result of a newer effect.
  private(set) var overtaking = OvertakingRaces()
  /// The action number at the last gap, or `nil` if the log has no gap.
  ///
  /// Only the actions after the gap can be reordered.
  private(set) var gap: Int?
  /// The number of the last action before the checkpoint in `head`.
  private(set) var start = 0
  /// The number of the first action after which the state was changed without a recorded action.
  ///
  /// Such a change prevents other orders. The value is `nil` if there is none.
  private(set) var externalChange: Int?
  /// The ids of all `.send` effects in the log.
  private(set) var sends: Set<EffectID> = []
  /// The operation and the child feature of each effect.
  private(set) var identities: [EffectID: EffectIdentity] = [:]
  private var pendingSends: Set<EffectID> = []
  private var stepOfAction: [Int: Int] = [:]
  private var stepOfStart: [EffectID: Int] = [:]
  private var lastOfThread: [Thread: Int] = [:]
  /// Whether the change of the last action has not been read.
  private var isOpen = false

  private init() {}

  /// Reads a log and divides it into steps.
  ///
  /// - Throws: The errors that `events` throws, such as `LogReadError`.
  init(_ events: LogComparison.Events) throws {
    while let event = try events() { assign(event) }
    let preceding = Set(steps.compactMap(\.predecessor))
    for index in steps.indices where !preceding.contains(index) {
      steps[index].isOrderSensitive = isOrderSensitive(index)
    }
    for case .checkpoint(let checkpoint) in head {
      overtaking = OvertakingRaces(steps, after: checkpoint)
    }
  }

  private mutating func assign(_ event: LogEvent) {
    switch event {
    case .header: head.append(event)
    case .checkpoint(let checkpoint):
      // Later checkpoints contain states of the recorded order, which other orders might not reach.
      guard head.count < 2 else { return }
      head.append(event)
      start = checkpoint.seq
      for effect in checkpoint.effects { registerSends(effect) }
    case .action(let action): assign(action)
    case .read: append(event)
    case .change(let change):
      for effect in change.effects { registerSends(effect) }
      for (leaf, identity) in change.effects.identities {
        if let id = leaf.id { identities[id] = identity }
      }
      append(event)
      isOpen = false
    case .effect(let effect): assign(effect)
    case .end(let end): self.end = end
    case .note: append(event)
    case .gap(let gap):
      // The state after a gap doesn't follow from the steps before it, so these are dropped.
      let header = head.filter { $0.kind == "header" }
      self = ThreadedLog()
      head = header
      self.gap = gap.seq
    // If the order of the steps differs, effects can make other calls.
    case .call: break
    default: externalChange = externalChange ?? event.stateChange?.seq
    }
  }

  private mutating func assign(_ action: LogEvent.Action) {
    isOpen = true
    switch action.origin {
    case .view, .parent: startStep(.user, action, .action(action))
    case .effect(let id, nil) where sends.contains(id):
      pendingSends.remove(id)
      append(.action(action))
    case .reentrant: append(.action(action))
    case .effect(let id, _): startStep(.effect(id), action, .action(action))
    }
    stepOfAction[action.seq] = steps.count - 1
  }

  private mutating func assign(_ effect: LogEvent.Effect) {
    switch effect.event {
    // The cancellation follows from the action, so the replay repeats it.
    case .cancelled(by: .action, _): return
    case _ where isOpen: append(.effect(effect))
    case .started:
      append(.effect(effect))
      stepOfStart[effect.id] = steps.count - 1
    case .finished, .failed: startStep(.effect(effect.id), nil, .effect(effect))
    case .cancelled(by: .effect(let canceller), _):
      startStep(.effect(canceller), nil, .effect(effect))
      requireOther(effect.id)
    case .cancelled:
      startStep(.user, nil, .effect(effect))
      requireOther(effect.id)
    }
  }

  private mutating func append(_ event: LogEvent) {
    guard !steps.isEmpty else { return }
    steps[steps.count - 1].events.append(event)
  }

  private mutating func startStep(_ thread: Thread, _ action: LogEvent.Action?, _ event: LogEvent) {
    var step = ThreadStep(
      thread: thread,
      action: action,
      events: [event],
      isSettled: pendingSends.isEmpty
    )
    step.predecessor = lastOfThread[thread]
    lastOfThread[thread] = steps.count
    steps.append(step)
    if case .effect(let id) = thread { require(id) }
  }

  /// Adds the start of an effect to the steps that must come before the last step.
  private mutating func require(_ id: EffectID) {
    let needs = [stepOfAction[id.seq], stepOfStart[id]].compactMap(\.self)
    steps[steps.count - 1].needs += needs.filter { $0 != steps.count - 1 }
  }

  /// Adds the start of an effect in another thread to the steps that must come before the last step.
  private mutating func requireOther(_ id: EffectID) {
    require(id)
    steps[steps.count - 1].cancelsOtherThread = true
  }

  private mutating func registerSends(_ effect: EffectDescription) {
    for leaf in effect.flattened where leaf.operation == .send {
      guard let id = leaf.id else { continue }
      sends.insert(id)
      pendingSends.insert(id)
    }
  }

  /// Returns whether the position of a step among others matters.
  ///
  /// For the end of an effect without consequences, the position doesn't matter.
  private func isOrderSensitive(_ index: Int) -> Bool {
    let step = steps[index]
    guard step.action == nil, step.events.count == 1, case .effect(let effect) = step.events[0]
    else { return true }
    switch effect.event {
    case .finished, .failed: return false
    default: return true
    }
  }
}

extension ThreadedLog {
  /// Completes an order that begins with the given steps.
  ///
  /// The other steps follow in recorded order, except that delayed threads wait for all others.
  ///
  /// - Parameters:
  ///   - beginning: The first steps of the order.
  ///   - disabled: The steps that are not possible, with the number of steps after which this became known.
  ///   - delayed: The threads that wait until all others have finished.
  /// - Returns: The order of all steps that are possible.
  func interleaving(
    from beginning: [Int] = [],
    without disabled: [Int: Int] = [:],
    delayed: DelayedThreads = []
  ) -> Interleaving {
    var interleaving = Interleaving(order: beginning, disabled: disabled, delayed: delayed)
    var done = Set(beginning)
    var rest = steps.indices.filter { !done.contains($0) && disabled[$0] == nil }
    while true {
      let next =
        rest.firstIndex {
          !delayed.contains(steps[$0].thread) && isEnabled($0, after: done, without: disabled)
        } ?? rest.firstIndex { isEnabled($0, after: done, without: disabled) }
      // Steps that depend on omitted steps are also omitted.
      guard let next else { return interleaving }
      let step = rest.remove(at: next)
      done.insert(step)
      interleaving.order.append(step)
    }
  }

  /// Removes an impossible step, and all steps that depend on it.
  ///
  /// If the step is an action, the later actions of its effect are also removed, with the steps that depend on them.
  ///
  /// - Parameters:
  ///   - step: The index of the step that is not possible.
  ///   - place: The number of steps that precede the impossible step.
  ///   - interleaving: The order from which the steps are removed.
  func disable(_ step: Int, at place: Int, in interleaving: inout Interleaving) {
    let isAction = steps[step].action != nil
    for index in steps.indices.dropFirst(step)
    where index == step
      || isAction && steps[index].thread == steps[step].thread && steps[index].action != nil
    {
      interleaving.disabled[index] = place
    }
    var done: Set<Int> = []
    interleaving.order.removeAll { index in
      guard interleaving.disabled[index] == nil,
        isEnabled(index, after: done, without: interleaving.disabled)
      else {
        return true
      }
      done.insert(index)
      return false
    }
  }

  /// Returns whether a step can follow the executed steps according to the log.
  func isEnabled(_ index: Int, after done: Set<Int>, without disabled: [Int: Int]) -> Bool {
    let step = steps[index]
    return step.needs.allSatisfy(done.contains)
      && step.predecessor.map { done.contains($0) || disabled[$0] != nil } ?? true
  }

  /// Returns the recorded events of the steps in the given order, with new action numbers, as the input for a replay.
  func events(of order: [Int]) -> [LogEvent] {
    var renumbering = Renumbering(after: start)
    var events = head
    for index in order {
      let step = steps[index]
      for event in step.events {
        guard var event = renumbering.renumbered(event) else { continue }
        if case .action(var action) = event, case .action(let original) = step.events[0],
          action.originalSeq == original.seq
        {
          action.isSettled = step.isSettled
          event = .action(action)
        }
        events.append(event)
      }
    }
    if let end { events.append(.end(LogEvent.End(seq: renumbering.last, reason: end.reason))) }
    return events
  }

  /// Assigns new numbers to actions in their new order, and adjusts the ids of effects.
  private struct Renumbering {
    private(set) var last: Int
    private let start: Int
    private var numbers: [Int: Int] = [:]
    private var sent: [EffectID: Int] = [:]

    init(after start: Int) {
      self.start = start
      last = start
    }

    private func number(_ seq: Int) -> Int? { seq <= start ? seq : numbers[seq] }

    private func name(_ id: EffectID) -> EffectID? {
      number(id.seq).map { EffectID(seq: $0, index: id.index) }
    }

    /// Returns an event with new numbers, or `nil` if it refers to an action that has not occurred.
    mutating func renumbered(_ event: LogEvent) -> LogEvent? {
      switch event {
      case .action(var action):
        action.originalSeq = action.seq
        last += 1
        numbers[action.seq] = last
        action.seq = last
        switch action.origin {
        case .view, .parent: break
        case .reentrant(let seq): action.origin = .reentrant(seq: number(seq) ?? last - 1)
        case .effect(let id, let via):
          guard let name = name(id) else { return nil }
          if via == nil { sent[id, default: 0] += 1 }
          action.origin = .effect(name, via: via)
        }
        return .action(action)
      case .read(var read):
        read.seq = number(read.seq) ?? last
        return .read(read)
      case .change(var change):
        change.seq = number(change.seq) ?? last
        change.effects = change.effects.map(renamed)
        return .change(change)
      case .effect(var effect):
        let id = effect.id
        guard let name = name(id) else { return nil }
        effect.id = name
        switch effect.event {
        case .finished: effect.event = .finished(sent: sent[id, default: 0])
        case .cancelled(by: .effect(let canceller), let dropping):
          guard let canceller = self.name(canceller) else { return nil }
          effect.event = .cancelled(by: .effect(canceller), dropping: dropping)
        default: break
        }
        return .effect(effect)
      default: return event
      }
    }

    private func renamed(_ effect: EffectDescription) -> EffectDescription {
      var effect = effect
      effect.id = effect.id.flatMap(name)
      effect.effects = effect.effects.map(renamed)
      return effect
    }
  }
}

/// One order of the steps of a threaded log.
struct Interleaving: Sendable {
  /// The indexes of the steps, in the order in which they occur.
  var order: [Int]
  /// The steps that are not possible because their effects aren't running.
  ///
  /// The keys are indexes of steps. A value is the number of preceding steps after which this became known.
  var disabled: [Int: Int] = [:]
  /// The threads that wait until all others have finished.
  var delayed: DelayedThreads = []
}
