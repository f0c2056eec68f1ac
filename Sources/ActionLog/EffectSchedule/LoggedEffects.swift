/// The effects of which a log tells, none of which runs: it follows the plans that actions returned, with the schedule of live stores.
package struct LoggedEffects: Sendable {
  private typealias Schedule = EffectSchedule<Leaf, Hashed<CancelKey>, Hashed<JSON>>

  /// An effect of the feature, or one that the library added, which has no name in the log.
  package enum Leaf: Hashable, Sendable {
    case own(EffectID)
    /// By its number among those of the action that returned it.
    case added(Int, of: Int)
  }

  /// What comes of an action, or of an effect's end or cancellation.
  package enum Step: Sendable {
    /// An effect runs; `isLater` when it came after another one, which has ended.
    case run(EffectID, isLater: Bool)
    /// An effect sends its action.
    case send(EffectID, isLater: Bool)
    /// An effect was cancelled, by an action's plan or, when that is nil, by a call.
    case cancel(EffectID, by: Int?)
    /// An effect of the library's own was cancelled, and ends with that: the log has no event for its return.
    case end(of: Int)
    /// A plan cancels effects that others follow, too.
    case cancelElsewhere(Cancellation)
  }

  /// A cancellation of effects by their id, at a path and below it.
  package struct Cancellation: Hashable, Sendable {
    fileprivate let id: Hashed<CancelKey>
    fileprivate let path: [Hashed<JSON>]

    /// One bit for the id: effects without it in `cancellationMarks` cannot be cancelled under the id.
    package var mark: UInt64 { Self.mark(of: id) }

    fileprivate static func mark(of id: Hashed<CancelKey>) -> UInt64 { 1 << UInt64(id.number % 64) }
  }

  fileprivate struct CancelKey: Hashable, Sendable {
    let type: String
    let value: JSON
  }

  /// A value with its hash: a schedule looks for the same ones several times, and to hash a tree takes long.
  fileprivate struct Hashed<Value: Hashable & Sendable>: Hashable, Sendable {
    private let hash: Int
    private let value: Value

    var number: UInt { UInt(bitPattern: hash) }

    init(_ value: Value) {
      self.value = value
      hash = value.hashValue
    }

    func hash(into hasher: inout Hasher) { hasher.combine(hash) }
  }

  private var schedule: Schedule
  /// The last number of an effect that the library added.
  private var added = 0

  /// No effects.
  ///
  /// - Parameter areOneOfSeveral: Whether there are others elsewhere, which plans of these cancel.
  package init(areOneOfSeveral: Bool = false) {
    schedule = Schedule(isOneOfSeveral: areOneOfSeveral)
  }
}

extension LoggedEffects {
  /// The effects that run and were not cancelled, in the order they started.
  package var alive: [Leaf] { schedule.alive }

  /// The effects that run and were not cancelled, or that other effects wait for.
  package var pending: [Leaf] { schedule.pending }

  /// The effects that have not begun because effects before them have not ended.
  package var waiting: [EffectID] {
    schedule.waiting.compactMap { if case .own(let id) = $0 { id } else { nil } }
  }

  /// Whether an effect runs and was not cancelled.
  package func isAlive(_ id: EffectID) -> Bool { schedule.isAlive(.own(id)) }

  /// Whether the operation of an effect has begun and not yet returned, cancelled or not.
  package func isRunning(_ id: EffectID) -> Bool { schedule.isRunning(.own(id)) }

  /// Calls a function with each effect that runs, and whether it was cancelled, in no order.
  package func forEachRunning(_ body: (Leaf, _ isCancelled: Bool) -> Void) {
    schedule.forEachRunning(body)
  }

  /// How many parts of effects there are that have not ended.
  package var count: Int { schedule.count }

  /// A number for all that later steps depend on, but not for the order in which effects began.
  package var scheduleHash: Int { schedule.standingHash }

  /// Whether an effect of an action has not ended.
  package func hasWork(of seq: Int) -> Bool { schedule.hasWork(of: seq) }
}

extension LoggedEffects {
  /// Starts the effects that an action returned.
  package mutating func start(_ effects: [EffectDescription], of seq: Int) -> [Step] {
    added = 0
    return steps(of: schedule.start(plan(effects, of: seq), of: seq), areLater: false)
  }

  /// Starts an effect that is alive at a checkpoint: it cancels no other.
  package mutating func resume(
    _ effect: EffectDescription,
    at checkpoint: LogEvent.Checkpoint
  ) -> [Step] {
    let seq = effect.action(at: checkpoint)
    let plan = plan(effect, of: seq, isCancelling: false)
    let steps = steps(of: schedule.start(plan, of: seq), areLater: false)
    for leaf in effect.flattened where leaf.isCancelled {
      if let id = leaf.id { _ = schedule.cancel(.own(id)) }
    }
    return steps
  }

  /// Takes note that the operation of an effect has returned.
  package mutating func finish(_ id: EffectID) -> [Step] {
    steps(of: schedule.finish(.own(id)), areLater: true)
  }

  /// Cancels effects, as a plan elsewhere does: all of them before anything comes of that.
  ///
  /// - Returns: What comes of each cancellation.
  package mutating func cancel(_ cancellations: [Cancellation]) -> [[Step]] {
    let scheduled = cancellations.map { schedule.cancel($0.id, path: $0.path) }
    return scheduled.map { steps(of: $0, areLater: true) }
  }

  /// The marks of the ids under which effects can be cancelled.
  package var cancellationMarks: UInt64 {
    schedule.cancellableIDs.reduce(0) { $0 | Cancellation.mark(of: $1) }
  }

  /// Takes note that an effect was cancelled from outside.
  package mutating func cancel(_ id: EffectID, dropping: Int) -> [Step] {
    steps(of: schedule.cancel(.own(id), dropping: dropping), areLater: true)
  }

  private mutating func steps(of scheduled: [Schedule.Step], areLater: Bool) -> [Step] {
    var steps: [Step] = []
    for step in scheduled {
      switch step {
      case .run(.own(let id)): steps.append(.run(id, isLater: areLater))
      case .send(.own(let id)): steps.append(.send(id, isLater: areLater))
      case .cancel(.own(let id), let action, _): steps.append(.cancel(id, by: action))
      case .cancel(.added(let number, let seq), _, _):
        steps += self.steps(of: schedule.finish(.added(number, of: seq)), areLater: true)
        steps.append(.end(of: seq))
      case .cancelElsewhere(let id, let path):
        steps.append(.cancelElsewhere(Cancellation(id: id, path: path)))
      case .run(.added), .send(.added): break
      }
    }
    return steps
  }

  private mutating func plan(
    _ effects: [EffectDescription],
    of seq: Int,
    isCancelling: Bool = true
  ) -> Schedule.Plan {
    guard effects.count != 1 else { return plan(effects[0], of: seq, isCancelling: isCancelling) }
    return .merge(plans(effects, of: seq, isCancelling))
  }

  private mutating func plans(
    _ effects: [EffectDescription],
    of seq: Int,
    _ isCancelling: Bool
  ) -> [Schedule.Plan] {
    effects.map { plan($0, of: seq, isCancelling: isCancelling) }
  }

  private mutating func plan(
    _ effect: EffectDescription,
    of seq: Int,
    isCancelling: Bool
  ) -> Schedule.Plan {
    let inner: Schedule.Plan
    switch effect.operation {
    case .run:
      added += 1
      inner = .run(effect.id.map(Leaf.own) ?? .added(added, of: seq))
    case .send: inner = effect.id.map { .send(.own($0)) } ?? .none
    case .merge: inner = .merge(plans(effect.effects, of: seq, isCancelling))
    case .concatenate: inner = .concatenate(plans(effect.effects, of: seq, isCancelling))
    case .cancel:
      return effect.cancelID.map { .cancel(Self.key($0), path: Self.path($0)) } ?? .none
    }
    guard let id = effect.cancelID else { return inner }
    return .cancellable(
      Self.key(id),
      path: Self.path(id),
      cancelInFlight: effect.cancelInFlight && isCancelling,
      inner
    )
  }

  private static func key(_ id: EffectDescription.CancelID) -> Hashed<CancelKey> {
    Hashed(CancelKey(type: id.type, value: id.value))
  }

  private static func path(_ id: EffectDescription.CancelID) -> [Hashed<JSON>] {
    id.path.map { Hashed($0) }
  }
}

extension EffectDescription {
  /// The action that returned it, of an effect that is alive at a checkpoint.
  package func action(at checkpoint: LogEvent.Checkpoint) -> Int {
    flattened.lazy.compactMap(\.id).first?.seq ?? checkpoint.seq
  }
}
