import ActionLog
import ReplayEngine

/// A log divided into threads of steps, from which other interleavings are created.
///
/// The user is one thread, and each effect is another. A step is an input from outside the reducer with its
/// consequences. The steps of a thread keep their order, but the scheduler may interleave threads differently each
/// time.
struct ThreadedLog: Sendable {
  enum Thread: Hashable, Sendable {
    /// The callers of the store: views, and reducers around the recorded one.
    case user
    case effect(EffectID)
  }

  /// An input with all events that follow from it.
  struct ThreadStep: Sendable {
    let thread: Thread
    /// The action; `nil` for an effect event without one.
    let action: LogEvent.Action?
    /// The events of the step, beginning with the action.
    var events: [LogEvent] = []
    /// The preceding step of the same thread.
    var predecessor: Int?
    /// The steps that must come first, because they start its effect.
    var needs: [Int] = []
    /// Whether it requires effects of other threads, because it cancels them.
    var needsOthers = false
    /// Whether its position among other steps matters.
    var isMovable = true
    /// Whether no action of the reducer itself was queued when it arrived.
    let isSettled: Bool
  }

  /// The header and the first checkpoint.
  private(set) var head: [LogEvent] = []
  private(set) var steps: [ThreadStep] = []
  private(set) var end: LogEvent.End?
  /// The races between effects in which an older one can overwrite the result of a newer one.
  private(set) var overtaking = Overtaking()
  /// The first action that can be reordered, if it follows a gap.
  private(set) var gap: Int?
  /// The number of the checkpoint.
  private(set) var start = 0
  /// The first action that is followed by a state change without a recorded action, which prevents other orders.
  private(set) var externalChange: Int?
  /// The ids of `.send` effects.
  private(set) var sends: Set<EffectID> = []
  /// The operation and child feature of each effect.
  private(set) var identities: [EffectID: EffectIdentity] = [:]
  private var pendingSends: Set<EffectID> = []
  private var stepOfAction: [Int: Int] = [:]
  private var stepOfStart: [EffectID: Int] = [:]
  private var lastOfThread: [Thread: Int] = [:]
  /// Whether the change of the last action is still to come.
  private var isOpen = false

  private init() {}

  /// Reads a log.
  ///
  /// - Throws: The errors of `events`.
  init(_ events: LogComparison.Events) throws {
    while let event = try events() { assign(event) }
    let preceding = Set(steps.compactMap(\.predecessor))
    for index in steps.indices where !preceding.contains(index) {
      steps[index].isMovable = isMovable(index)
    }
    for case .checkpoint(let checkpoint) in head {
      overtaking = Overtaking(steps, after: checkpoint)
    }
  }

  private mutating func assign(_ event: LogEvent) {
    switch event {
    case .header: head.append(event)
    case .checkpoint(let checkpoint):
      // Later checkpoints would contradict other orders.
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
      // The events before and after a gap can't be replayed together.
      let header = head.filter { $0.kind == "header" }
      self = ThreadedLog()
      head = header
      self.gap = gap.seq
    // In another order, the calls of effects could differ.
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
    // This cancellation is a consequence of the action.
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

  /// Requires the last step to come after the start of an effect.
  private mutating func require(_ id: EffectID) {
    let needs = [stepOfAction[id.seq], stepOfStart[id]].compactMap(\.self)
    steps[steps.count - 1].needs += needs.filter { $0 != steps.count - 1 }
  }

  /// Requires the last step to come after the start of another thread's effect.
  private mutating func requireOther(_ id: EffectID) {
    require(id)
    steps[steps.count - 1].needsOthers = true
  }

  private mutating func registerSends(_ effect: EffectDescription) {
    for leaf in effect.flattened where leaf.operation == .send {
      guard let id = leaf.id else { continue }
      sends.insert(id)
      pendingSends.insert(id)
    }
  }

  /// Returns whether a step's position matters.
  ///
  /// It doesn't for the end of an effect without consequences.
  private func isMovable(_ index: Int) -> Bool {
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
  /// Completes the beginning of an order.
  ///
  /// The remaining steps follow in recorded order, except that delayed threads wait for all others.
  ///
  /// - Parameters:
  ///   - beginning: The first steps.
  ///   - disabled: The steps that can't occur, because their effect has been cancelled.
  ///   - delayed: The threads that wait.
  /// - Returns: The order of all enabled steps.
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
      // The remaining steps depend on steps that were left out.
      guard let next else { return interleaving }
      let step = rest.remove(at: next)
      done.insert(step)
      interleaving.order.append(step)
    }
  }

  /// Removes a step whose effect isn't running, the later actions of this effect, and all steps that depend on them.
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

  /// Returns whether a step may come after others, according to the log alone.
  func isEnabled(_ index: Int, after done: Set<Int>, without disabled: [Int: Int]) -> Bool {
    let step = steps[index]
    return step.needs.allSatisfy(done.contains)
      && step.predecessor.map { done.contains($0) || disabled[$0] != nil } ?? true
  }

  /// Returns the log that a store would have written if the steps had occurred in this order.
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

  /// Renumbers actions in a new order, and updates the ids of effects accordingly.
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

    /// Returns the event with its new numbers; `nil` if it refers to an action that hasn't occurred.
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
  /// The steps that occur.
  var order: [Int]
  /// The steps that can't occur because their effect isn't running, with the number of steps after which this was
  /// known.
  var disabled: [Int: Int] = [:]
  /// The threads that wait until all others have finished.
  var delayed: DelayedThreads = []
}
