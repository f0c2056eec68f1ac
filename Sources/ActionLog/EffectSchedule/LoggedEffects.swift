/// The effects in a log, which are scheduled but never run.
///
/// The `EffectSchedule` of live stores decides which effects start, end, and are canceled.
///
/// If the code that returned the effects is running, cancellation compares the ids themselves. Otherwise, it compares
/// the descriptions of the ids.
package struct LoggedEffects: Sendable {
  private typealias Schedule = EffectSchedule<Leaf, CancelIDTable.IDKey, CancelIDTable.ElementKey>

  /// An effect of the feature, or an effect that the library added.
  ///
  /// A library effect has no id in the log.
  package enum Leaf: Hashable, Sendable {
    case own(EffectID)
    /// A library effect: a number that is unique among the action's effects, and the action's number.
    case added(Int, of: Int)

    /// The number of the action that returned the effect.
    fileprivate var seq: Int {
      switch self {
      case .own(let id): id.seq
      case .added(_, let seq): seq
      }
    }
  }

  /// A result of an action, or of the end or cancellation of an effect.
  package enum EffectTransition: Sendable {
    /// An effect runs.
    ///
    /// - Parameter isLater: Whether the effect waited for the end of another one.
    case run(EffectID, isLater: Bool)
    /// An effect sends its action.
    ///
    /// - Parameter isLater: Whether the effect waited for the end of another one.
    case send(EffectID, isLater: Bool)
    /// An effect was canceled.
    ///
    /// - Parameter by: The number of the action whose plan canceled the effect, or `nil` if a call did.
    case cancel(EffectID, by: Int?)
    /// A library effect of an action was canceled and ended.
    ///
    /// The log has no event for this end.
    case end(of: Int)
    /// A plan cancels effects that other instances may contain.
    case cancelElsewhere(Cancellation)
  }

  /// A cancellation of effects by their id, at a path and below it.
  package struct Cancellation: Hashable, Sendable {
    fileprivate let key: CancelIDTable.IDKey
    fileprivate let path: [CancelIDTable.ElementKey]
    /// The description of the id.
    ///
    /// Identifies the id in other instances, which can store it under another key.
    fileprivate let id: EffectDescription.CancelID

    package static func == (lhs: Self, rhs: Self) -> Bool {
      lhs.key == rhs.key && lhs.path == rhs.path
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(key) }

    /// A mask with one bit for the id, or with all bits for an id that only a log describes.
    ///
    /// An instance whose `cancellationMarks` have none of these bits has no effects that can be canceled under the id.
    package var mark: UInt64 { key.mark }
  }

  private var schedule: Schedule
  private var ids = CancelIDTable()
  /// The cancellations by plans that other instances have to carry out, too.
  private var cancelled: Set<Cancellation> = []
  private let isOneOfSeveral: Bool
  /// The number of `run` effects since the last call of `start(_:of:)`, from which library effects get their numbers.
  private var added = 0

  /// Creates an instance without effects.
  ///
  /// - Parameter areOneOfSeveral: Whether the owner has other instances, whose effects the plans of this one can
  ///   cancel.
  package init(areOneOfSeveral: Bool = false) {
    isOneOfSeveral = areOneOfSeveral
    schedule = Schedule(isOneOfSeveral: areOneOfSeveral, tellsReleases: true)
  }
}

extension LoggedEffects {
  /// The effects that run and are not canceled, in the order in which they started.
  package var alive: [Leaf] { schedule.alive }

  /// The running effects that are not canceled or that have effects waiting for them.
  package var pending: [Leaf] { schedule.pending }

  /// The effects that wait for earlier effects to end.
  package var waiting: [EffectID] {
    schedule.waiting.compactMap { if case .own(let id) = $0 { id } else { nil } }
  }

  /// Returns how many parts of each concatenation around a running effect have not started, outermost first.
  package func waitingParts(around id: EffectID) -> [Int] {
    schedule.waitingParts(around: .own(id))
  }

  /// Whether an effect runs and is not canceled.
  package func isAlive(_ id: EffectID) -> Bool { schedule.isAlive(.own(id)) }

  /// Whether an effect's operation has started and not returned, even if the effect is canceled.
  package func isRunning(_ id: EffectID) -> Bool { schedule.isRunning(.own(id)) }

  /// Calls a function with each running effect and whether the effect is canceled, in no particular order.
  package func forEachRunning(_ body: (Leaf, _ isCancelled: Bool) -> Void) {
    schedule.forEachRunning(body)
  }

  /// The number of plan nodes that have started and not ended.
  package var count: Int { schedule.count }

  /// A hash of the contents on which later transitions depend, except the order in which effects started.
  package var scheduleHash: Int { schedule.standingHash }

  /// Whether an action has effects that run or wait.
  package func hasWork(of seq: Int) -> Bool { schedule.hasWork(of: seq) }
}

extension LoggedEffects {
  /// Starts the effects that an action returned.
  package mutating func start(_ effects: [EffectDescription], of seq: Int) -> [EffectTransition] {
    added = 0
    let plan = plan(effects, of: seq)
    ids.forgetCancelled()
    return steps(of: schedule.start(plan, of: seq), areLater: false)
  }

  /// Starts an effect that is alive at a checkpoint, without canceling effects in flight.
  ///
  /// Parts of a concatenation that still wait cancel effects in flight when they start.
  package mutating func resume(
    _ effect: EffectDescription,
    at checkpoint: LogEvent.Checkpoint
  ) -> [EffectTransition] {
    let seq = effect.action(at: checkpoint)
    let plan = plan(effect, of: seq, isCancelling: false)
    let steps = steps(of: schedule.start(plan, of: seq), areLater: false)
    for leaf in effect.flattened where leaf.isCancelled {
      if let id = leaf.id { _ = schedule.cancel(.own(id)) }
    }
    releaseIDs()
    return steps
  }

  /// Records that the operation of an effect has returned.
  package mutating func finish(_ id: EffectID) -> [EffectTransition] {
    steps(of: schedule.finish(.own(id)), areLater: true)
  }

  /// Carries out cancellations by a plan of another instance.
  ///
  /// Cancels all effects before any later effect starts.
  ///
  /// - Returns: The transitions that result from each cancellation.
  package mutating func cancel(_ cancellations: [Cancellation]) -> [[EffectTransition]] {
    let scheduled = cancellations.map {
      schedule.cancel(ids.key(of: $0.id), path: ids.path(of: $0.id))
    }
    return scheduled.map { steps(of: $0, areLater: true) }
  }

  /// The union of the marks of all ids under which effects can be canceled.
  package var cancellationMarks: UInt64 {
    schedule.cancellableIDs.reduce(0) { $0 | $1.mark }
  }

  /// Records that a call canceled an effect.
  ///
  /// Also drops the later parts of the `dropping` innermost concatenations around the effect.
  package mutating func cancel(_ id: EffectID, dropping: Int) -> [EffectTransition] {
    steps(of: schedule.cancel(.own(id), dropping: dropping), areLater: true)
  }

  private mutating func steps(
    of scheduled: [Schedule.EffectCommand],
    areLater: Bool
  ) -> [EffectTransition] {
    var steps: [EffectTransition] = []
    for step in scheduled {
      switch step {
      case .run(.own(let id)): steps.append(.run(id, isLater: areLater))
      case .send(.own(let id)): steps.append(.send(id, isLater: areLater))
      case .cancel(.own(let id), let action, _): steps.append(.cancel(id, by: action))
      case .cancel(.added(let number, let seq), _, _):
        steps += self.steps(of: schedule.finish(.added(number, of: seq)), areLater: true)
        steps.append(.end(of: seq))
      case .cancelElsewhere(let id, let path):
        let unknown = EffectDescription.CancelID(type: "", value: .null)
        let same = cancelled.firstIndex(of: Cancellation(key: id, path: path, id: unknown))
        if let same { steps.append(.cancelElsewhere(cancelled[same])) }
      case .run(.added), .send(.added): break
      }
    }
    releaseIDs()
    return steps
  }

  /// Removes the names of ids under which no effect can be canceled anymore.
  private mutating func releaseIDs() {
    for (id, path) in schedule.consumeReleased() { ids.release(id, path) }
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
    case .concatenate:
      var isWaiting = false
      let parts = effect.effects.map { part in
        defer { isWaiting = isWaiting || part.hasOperation }
        return plan(part, of: seq, isCancelling: isCancelling || isWaiting)
      }
      inner = .concatenate(parts)
    case .cancel:
      guard let id = effect.cancelID else { return .none }
      let (key, path) = cancelled(id)
      // Keeps the id's number while the cancellation waits in a concatenation.
      ids.retain(id, key, path)
      return .cancel(key, path: path)
    }
    guard let id = effect.cancelID else { return inner }
    let cancelInFlight = effect.cancelInFlight && isCancelling
    let (key, path) = cancelInFlight ? cancelled(id) : (ids.key(of: id), ids.path(of: id))
    ids.retain(id, key, path)
    return .cancellable(key, path: path, cancelInFlight: cancelInFlight, inner)
  }

  /// Returns the key and path of an id under which a plan cancels, and records the cancellation for other instances.
  private mutating func cancelled(
    _ id: EffectDescription.CancelID
  ) -> (CancelIDTable.IDKey, [CancelIDTable.ElementKey]) {
    let (key, path) = (ids.key(of: id), ids.path(of: id))
    if isOneOfSeveral { cancelled.insert(Cancellation(key: key, path: path, id: id)) }
    return (key, path)
  }
}

extension LoggedEffects {
  /// Gives the cancellation ids of effects their names in the log, before the effects start.
  ///
  /// - Parameters:
  ///   - effects: The effects that an action returned.
  ///   - recorded: The action's effects in the recording that is replayed, if any. Their numbers are reused where
  ///     possible.
  ///   - start: The number of the last action before the replay.
  /// - Returns: The effects. Library effects are omitted if the recording has a different number of them. Recorded
  ///   cancellations for children that only the actions before `start` have seen are added.
  package mutating func named(
    _ effects: [EffectDescription],
    like recorded: [EffectDescription]? = nil,
    after start: Int = 0
  ) -> [EffectDescription] {
    let named = ids.named(effects, like: recorded)
    guard start > 0, let recorded else { return named }
    return named + cancellations(of: recorded, besides: named, ofEffectsUpTo: start)
  }

  /// Returns the recorded cancellations by the library that end only effects of actions up to `start`, and that the
  /// replay lacks.
  ///
  /// An operator notices the removal of its child at its next action. If the replay starts between the two, its operator
  /// has never seen the child.
  private mutating func cancellations(
    of recorded: [EffectDescription],
    besides own: [EffectDescription],
    ofEffectsUpTo start: Int
  ) -> [EffectDescription] {
    let cancellations = recorded.libraryCancellations
    guard !cancellations.isEmpty else { return [] }
    let known = own.libraryCancellations.compactMap(\.cancelID?.spelling)
    var missed: [EffectDescription] = []
    for cancellation in cancellations {
      guard let id = cancellation.cancelID, !known.contains(id.spelling) else { continue }
      let ended = schedule.alive(under: ids.key(of: id), path: ids.path(of: id))
      if !ended.isEmpty, ended.allSatisfy({ $0.seq <= start }) { missed.append(cancellation) }
    }
    return missed
  }

  /// Adds the running code's ids to effect descriptions from a log, if the code has named these ids.
  package func identified(_ effects: [EffectDescription]) -> [EffectDescription] {
    var identities: [Int: CancelID] = [:]
    forEachID(in: effects) { index, _, key, path in
      identities[index] = ids.identity(of: key, path)
    }
    guard !identities.isEmpty else { return effects }
    var index = -1
    func identified(_ effect: EffectDescription) -> EffectDescription {
      var effect = effect
      if effect.cancelID != nil {
        index += 1
        effect.cancelID?.identity = identities[index]
      }
      effect.effects = effect.effects.map(identified)
      return effect
    }
    return effects.map(identified)
  }

  /// Adopts the names in a checkpoint, which renumbers the ids of its effects.
  ///
  /// - Parameter effects: The effects that the checkpoint lists.
  package mutating func adoptNumbers(of effects: [EffectDescription]) {
    var ids = ids
    ids.removeNames()
    forEachID(in: effects) { _, id, key, path in
      if path.count == id.path.count { ids.setNames(of: id, key, path) }
    }
    self.ids = ids
  }

  /// Calls a function with each id in the descriptions of unfinished effects that can still be canceled under or that
  /// still cancels.
  ///
  /// - Parameters:
  ///   - effects: The descriptions at a checkpoint.
  ///   - body: Called with the index of the id among those of `effects`, in the order of the effect trees, the id, and
  ///     the table's keys of the id and its path.
  private func forEachID(
    in effects: [EffectDescription],
    _ body: (Int, EffectDescription.CancelID, CancelIDTable.IDKey, [CancelIDTable.ElementKey]) ->
      Void
  ) {
    let described = effects.flatMap(\.flattened).compactMap(\.cancelID)
    guard !described.isEmpty else { return }
    let surrounding = Self.surroundingIDs(in: effects)
    schedule.forEachSurroundingIDs { leaf, ids in
      guard case .own(let id) = leaf, let indices = surrounding[id], indices.count == ids.count
      else { return }
      for case (let index, let key?) in zip(indices, ids) {
        body(index, described[index], key.id, key.path)
      }
    }
  }

  /// Returns, for each effect, the indices of the ids around it and of those in the parts that wait for it, outermost
  /// first.
  ///
  /// The indices count the ids in the order of the effect trees.
  private static func surroundingIDs(in effects: [EffectDescription]) -> [EffectID: [Int]] {
    var surrounding: [EffectID: [Int]] = [:]
    var count = 0
    func register(_ effect: EffectDescription, _ around: [Int]) {
      var around = around
      if effect.cancelID != nil {
        around.append(count)
        count += 1
      }
      if let id = effect.id { surrounding[id] = around }
      guard effect.operation == .concatenate else {
        for part in effect.effects { register(part, around) }
        return
      }
      let counts = effect.effects.map { $0.flattened.count { $0.cancelID != nil } }
      let end = count + counts.reduce(0, +)
      for (part, own) in zip(effect.effects, counts) {
        register(part, around + Array((count + own)..<end))
      }
    }
    for effect in effects { register(effect, []) }
    return surrounding
  }
}

extension EffectDescription {
  /// Whether the effect contains an operation.
  ///
  /// At a checkpoint, the parts of a concatenation after the first one with an operation wait for this operation.
  package var hasOperation: Bool { flattened.contains { $0.operation == .run } }

  /// Returns the number of the action that returned this effect.
  ///
  /// The effect must be alive at `checkpoint`.
  package func action(at checkpoint: LogEvent.Checkpoint) -> Int {
    flattened.lazy.compactMap(\.id).first?.seq ?? checkpoint.seq
  }
}
