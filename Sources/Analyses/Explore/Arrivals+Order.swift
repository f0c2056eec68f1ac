import ActionLog
import ReplayEngine

extension Arrivals {
  /// The members that a replayed action carries through its replay.
  enum Mark {
    /// The number of the action in the log that is explored.
    static let original = "of"
  }

  /// An order to be tried.
  struct Plan: Sendable {
    /// The steps that come.
    var order: [Int]
    /// The steps that do not arrive, for their effect is not alive any more, and where in the order that showed.
    var gone: [Int: Int] = [:]
    /// The threads that wait until all others are through.
    var delayed: Set<Thread> = []
  }

  /// Completes the beginning of an order.
  ///
  /// What is left comes as it was recorded, except that delayed threads wait until nothing else is left.
  ///
  /// - Parameters:
  ///   - beginning: The steps that come first.
  ///   - gone: What does not arrive, for its effect has been cancelled.
  ///   - delayed: The threads that wait.
  /// - Returns: The order of all steps that can come.
  func plan(
    from beginning: [Int] = [],
    without gone: [Int: Int] = [:],
    delayed: Set<Thread> = []
  ) -> Plan {
    var plan = Plan(order: beginning, gone: gone, delayed: delayed)
    var done = Set(beginning)
    var rest = steps.indices.filter { !done.contains($0) && gone[$0] == nil }
    while true {
      let next =
        rest.firstIndex {
          !delayed.contains(steps[$0].thread) && isPossible($0, behind: done, without: gone)
        } ?? rest.firstIndex { isPossible($0, behind: done, without: gone) }
      // What needs a step that is left out cannot come.
      guard let next else { return plan }
      let step = rest.remove(at: next)
      done.insert(step)
      plan.order.append(step)
    }
  }

  /// Leaves out what does not arrive behind a step whose effect is not alive, and what depends on it.
  func lose(_ step: Int, at place: Int, in plan: inout Plan) {
    let isSilent = steps[step].action != nil
    for index in steps.indices.dropFirst(step)
    where index == step
      || isSilent && steps[index].thread == steps[step].thread && steps[index].action != nil
    {
      plan.gone[index] = place
    }
    var done: Set<Int> = []
    plan.order.removeAll { index in
      guard plan.gone[index] == nil, isPossible(index, behind: done, without: plan.gone) else {
        return true
      }
      done.insert(index)
      return false
    }
  }

  /// Whether a step may come behind others, as far as the log alone tells.
  func isPossible(_ index: Int, behind done: Set<Int>, without gone: [Int: Int]) -> Bool {
    let step = steps[index]
    return step.needs.allSatisfy(done.contains)
      && step.predecessor.map { done.contains($0) || gone[$0] != nil } ?? true
  }

  /// The log that a store would have written, had the steps come in this order.
  func events(of order: [Int]) -> [LogEvent] {
    var renumbering = Renumbering(behind: start)
    var events = head
    for index in order {
      let step = steps[index]
      for event in step.events {
        guard var event = renumbering.renumbered(event) else { continue }
        if case .action(var action) = event, case .action(let original) = step.events[0],
          action.rest[Mark.original]?.int == original.seq
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

  /// Gives actions the numbers of their new order, and effects the names that follow from these.
  private struct Renumbering {
    private(set) var last: Int
    private let start: Int
    private var numbers: [Int: Int] = [:]
    private var sent: [EffectID: Int] = [:]

    init(behind start: Int) {
      self.start = start
      last = start
    }

    private func number(_ seq: Int) -> Int? { seq <= start ? seq : numbers[seq] }

    private func name(_ id: EffectID) -> EffectID? {
      number(id.seq).map { EffectID(seq: $0, index: id.index) }
    }

    /// The event under its new names; `nil` when it is about something that has not come.
    mutating func renumbered(_ event: LogEvent) -> LogEvent? {
      switch event {
      case .action(var action):
        action.rest[Mark.original] = .number(JSON.Number(action.seq))
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

extension LogEvent.Action {
  /// The action without what it carries through a replay.
  var unmarked: LogEvent.Action {
    var action = self
    action.isSettled = false
    action.rest[Arrivals.Mark.original] = nil
    return action
  }
}
