import Synchronization

/// The effects of one root store: their schedule, their tasks, and who waits for them.
///
/// Starting and finishing happen on the main actor. A cancellation may come from any thread: it
/// takes hold of the tasks at once, and observers hear of it before anything else happens on the
/// main actor. They hear of cancellations and of what an action starts or an effect's end brings
/// about in the order in which the schedule, under its lock, took these in: a replay drives a
/// schedule of its own with what they heard.
final class EffectRegistry: Sendable {
  typealias Schedule = EffectSchedule<Int, CancelKey, NavigationID>

  /// For cancellation ids that are used outside of all stores; each test has its own.
  static var outsideStores: EffectRegistry { DependencyValues._current[OutsideStores.self] }

  let contents = Mutex(Contents())
  let hasUntold = Atomic(false)

  /// Whether neither effects nor anything about them is left.
  var isEmpty: Bool {
    contents.withLock {
      $0.schedule.isEmpty && $0.leaves.isEmpty && $0.actions.isEmpty && $0.groups.isEmpty
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
  /// Gives a plan to the schedule, and tells of the cancellations before it.
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
    let (untold, steps, hasWork) = contents.withLock { contents in
      let untold = takeUntold(&contents)
      let (steps, hasWork) = contents.start(plan, of: stamp, in: group, leaves: leaves)
      note(steps, .action(stamp), &contents)
      return (untold, steps, hasWork)
    }
    untold.tell()
    return (steps, hasWork)
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

  /// Counts an action that an effect sends, and tells of the cancellations before it.
  func deliver(from leaf: Int) -> Delivery {
    let (untold, delivery) = contents.withLock { contents -> ([Untold], Delivery) in
      let untold = takeUntold(&contents)
      guard contents.schedule.isRunning(leaf) else { return (untold, .late) }
      guard contents.schedule.isAlive(leaf) else { return (untold, .dropped) }
      contents.leaves[leaf]?.sent += 1
      return (untold, .delivered)
    }
    untold.tell()
    return delivery
  }

  /// Takes note that the operation of a leaf has returned, and tells of it and of the
  /// cancellations before it.
  ///
  /// - Returns: What is to be done, nil when the leaf is not known.
  func finish(_ id: Int, error: (any Error)? = nil) -> End? {
    let (untold, end) = contents.withLock { contents -> ([Untold], End?) in
      let untold = takeUntold(&contents)
      let stamp = contents.leaves[id].flatMap { contents.actions[$0.action]?.stamp }
      let end = contents.finish(id)
      if let end, let stamp { note(end.steps, .action(stamp), &contents) }
      return (untold, end)
    }
    untold.tell()
    if let end {
      end.leaf.tags.tell(error.map { .failed($0) } ?? .finished(sent: end.leaf.sent))
    }
    return end
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

private enum OutsideStores: DependencyKey {
  static var liveValue: EffectRegistry { EffectRegistry() }
  static var testValue: EffectRegistry { EffectRegistry() }
}
