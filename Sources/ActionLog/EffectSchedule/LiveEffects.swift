/// The effects that have not ended in a log that is being written; checkpoints in the middle of it list them.
///
/// It follows the log with the schedule that live stores and replays use, so that all three agree.
package struct LiveEffects: Sendable {
  private typealias Schedule = EffectSchedule<Leaf, Key, JSON>

  private enum Leaf: Hashable, Sendable {
    case own(EffectID)
    /// An effect of the library's own, by a number, and the action that started it.
    case added(Int, seq: Int)
  }

  private struct Key: Hashable, Sendable {
    let type: String
    let value: JSON
  }

  private var schedule = Schedule()
  private var descriptions: [Int: [EffectDescription]] = [:]
  /// Actions that effects have sent and that the log does not have yet, in their order.
  private var sent: [EffectID] = []
  /// The actions that have cancelled effects which have not ended.
  private var cancellers: [EffectID: Int] = [:]
  private var added = 0

  package init() {}

  /// The effects that are alive at a checkpoint.
  package init(_ checkpoint: LogEvent.Checkpoint) {
    for effect in checkpoint.effects {
      let seq = effect.flattened.lazy.compactMap(\.id).first?.seq ?? checkpoint.seq
      // All of them are alive, so none cancelled another.
      carryOut(schedule.start(plan(effect, of: seq, isCancelling: false), of: seq))
      descriptions[seq, default: []].append(effect)
      for leaf in effect.flattened where leaf.isCancelled {
        if let id = leaf.id { _ = schedule.cancel(.own(id)) }
      }
    }
  }

  /// Takes the effects that an action returned.
  package mutating func start(_ effects: [EffectDescription], of seq: Int) {
    guard !effects.isEmpty else { return }
    let plans = effects.map { plan($0, of: seq) }
    carryOut(schedule.start(.merge(plans), of: seq))
    if schedule.hasWork(of: seq) || sent.contains(where: { $0.seq == seq }) {
      descriptions[seq] = effects
    }
  }

  /// Takes note that the action of a `send` is in the log.
  package mutating func arrive(_ id: EffectID) {
    guard let index = sent.firstIndex(of: id) else { return }
    sent.remove(at: index)
    forget(id.seq)
  }

  /// Takes note of a step in the life of an effect.
  package mutating func follow(_ effect: LogEvent.Effect) {
    switch effect.event {
    // These follow from the plan of the action, or from the end of an earlier part.
    case .started, .cancelled(by: .action, _): break
    case .cancelled(_, let dropping):
      carryOut(schedule.cancel(.own(effect.id), dropping: dropping))
    case .finished, .failed:
      cancellers[effect.id] = nil
      carryOut(schedule.finish(.own(effect.id)))
      forget(effect.id.seq)
    }
  }

  /// The action whose effects have cancelled an effect that has not ended; nil when something else did.
  package func canceller(of id: EffectID) -> Int? { cancellers[id] }

  /// Whether an effect has not begun because effects before it have not ended.
  package func isWaiting(_ id: EffectID) -> Bool {
    !schedule.isRunning(.own(id)) && schedule.waiting.contains(.own(id))
  }

  /// Whether an action has effects that run and were not cancelled, that wait for such, or that have sent actions which the
  /// log does not have yet.
  package func hasAlive(of seq: Int) -> Bool {
    guard let effects = descriptions[seq] else { return false }
    if sent.contains(where: { $0.seq == seq }) { return true }
    return effects.lazy.flatMap(\.flattened).contains { effect in
      guard let id = effect.id, !effect.isInternal else { return false }
      return schedule.isAlive(.own(id)) || isWaiting(id)
    }
  }

  /// The effects that are alive, described as when they were started, without the parts that have ended.
  package var described: [EffectDescription] {
    guard !descriptions.isEmpty else { return [] }
    let waiting = Set(schedule.waiting)
    let sent = Set(self.sent)
    return descriptions.keys.sorted().flatMap { seq in
      (descriptions[seq] ?? []).compactMap { remainder(of: $0, waiting, sent) }
    }
  }

  private mutating func forget(_ seq: Int) {
    if !schedule.hasWork(of: seq), !sent.contains(where: { $0.seq == seq }) {
      descriptions[seq] = nil
    }
  }

  private mutating func carryOut(_ steps: [Schedule.Step]) {
    for step in steps {
      switch step {
      case .send(.own(let id)): sent.append(id)
      case .cancel(.own(let id), by: let action?, _): cancellers[id] = action
      // The log does not say when an effect of the library returns: it does so at once.
      case .cancel(.added(let number, let seq), _, _):
        carryOut(schedule.finish(.added(number, seq: seq)))
        forget(seq)
      default: break
      }
    }
  }

  private mutating func plan(
    _ effect: EffectDescription,
    of seq: Int,
    isCancelling: Bool = true
  ) -> Schedule.Plan {
    let key = effect.cancelID.map { Key(type: $0.type, value: $0.value) }
    let path = effect.cancelID?.path ?? []
    let inner: Schedule.Plan
    switch effect.operation {
    case .run:
      added += 1
      inner = .run(effect.id.map(Leaf.own) ?? .added(added, seq: seq))
    case .send: inner = effect.id.map { .send(.own($0)) } ?? .none
    case .merge:
      inner = .merge(effect.effects.map { plan($0, of: seq, isCancelling: isCancelling) })
    case .concatenate:
      inner = .concatenate(effect.effects.map { plan($0, of: seq, isCancelling: isCancelling) })
    case .cancel: return key.map { .cancel($0, path: path) } ?? .none
    }
    guard let key else { return inner }
    let cancels = effect.cancelInFlight && isCancelling
    return .cancellable(key, path: path, cancelInFlight: cancels, inner)
  }

  private func remainder(
    of effect: EffectDescription,
    _ waiting: Set<Leaf>,
    _ sent: Set<EffectID>
  ) -> EffectDescription? {
    var result = effect
    switch effect.operation {
    case .run, .send:
      guard let id = effect.id else { return nil }
      if waiting.contains(.own(id)) || sent.contains(id) { return effect }
      guard schedule.isRunning(.own(id)) else { return nil }
      result.isCancelled = !schedule.isAlive(.own(id))
      return result
    case .cancel: return nil
    case .merge:
      result.effects = effect.effects.compactMap { remainder(of: $0, waiting, sent) }
      return result.effects.isEmpty ? nil : result
    case .concatenate:
      result.effects = []
      for (index, part) in effect.effects.enumerated() {
        if let rest = remainder(of: part, waiting, sent) {
          result.effects.append(rest)
        } else if !result.effects.isEmpty, part.cancels,
          !effect.effects[index...].contains(where: { $0.hasOwnLeaf })
            || effect.effects[index...].contains(where: {
              remainder(of: $0, waiting, sent) != nil
            })
        {
          // A cancellation that waits for the parts before it.
          result.effects.append(part)
        }
      }
      return result.effects.isEmpty ? nil : result
    }
  }
}

extension EffectDescription {
  fileprivate var hasOwnLeaf: Bool { flattened.contains { $0.id != nil } }
  fileprivate var cancels: Bool { flattened.contains { $0.operation == .cancel } }
}
