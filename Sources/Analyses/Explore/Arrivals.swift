import ActionLog
import ReplayEngine

/// A log taken apart into what arrived from outside the reducer, thread by thread.
///
/// The user is one thread, each effect is another. What arrives in a thread keeps its order; how threads interleave is the
/// scheduler's business, and on another day it decides otherwise.
struct Arrivals: Sendable {
  enum Thread: Hashable, Sendable {
    /// Who calls the store: views, and reducers around the recorded one.
    case user
    case effect(EffectID)
  }

  /// One thing that arrives, with all that the log has of its wave.
  struct Step: Sendable {
    let thread: Thread
    /// The action that arrives; `nil` when an effect takes a turn without one.
    let action: LogEvent.Action?
    /// Everything of the step, the action's line first.
    var events: [LogEvent] = []
    /// The step before it in its thread.
    var predecessor: Int?
    /// The steps without which its effect has not begun.
    var needs: [Int] = []
    /// Whether it makes a difference when it comes.
    var isMovable = true
    /// Whether nothing that the reducer had sent was waiting when it came.
    let isSettled: Bool
  }

  /// The header and the first checkpoint.
  private(set) var head: [LogEvent] = []
  private(set) var steps: [Step] = []
  private(set) var end: LogEvent.End?
  /// The number of the checkpoint.
  private(set) var start = 0
  /// The action behind which the log first has a change of the state that no recorded action made; it fits only there.
  private(set) var changeFromOutside: Int?
  /// The effects of the log that send an action at once.
  private(set) var sends: Set<EffectID> = []
  private var pendingSends: Set<EffectID> = []
  private var stepOfAction: [Int: Int] = [:]
  private var stepOfStart: [EffectID: Int] = [:]
  private var lastOfThread: [Thread: Int] = [:]
  /// Whether the change of the last action is yet to come.
  private var isOpen = false

  private init() {}

  /// Reads a log.
  ///
  /// - Throws: What `events` throws.
  init(_ events: LogComparison.Events) throws {
    while let event = try events() { take(event) }
    for index in steps.indices { steps[index].isMovable = isMovable(index) }
  }

  private mutating func take(_ event: LogEvent) {
    switch event {
    case .header: head.append(event)
    case .checkpoint(let checkpoint):
      // A later one would disagree with another order.
      guard head.count < 2 else { return }
      head.append(event)
      start = checkpoint.seq
      for effect in checkpoint.effects { note(effect) }
    case .action(let action): take(action)
    case .read: append(event)
    case .change(let change):
      for effect in change.effects { note(effect) }
      append(event)
      isOpen = false
    case .effect(let effect): take(effect)
    case .end(let end): self.end = end
    case .note: append(event)
    case .external(let external): changeFromOutside = changeFromOutside ?? external.seq
    case .excluded(let excluded): changeFromOutside = changeFromOutside ?? excluded.seq
    case .gap:
      // What stands before it cannot be replayed together with what stands behind it.
      let header = head.filter { $0.kind == "header" }
      self = Arrivals()
      head = header
    case .finding, .unknown: break
    }
  }

  private mutating func take(_ action: LogEvent.Action) {
    isOpen = true
    switch action.origin {
    case .view, .parent: begin(.user, action, .action(action))
    case .effect(let id, nil) where sends.contains(id):
      pendingSends.remove(id)
      append(.action(action))
    case .reentrant: append(.action(action))
    case .effect(let id, _): begin(.effect(id), action, .action(action))
    }
    stepOfAction[action.seq] = steps.count - 1
  }

  private mutating func take(_ effect: LogEvent.Effect) {
    switch effect.event {
    // It follows from the action.
    case .cancelled(by: .action, _): return
    case _ where isOpen: append(.effect(effect))
    case .started:
      append(.effect(effect))
      stepOfStart[effect.id] = steps.count - 1
    case .finished, .failed: begin(.effect(effect.id), nil, .effect(effect))
    case .cancelled(by: .effect(let canceller), _):
      begin(.effect(canceller), nil, .effect(effect))
      require(effect.id)
    case .cancelled:
      begin(.user, nil, .effect(effect))
      require(effect.id)
    }
  }

  private mutating func append(_ event: LogEvent) {
    guard !steps.isEmpty else { return }
    steps[steps.count - 1].events.append(event)
  }

  private mutating func begin(_ thread: Thread, _ action: LogEvent.Action?, _ event: LogEvent) {
    var step = Step(
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

  /// Makes the last step come after the start of an effect.
  private mutating func require(_ id: EffectID) {
    let needs = [stepOfAction[id.seq], stepOfStart[id]].compactMap(\.self)
    steps[steps.count - 1].needs += needs.filter { $0 != steps.count - 1 }
  }

  private mutating func note(_ effect: EffectDescription) {
    for leaf in effect.flattened where leaf.operation == .send {
      guard let id = leaf.id else { continue }
      sends.insert(id)
      pendingSends.insert(id)
    }
  }

  /// The end of an effect behind which nothing starts can come at any time.
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
