import Synchronization

/// The effects of one root store: their schedule, their tasks, and the callers that wait for them.
///
/// Effects start and finish on the main actor. A cancellation can come from any thread. It immediately cancels tasks,
/// and observers are notified before any other event on the main actor. Observers receive cancellations, starts, and
/// ends in the order in which the schedule processed them under its lock, because a replay drives its own schedule with
/// these events.
final class EffectRegistry: Sendable {
  typealias Schedule = EffectSchedule<Int, CancelKey, NavigationID>

  /// The registry of operations that run outside of all stores, with one registry for each test.
  static var outsideStores: EffectRegistry {
    DependencyValues._current[StorelessEffectRegistryKey.self]
  }

  private let contents = Mutex(RegistryState())
  /// Whether `aliases` contains a function, read before the lock of `aliases` is taken.
  private let hasAliases = Atomic(false)
  /// Whether canceling a task that `send` returned has no effect.
  private let isIgnoringTasks = Atomic(false)
  private let aliases = Mutex<(@Sendable (CancelID) -> CancelID?)?>(nil)
  /// Whether any cancellation has not been reported to observers.
  private let hasUnreported = Atomic(false)
  /// A function that schedules a call of `reportCancellations` on the main actor.
  ///
  /// The call reports the cancellations that no earlier event on the main actor has reported.
  private let scheduleReport: @Sendable (EffectRegistry) -> Void

  init(
    scheduleReport: @escaping @Sendable (EffectRegistry) -> Void = { registry in
      Task { @MainActor in registry.reportCancellations() }
    }
  ) {
    self.scheduleReport = scheduleReport
  }

  /// Whether the registry contains neither effects nor data of effects that have ended.
  var isEmpty: Bool {
    contents.withLock {
      $0.schedule.isEmpty && $0.leaves.isEmpty && $0.actions.isEmpty && $0.groups.isEmpty
    }
  }

  /// Returns a new id for a leaf, which is unique in the registry.
  func nextLeaf() -> Int {
    contents.withLock {
      $0.lastLeaf += 1
      return $0.lastLeaf
    }
  }
}

// MARK: - Starting and finishing

extension EffectRegistry {
  /// Schedules the plan of an action's effect, and reports the cancellations that were pending before.
  ///
  /// - Parameters:
  ///   - plan: The plan of an action's effect.
  ///   - stamp: The number and origin of the action.
  ///   - group: The number of the `send` call from outside the store that led to the action.
  ///   - leaves: The leaves of the plan, by id.
  /// - Returns: The steps to perform, and whether the action has unfinished work.
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

  /// Stores the function that cancels a leaf's task, and calls it immediately if the leaf is already canceled.
  func attach(_ leaf: Int, cancelTask: @escaping @Sendable () -> Void) {
    let isCancelled = contents.withLock { contents in
      contents.leaves[leaf]?.cancelTask = cancelTask
      return contents.schedule.isRunning(leaf) && !contents.schedule.isAlive(leaf)
    }
    if isCancelled { cancelTask() }
  }

  /// The decision about an action that an effect sends.
  enum DeliveryDecision {
    /// The effect is running, so the store handles the action.
    case delivered
    /// The effect was canceled, so the store drops the action.
    case dropped
    /// The operation has already returned, so the store reports an issue and handles the action.
    case late
  }

  /// Counts an action that a leaf sends, and reports the pending cancellations.
  ///
  /// - Returns: Whether the store handles the action, drops it, or also reports an issue.
  func deliver(from leaf: Int) -> DeliveryDecision {
    let (unreported, delivery) = contents.withLock {
      contents -> ([EffectCancellation], DeliveryDecision) in
      let unreported = takeUnreported(&contents)
      guard contents.schedule.isRunning(leaf) else { return (unreported, .late) }
      guard contents.schedule.isAlive(leaf) else { return (unreported, .dropped) }
      contents.leaves[leaf]?.sent += 1
      return (unreported, .delivered)
    }
    unreported.report()
    return delivery
  }

  /// Removes a leaf whose operation has returned, and notifies its observers.
  ///
  /// Pending cancellations are reported first.
  ///
  /// - Returns: The consequences of the leaf's end; `nil` if the leaf is unknown.
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

  /// Removes a group without unfinished work and resumes the callers that wait for it.
  ///
  /// Call this function after all steps have been performed.
  func removeIfFinished(_ group: Int) {
    let waiters = contents.withLock { contents -> [CheckedContinuation<Void, Never>] in
      guard let found = contents.groups[group], found.actions.isEmpty else { return [] }
      contents.groups[group] = nil
      return found.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Returns the cancellation state of a group, or `nil` if the group has no unfinished work.
  func cancellation(of group: Int) -> StoreTask.CancellationState? {
    contents.withLock { $0.groups[group]?.task }
  }

  /// Suspends until a group has no unfinished work.
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

// MARK: - Canceling

extension EffectRegistry {
  /// Cancels the running effects with an id and with its alias.
  func cancel(_ id: CancelID, cause: CancelCause) {
    let cancelled = cancelled(by: id)
    cancel(cause: cause) { contents in
      cancelled.flatMap { contents.schedule.cancel($0.key, path: $0.path) }
    }
  }

  /// Returns the ids whose effects a call with an id cancels: its alias, if it has one, and the id itself.
  private func cancelled(by id: CancelID) -> [CancelID] { [alias(of: id), id].compactMap(\.self) }

  /// Sets a function that returns the alias of a cancellation id.
  ///
  /// Canceling an id also cancels the effects with its alias.
  ///
  /// - Parameter alias: A function that returns the alias of an id, or `nil` if the id has no alias.
  func setAlias(_ alias: @escaping @Sendable (CancelID) -> CancelID?) {
    aliases.withLock { $0 = alias }
    hasAliases.store(true, ordering: .releasing)
  }

  /// Returns the alias of an id, or `nil` if the id has no alias.
  func alias(of id: CancelID) -> CancelID? {
    guard hasAliases.load(ordering: .acquiring) else { return nil }
    // The function calls code of the app to describe the id, so it must run outside of the lock.
    return aliases.withLock { $0 }?(id)
  }

  /// Sets whether canceling a task that `send` returned has no effect.
  ///
  /// While a store shows a past state, views of that state appear and disappear. Their tasks must not cancel effects of
  /// the present state.
  func ignoresTasks(_ isIgnoring: Bool) { isIgnoringTasks.store(isIgnoring, ordering: .releasing) }

  /// Cancels all effects that one `send` call started, directly or indirectly.
  func cancel(group: Int) {
    guard !isIgnoringTasks.load(ordering: .acquiring) else { return }
    contents.withLock { $0.groups[group]?.task }?.markCancelled()
    cancel(cause: .task) { contents in
      contents.schedule.cancel(actions: contents.groups[group]?.actions.sorted() ?? [])
    }
  }

  /// Cancels all effects and notifies their observers immediately.
  func cancelAll() {
    cancel(cause: .other, reportsLater: false) { $0.schedule.cancelAll() }
    reportCancellations()
  }

  /// Cancels all effects of a store that is being released, and notifies their observers immediately.
  func close() {
    cancel(cause: .store, reportsLater: false) { $0.schedule.cancelAll() }
    reportCancellations()
  }

  /// Cancels the task of a leaf that the schedule has already canceled.
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
    // A task's cancellation handlers are code of the app, so they must run outside of the lock.
    for cancelTask in tasks { cancelTask() }
    if hasObservers && reportsLater {
      // Usually, the next event on the main actor reports the cancellation. The scheduled call reports it if no event
      // follows.
      scheduleReport(self)
    }
  }

  /// Stores the cancellations among the steps, in order, until they are reported.
  ///
  /// - Returns: Whether any canceled effect has observers.
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

  /// Removes and returns the cancellations that have not been reported.
  private func takeUnreported(_ contents: inout RegistryState) -> [EffectCancellation] {
    guard hasUnreported.exchange(false, ordering: .acquiringAndReleasing) else { return [] }
    defer { contents.unreported = [] }
    return contents.unreported
  }

  /// Notifies observers of the cancellations that have not been reported.
  func reportCancellations() {
    guard hasUnreported.load(ordering: .acquiring) else { return }
    contents.withLock { takeUnreported(&$0) }.report()
  }
}

extension [EffectRegistry.EffectCancellation] {
  /// Notifies the observers of each canceled effect, in the order in which the cancellations took effect.
  fileprivate func report() {
    for cancellation in self {
      cancellation.tags.notify(.cancelled(cancellation.cause, dropping: cancellation.dropping))
    }
  }
}

extension [EffectObserverTag] {
  /// Notifies all observers of the effect about an event.
  func notify(_ event: EffectLifecycleEvent) {
    for tag in self { tag.observer.effect(tag.id, didChange: event) }
  }
}

// MARK: - Running effects

extension EffectRegistry {
  /// An action with running effects.
  struct RunningAction {
    let number: Int
    let group: Int
    /// The running effects of the action, in the order in which they started.
    var effects: [RunningEffect]
  }

  /// The name and the source location of a running effect.
  struct RunningEffect {
    /// The name that the feature assigned to the effect; `nil` if the effect has no name.
    let name: String?
    /// The source location of the code that created the effect.
    let location: IssueLocation
  }

  /// The actions with running effects, in the order in which the effects started.
  ///
  /// The list omits effects that the library created for its own use. It also omits canceled effects, unless another
  /// effect starts after them.
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

  /// The ids of observed effects that have not ended, in the order in which the effects were registered.
  ///
  /// The list includes canceled and waiting effects.
  var unfinished: [EffectID] {
    contents.withLock { contents in
      let waiting = Set(contents.schedule.waiting)
      return contents.leaves.keys.sorted().compactMap { id in
        guard contents.schedule.isRunning(id) || waiting.contains(id) else { return nil }
        return contents.leaves[id]?.tags.first?.id
      }
    }
  }

  /// The number of the app's effects whose operations have started and have not returned.
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
  /// Registers an operation that isn't part of an action's plan, so that it can be canceled under an id.
  ///
  /// Such an operation runs in `withTaskCancellation`, or serves a child that existed before the action. The caller
  /// must then start the operation's task, and pass `attach` a closure that cancels the task.
  ///
  /// - Parameters:
  ///   - id: The cancellation id.
  ///   - cancelInFlight: Whether to cancel the running effects and operations with the same id.
  ///   - cause: The cause to report for those cancellations.
  /// - Returns: The id of the leaf, and a stamp that replaces an action's stamp. The stamp's number is the negated id
  ///   of the leaf, and so is the number of the group.
  func start(
    under id: CancelID,
    cancelInFlight: Bool = false,
    cause: CancelCause = .other
  ) -> (leaf: Int, stamp: ActionStamp) {
    let leaf = nextLeaf()
    // The number is negative, because actions count from 1.
    let stamp = ActionStamp(number: -leaf, origin: .view)
    // A call cancels, and not an action's plan. Only cancellations by a call report the parts that they drop.
    let cancelled = cancelInFlight ? cancelled(by: id) : []
    let plan = Schedule.Plan.cancellable(
      id.key,
      path: id.path,
      cancelInFlight: false,
      .run(leaf)
    )
    let info = Leaf(tags: [], action: -leaf, group: -leaf, isInternal: true)
    cancel(cause: cause) { contents in
      cancelled.flatMap { contents.schedule.cancel($0.key, path: $0.path) }
        + contents.start(plan, of: stamp, in: -leaf, leaves: [leaf: info]).steps
    }
    return (leaf, stamp)
  }

  func finishOutsideOfActions(_ leaf: Int) {
    contents.withLock { _ = $0.finish(leaf) }
    removeIfFinished(-leaf)
  }

  /// Removes a leaf whose operation returned after its store had been released.
  func finishWithoutStore(_ id: Int) {
    guard let end = finish(id) else { return }
    removeIfFinished(end.leaf.group)
  }
}

private enum StorelessEffectRegistryKey: DependencyKey {
  static var liveValue: EffectRegistry { EffectRegistry() }
  static var testValue: EffectRegistry { EffectRegistry() }
}
