import Synchronization

/// The effects of one root store: their schedule, their tasks, and the callers that wait for them.
///
/// Effects start and finish on the main actor. A cancellation may come from any thread. It cancels the tasks at once,
/// and observers are notified before any other event on the main actor. Observers receive cancellations, starts and
/// ends in the order in which the schedule processed them under its lock, because a replay drives its own schedule with
/// these events.
final class EffectRegistry: Sendable {
  typealias Schedule = EffectSchedule<Int, CancelKey, NavigationID>

  /// The registry of cancellation ids that are used outside of all stores; each test has its own.
  static var outsideStores: EffectRegistry { DependencyValues._current[OutsideStores.self] }

  private let contents = Mutex(RegistryState())
  /// Whether `aliases` is set, which maps the ids in code to ids of running effects.
  private let hasAliases = Atomic(false)
  /// Whether the tasks that `send` returned ignore cancellation.
  private let isIgnoringTasks = Atomic(false)
  private let aliases = Mutex<(@Sendable (CancelID) -> CancelID?)?>(nil)
  /// Whether any cancellation is not yet reported to observers.
  private let hasUnreported = Atomic(false)
  /// A function that schedules a call of `reportCancellations` on the main actor, in case no other event reports them.
  private let scheduleReport: @Sendable (EffectRegistry) -> Void

  init(
    scheduleReport: @escaping @Sendable (EffectRegistry) -> Void = { registry in
      Task { @MainActor in registry.reportCancellations() }
    }
  ) {
    self.scheduleReport = scheduleReport
  }

  /// Whether the registry contains no effects and no data about earlier ones.
  var isEmpty: Bool {
    contents.withLock {
      $0.schedule.isEmpty && $0.leaves.isEmpty && $0.actions.isEmpty && $0.groups.isEmpty
    }
  }

  /// Returns a new id for a leaf.
  func nextLeaf() -> Int {
    contents.withLock {
      $0.lastLeaf += 1
      return $0.lastLeaf
    }
  }
}

// MARK: - Starting and finishing

extension EffectRegistry {
  /// Schedules a plan, and reports the cancellations before it.
  ///
  /// - Parameters:
  ///   - plan: The plan of an action's effect.
  ///   - stamp: The action.
  ///   - group: The number of the external `send` that led to the action.
  ///   - leaves: The leaves of the plan.
  /// - Returns: The steps to perform, and whether the action has unfinished work after them.
  func start(
    _ plan: Schedule.Plan,
    of stamp: ActionStamp,
    in group: Int,
    leaves: [Int: Leaf]
  ) -> (steps: [Schedule.EffectCommand], hasWork: Bool) {
    let (unreported, steps, hasWork) = contents.withLock { contents in
      let unreported = takeUnreported(&contents)
      let (steps, hasWork) = contents.start(plan, of: stamp, in: group, leaves: leaves)
      queueCancellations(steps, .action(stamp), &contents)
      return (unreported, steps, hasWork)
    }
    unreported.report()
    return (steps, hasWork)
  }

  /// Stores the function that cancels a leaf's task, and calls it if the leaf is already cancelled.
  func attach(_ leaf: Int, cancelTask: @escaping @Sendable () -> Void) {
    let isCancelled = contents.withLock { contents in
      contents.leaves[leaf]?.cancelTask = cancelTask
      return contents.schedule.isRunning(leaf) && !contents.schedule.isAlive(leaf)
    }
    if isCancelled { cancelTask() }
  }

  /// The handling of an action that an effect sends.
  enum Delivery {
    /// The effect is alive, so the action is handled.
    case delivered
    /// The effect was cancelled, so the action is dropped.
    case dropped
    /// The operation has already returned, which is an issue; the action is handled.
    case late
  }

  /// Counts an action that an effect sends, and reports the cancellations before it.
  func deliver(from leaf: Int) -> Delivery {
    let (unreported, delivery) = contents.withLock { contents -> ([EffectCancellation], Delivery) in
      let unreported = takeUnreported(&contents)
      guard contents.schedule.isRunning(leaf) else { return (unreported, .late) }
      guard contents.schedule.isAlive(leaf) else { return (unreported, .dropped) }
      contents.leaves[leaf]?.sent += 1
      return (unreported, .delivered)
    }
    unreported.report()
    return delivery
  }

  /// Removes a leaf whose operation has returned.
  ///
  /// Reports this to observers, after the cancellations before it.
  ///
  /// - Returns: The consequences; `nil` if the leaf is unknown.
  func finish(_ id: Int, error: (any Error)? = nil) -> LeafEnd? {
    let (unreported, end) = contents.withLock { contents -> ([EffectCancellation], LeafEnd?) in
      let unreported = takeUnreported(&contents)
      let stamp = contents.leaves[id].flatMap { contents.actions[$0.action]?.stamp }
      let end = contents.finish(id)
      if let end, let stamp { queueCancellations(end.steps, .action(stamp), &contents) }
      return (unreported, end)
    }
    unreported.report()
    if let end {
      end.leaf.tags.notify(error.map { .failed($0) } ?? .finished(sent: end.leaf.sent))
    }
    return end
  }

  /// Removes a group that has no unfinished work, after all steps have been performed.
  func removeIfFinished(_ group: Int) {
    let waiters = contents.withLock { contents -> [CheckedContinuation<Void, Never>] in
      guard let found = contents.groups[group], found.actions.isEmpty else { return [] }
      contents.groups[group] = nil
      return found.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Returns the handle of a group, if it has work.
  func work(of group: Int) -> StoreTask.Work? {
    contents.withLock { $0.groups[group]?.task }
  }

  /// Waits until a group has no unfinished work.
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

// MARK: - Cancelling

extension EffectRegistry {
  /// Cancels the effects with an id.
  func cancel(_ id: CancelID, cause: CancelCause) {
    let alias = alias(of: id)
    cancel(cause: cause) { contents in
      let other = alias.map { contents.schedule.cancel($0.key, path: $0.path) } ?? []
      return other + contents.schedule.cancel(id.key, path: id.path)
    }
  }

  /// Sets a function that maps a cancelled id to another id, whose effects are cancelled too.
  ///
  /// - Parameter alias: Returns the other id, or `nil` if there is none.
  func setAlias(_ alias: @escaping @Sendable (CancelID) -> CancelID?) {
    aliases.withLock { $0 = alias }
    hasAliases.store(true, ordering: .releasing)
  }

  /// Returns the other id whose effects an id also cancels.
  func alias(of id: CancelID) -> CancelID? {
    guard hasAliases.load(ordering: .acquiring) else { return nil }
    // The function calls code of the app to describe the id, so it runs outside of the lock.
    return aliases.withLock { $0 }?(id)
  }

  /// Sets whether the tasks that `send` returned ignore cancellation.
  ///
  /// While a store shows past states, views appear and disappear with them. Their tasks must not cancel effects of the
  /// present.
  func ignoresTasks(_ isIgnoring: Bool) { isIgnoringTasks.store(isIgnoring, ordering: .releasing) }

  /// Cancels all effects that one `send` started, directly or indirectly.
  func cancel(group: Int) {
    guard !isIgnoringTasks.load(ordering: .acquiring) else { return }
    contents.withLock { $0.groups[group]?.task }?.markCancelled()
    cancel(cause: .task) { contents in
      contents.schedule.cancel(actions: contents.groups[group]?.actions.sorted() ?? [])
    }
  }

  /// Cancels all effects and reports it immediately.
  func cancelAll() {
    cancel(cause: .other, reportsLater: false) { $0.schedule.cancelAll() }
    reportCancellations()
  }

  /// Cancels all effects of a released store and reports it immediately.
  func close() {
    cancel(cause: .store, reportsLater: false) { $0.schedule.cancelAll() }
    reportCancellations()
  }

  /// Cancels the task of a leaf after the schedule has cancelled the leaf.
  func cancelTask(of leaf: Int) {
    contents.withLock { $0.leaves[leaf]?.cancelTask }?()
  }

  private func cancel(
    cause: CancelCause,
    reportsLater: Bool = true,
    _ change: (inout RegistryState) -> [Schedule.EffectCommand]
  ) {
    let (tasks, hasObservers) = contents.withLock { contents in
      let steps = change(&contents)
      let tasks = steps.compactMap { step in
        if case .cancel(let leaf, _, _) = step { contents.leaves[leaf]?.cancelTask } else { nil }
      }
      return (tasks, queueCancellations(steps, cause, &contents))
    }
    // Runs outside of the lock, because a task's cancellation handlers are code of the app.
    for cancelTask in tasks { cancelTask() }
    if hasObservers && reportsLater {
      // The next event on the main actor usually reports the cancellation. The scheduled report covers the case without
      // one.
      scheduleReport(self)
    }
  }

  /// Stores the cancellations among some steps, for a report in the same order.
  ///
  /// - Returns: Whether any cancelled effect has observers.
  @discardableResult
  private func queueCancellations(
    _ steps: [Schedule.EffectCommand],
    _ cause: CancelCause,
    _ contents: inout RegistryState
  ) -> Bool {
    let before = contents.unreported.count
    for case .cancel(let leaf, _, let dropping) in steps {
      guard let tags = contents.leaves[leaf]?.tags, !tags.isEmpty else { continue }
      contents.unreported.append(EffectCancellation(tags: tags, cause: cause, dropping: dropping))
    }
    guard contents.unreported.count > before else { return false }
    hasUnreported.store(true, ordering: .releasing)
    return true
  }

  /// Removes and returns the cancellations that are not yet reported.
  private func takeUnreported(_ contents: inout RegistryState) -> [EffectCancellation] {
    guard hasUnreported.exchange(false, ordering: .acquiringAndReleasing) else { return [] }
    defer { contents.unreported = [] }
    return contents.unreported
  }

  /// Reports the pending cancellations to observers.
  func reportCancellations() {
    guard hasUnreported.load(ordering: .acquiring) else { return }
    contents.withLock { takeUnreported(&$0) }.report()
  }
}

extension [EffectRegistry.EffectCancellation] {
  /// Notifies the observers of each effect, in the order in which the cancellations took effect.
  fileprivate func report() {
    for cancellation in self {
      cancellation.tags.notify(.cancelled(cancellation.cause, dropping: cancellation.dropping))
    }
  }
}

extension [EffectTag] {
  /// Notifies all observers of an effect.
  func notify(_ event: EffectLifecycle) {
    for tag in self { tag.observer.effect(tag.id, didChange: event) }
  }
}

// MARK: - Running effects

extension EffectRegistry {
  /// An action with unfinished effects.
  struct RunningAction {
    let number: Int
    let group: Int
    /// The action's running effects.
    var effects: [RunningEffect]
  }

  /// An effect that runs, or that waits for another one.
  struct RunningEffect {
    /// The name that the feature assigned.
    let name: String?
    /// The source location that created the effect.
    let location: IssueLocation
  }

  /// The actions with running effects, in the order in which the effects started.
  ///
  /// Effects that the library created for its own use don't count. Cancelled effects don't count either, unless another
  /// effect is to start after them.
  var running: [RunningAction] {
    contents.withLock { contents in
      var actions: [RunningAction] = []
      for id in contents.schedule.pending {
        guard let leaf = contents.leaves[id], !leaf.isInternal else { continue }
        let effects = leaf.location.map { [RunningEffect(name: leaf.name, location: $0)] } ?? []
        if let index = actions.firstIndex(where: { $0.number == leaf.action }) {
          actions[index].effects += effects
        } else {
          actions.append(RunningAction(number: leaf.action, group: leaf.group, effects: effects))
        }
      }
      return actions
    }
  }

  /// The observed effects that have not ended, sorted by number.
  ///
  /// Includes cancelled and waiting effects.
  var unfinished: [EffectID] {
    contents.withLock { contents in
      let waiting = Set(contents.schedule.waiting)
      return contents.leaves.keys.sorted().compactMap { id in
        guard contents.schedule.isRunning(id) || waiting.contains(id) else { return nil }
        return contents.leaves[id]?.tags.first?.id
      }
    }
  }

  /// The number of the app's operations that have started and not returned.
  var operationCount: Int {
    contents.withLock { $0.leaves.values.count { !$0.isInternal && $0.cancelTask != nil } }
  }

  /// Returns whether a group has no unfinished work.
  func isIdle(_ group: Int) -> Bool {
    contents.withLock { $0.groups[group] == nil }
  }
}

// MARK: - Work outside of actions

extension EffectRegistry {
  /// Registers an operation with an id of its own, which belongs to no action or runs inside an effect.
  ///
  /// The caller starts its task afterwards and passes it to `attach`.
  ///
  /// - Parameters:
  ///   - id: The cancellation id.
  ///   - cancelInFlight: Whether to cancel the effects and operations with the id, in the same step.
  ///   - cause: The cause of that cancellation.
  /// - Returns: The id of the leaf, and a stamp that replaces an action's. Its number is also the group's.
  func start(
    under id: CancelID,
    cancelInFlight: Bool = false,
    cause: CancelCause = .other
  ) -> (leaf: Int, stamp: ActionStamp) {
    let leaf = nextLeaf()
    // Negative, because actions count from 1.
    let stamp = ActionStamp(number: -leaf, origin: .view)
    let plan = Schedule.Plan.cancellable(
      id.key,
      path: id.path,
      cancelInFlight: cancelInFlight,
      .run(leaf)
    )
    let info = Leaf(tags: [], action: -leaf, group: -leaf, isInternal: true)
    let alias = cancelInFlight ? alias(of: id) : nil
    cancel(cause: cause) { contents in
      let other = alias.map { contents.schedule.cancel($0.key, path: $0.path) } ?? []
      return other + contents.start(plan, of: stamp, in: -leaf, leaves: [leaf: info]).steps
    }
    return (leaf, stamp)
  }

  func finishOutsideOfActions(_ leaf: Int) {
    contents.withLock { _ = $0.finish(leaf) }
    removeIfFinished(-leaf)
  }

  /// Removes a leaf whose operation has returned after its store was released.
  func finishWithoutStore(_ id: Int) {
    guard let end = finish(id) else { return }
    removeIfFinished(end.leaf.group)
  }
}

private enum OutsideStores: DependencyKey {
  static var liveValue: EffectRegistry { EffectRegistry() }
  static var testValue: EffectRegistry { EffectRegistry() }
}
