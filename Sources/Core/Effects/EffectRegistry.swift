import Synchronization

/// The effects of one root store: their schedule, their tasks, and who waits for them.
///
/// Starting and finishing happen on the main actor. A cancellation may come from any thread: it
/// takes hold of the tasks at once, and observers hear of it before anything else happens on the
/// main actor.
final class EffectRegistry: Sendable {
  typealias Schedule = EffectSchedule<Int, CancelKey, NavigationID>

  /// For cancellation ids that are used outside of all stores.
  static let outsideStores = EffectRegistry()

  /// A leaf that was given to the schedule and has not ended.
  struct Leaf: Sendable {
    let tags: [EffectTag]
    let action: Int
    let group: Int
    var cancelTask: (@Sendable () -> Void)?
    var sent = 0
  }

  /// The work that goes back to one `send` from outside.
  struct Group: Sendable {
    let task = StoreTask.Work()
    var actions: Set<Int> = []
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  struct Contents: Sendable {
    var schedule = Schedule()
    var leaves: [Int: Leaf] = [:]
    /// The actions that still have work.
    var stamps: [Int: ActionStamp] = [:]
    var groups: [Int: Group] = [:]
    var untold: [(tags: [EffectTag], cause: CancelCause)] = []
    var lastLeaf = 0
  }

  let contents = Mutex(Contents())
  let hasUntold = Atomic(false)

  /// Whether neither effects nor anything about them is left.
  var isEmpty: Bool {
    contents.withLock {
      $0.schedule.isEmpty && $0.leaves.isEmpty && $0.stamps.isEmpty && $0.groups.isEmpty
    }
  }

  /// A name for a leaf.
  func nextLeaf() -> Int {
    contents.withLock {
      $0.lastLeaf += 1
      return $0.lastLeaf
    }
  }
}

// MARK: - Starting and finishing

extension EffectRegistry {
  /// Gives a plan to the schedule.
  ///
  /// - Parameters:
  ///   - plan: The plan of an action's effect.
  ///   - stamp: The action.
  ///   - group: The `send` that it all goes back to.
  ///   - leaves: The leaves of the plan.
  /// - Returns: The steps to carry out, and whether something is left to be done after them.
  func start(
    _ plan: Schedule.Plan,
    of stamp: ActionStamp,
    in group: Int,
    leaves: [Int: Leaf]
  ) -> (steps: [Schedule.Step], hasWork: Bool) {
    contents.withLock { contents in
      let steps = contents.schedule.start(plan, of: stamp.number)
      guard contents.schedule.hasWork(of: stamp.number) else { return (steps, false) }
      contents.leaves.merge(leaves) { $1 }
      contents.stamps[stamp.number] = stamp
      contents.groups[group, default: Group()].actions.insert(stamp.number)
      return (steps, true)
    }
  }

  /// Hands over the task of a leaf, so that it can be cancelled.
  func attach(_ leaf: Int, cancelTask: @escaping @Sendable () -> Void) {
    let isCancelled = contents.withLock { contents in
      contents.leaves[leaf]?.cancelTask = cancelTask
      return contents.schedule.isRunning(leaf) && !contents.schedule.isAlive(leaf)
    }
    if isCancelled { cancelTask() }
  }

  /// What becomes of an action that an effect sends.
  enum Delivery {
    /// The effect is alive.
    case delivered
    /// It was cancelled, so the action is dropped.
    case dropped
    /// Its operation has returned.
    case late
  }

  /// Counts an action that an effect sends.
  func deliver(from leaf: Int) -> Delivery {
    contents.withLock { contents in
      guard contents.schedule.isRunning(leaf) else { return .late }
      guard contents.schedule.isAlive(leaf) else { return .dropped }
      contents.leaves[leaf]?.sent += 1
      return .delivered
    }
  }

  /// Takes note that the operation of a leaf has returned.
  ///
  /// - Returns: What was known of the leaf, the steps to carry out, and whether its action has
  ///   ended with it.
  func finish(_ id: Int) -> (leaf: Leaf, steps: [Schedule.Step], actionEnded: Bool)? {
    contents.withLock { contents in
      guard let leaf = contents.leaves.removeValue(forKey: id) else { return nil }
      let steps = contents.schedule.finish(id)
      let actionEnded = !contents.schedule.hasWork(of: leaf.action)
      if actionEnded {
        contents.stamps[leaf.action] = nil
        contents.leaves = contents.leaves.filter { $0.value.action != leaf.action }
        contents.groups[leaf.group]?.actions.remove(leaf.action)
      }
      return (leaf, steps, actionEnded)
    }
  }

  /// Lets go of a group if nothing of it is left, after all steps have been carried out.
  func settle(_ group: Int) {
    let waiters = contents.withLock { contents -> [CheckedContinuation<Void, Never>] in
      guard let found = contents.groups[group], found.actions.isEmpty else { return [] }
      contents.groups[group] = nil
      return found.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  /// The handle of a group that has work.
  func work(of group: Int) -> StoreTask.Work? {
    contents.withLock { $0.groups[group]?.task }
  }

  /// Waits until nothing of a group is left.
  func waitUntilIdle(_ group: Int) async {
    await withCheckedContinuation { continuation in
      let isIdle = contents.withLock { contents in
        contents.groups[group]?.waiters.append(continuation)
        return contents.groups[group] == nil
      }
      if isIdle { continuation.resume() }
    }
  }
}
