import Synchronization

/// The effects of one root store: their schedule, their tasks, and who waits for them.
///
/// Starting and finishing happen on the main actor. A cancellation may come from any thread: it
/// cancels the tasks at once, and observers are notified before anything else happens on the main
/// actor. They receive cancellations, starts and ends in the order in which the schedule, under
/// its lock, processed them: a replay drives a schedule of its own with these events.
final class EffectRegistry: Sendable {
  typealias Schedule = EffectSchedule<Int, CancelKey, NavigationID>

  /// For cancellation ids that are used outside of all stores; each test has its own.
  static var outsideStores: EffectRegistry { DependencyValues._current[OutsideStores.self] }

  private let contents = Mutex(RegistryState())
  /// Whether effects run under other ids than those of the code.
  private let hasAliases = Atomic(false)
  /// Whether the tasks that `send` returns cancel nothing.
  private let isIgnoringTasks = Atomic(false)
  private let aliases = Mutex<(@Sendable (CancelID) -> CancelID?)?>(nil)
  /// Whether cancellations were not reported to observers yet.
  private let hasUnreported = Atomic(false)
  /// Has `reportCancellations` called on the main actor when nothing else happens there.
  private let scheduleReport: @Sendable (EffectRegistry) -> Void

  init(
    scheduleReport: @escaping @Sendable (EffectRegistry) -> Void = { registry in
      Task { @MainActor in registry.reportCancellations() }
    }
  ) {
    self.scheduleReport = scheduleReport
  }

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
  /// Gives a plan to the schedule, and reports the cancellations before it.
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

  /// Hands over the task of a leaf, so that it can be cancelled; it is cancelled at once if the leaf has been.
  func attach(_ leaf: Int, cancelTask: @escaping @Sendable () -> Void) {
    let isCancelled = contents.withLock { contents in
      contents.leaves[leaf]?.cancelTask = cancelTask
      return contents.schedule.isRunning(leaf) && !contents.schedule.isAlive(leaf)
    }
    if isCancelled { cancelTask() }
  }

  /// The fate of an action that an effect sends.
  enum Delivery {
    /// The effect is alive.
    case delivered
    /// It was cancelled, so the action is dropped.
    case dropped
    /// Its operation has returned.
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

  /// Notes that the operation of a leaf has returned, and reports that and the cancellations
  /// before it.
  ///
  /// - Returns: What is to be done, nil when the leaf is not known.
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

  /// Removes a group if nothing of it is left, after all steps have been carried out.
  func removeIfFinished(_ group: Int) {
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

// MARK: - Cancelling

extension EffectRegistry {
  /// Cancels the effects under an id.
  func cancel(_ id: CancelID, cause: CancelCause) {
    let alias = alias(of: id)
    cancel(cause: cause) { contents in
      let other = alias.map { contents.schedule.cancel($0.key, path: $0.path) } ?? []
      return other + contents.schedule.cancel(id.key, path: id.path)
    }
  }

  /// Has the ids that code cancels reach effects under other ids, too.
  ///
  /// - Parameter alias: The other id; `nil` for one that reaches nothing more.
  func setAlias(_ alias: @escaping @Sendable (CancelID) -> CancelID?) {
    aliases.withLock { $0 = alias }
    hasAliases.store(true, ordering: .releasing)
  }

  /// The other id under which an id reaches effects.
  func alias(of id: CancelID) -> CancelID? {
    guard hasAliases.load(ordering: .acquiring) else { return nil }
    // What describes an id is the app's code, and runs under no lock.
    return aliases.withLock { $0 }?(id)
  }

  /// Whether the tasks that `send` returns cancel nothing, because views come and go with the past that they show.
  func ignoresTasks(_ isIgnoring: Bool) { isIgnoringTasks.store(isIgnoring, ordering: .releasing) }

  /// Cancels all that goes back to one `send`.
  func cancel(group: Int) {
    guard !isIgnoringTasks.load(ordering: .acquiring) else { return }
    contents.withLock { $0.groups[group]?.task }?.markCancelled()
    cancel(cause: .task) { contents in
      contents.schedule.cancel(actions: contents.groups[group]?.actions.sorted() ?? [])
    }
  }

  /// Cancels everything, and reports it at once.
  func cancelAll() {
    cancel(cause: .other, reportsLater: false) { $0.schedule.cancelAll() }
    reportCancellations()
  }

  /// Cancels everything and reports it at once: the store was released.
  func close() {
    cancel(cause: .store, reportsLater: false) { $0.schedule.cancelAll() }
    reportCancellations()
  }

  /// Cancels the task of a leaf that the schedule has cancelled.
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
    // Not under the lock: a task's cancellation handlers are the user's code.
    for cancelTask in tasks { cancelTask() }
    if hasObservers && reportsLater {
      // The next event on the main actor reports it first; this is for the case that there is none.
      scheduleReport(self)
    }
  }

  /// Notes the cancellations that took effect, to be reported in the same order.
  ///
  /// - Returns: Whether there are observers to notify.
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

  /// Takes the cancellations that were not reported to observers.
  private func takeUnreported(_ contents: inout RegistryState) -> [EffectCancellation] {
    guard hasUnreported.exchange(false, ordering: .acquiringAndReleasing) else { return [] }
    defer { contents.unreported = [] }
    return contents.unreported
  }

  /// Reports the cancellations that were not reported to observers.
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
  /// An action of which something is still to come.
  struct RunningAction {
    let number: Int
    let group: Int
    /// Its running effects.
    var effects: [RunningEffect]
  }

  /// An effect that runs, or waits for another one.
  struct RunningEffect {
    /// The name that the feature gave it.
    let name: String?
    /// Where it was written.
    let location: IssueLocation
  }

  /// The actions whose effects run, in the order of the effects' starts.
  ///
  /// Effects that the library makes for its own needs don't count. Cancelled ones don't either,
  /// unless something is to start after them.
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

  /// The watched effects that run, cancelled or not, or wait for others, in the order of their numbers.
  var unfinished: [EffectID] {
    contents.withLock { contents in
      let waiting = Set(contents.schedule.waiting)
      return contents.leaves.keys.sorted().compactMap { id in
        guard contents.schedule.isRunning(id) || waiting.contains(id) else { return nil }
        return contents.leaves[id]?.tags.first?.id
      }
    }
  }

  /// How many operations of the app's own were launched and have not returned.
  var operationCount: Int {
    contents.withLock { $0.leaves.values.count { !$0.isInternal && $0.cancelTask != nil } }
  }

  /// Whether nothing of a group is left.
  func isIdle(_ group: Int) -> Bool {
    contents.withLock { $0.groups[group] == nil }
  }
}

// MARK: - Work outside of actions

extension EffectRegistry {
  /// Registers what belongs to no action, or runs within an effect, under an id of its own.
  ///
  /// Its task is started afterwards, and handed over by `attach`.
  ///
  /// - Parameters:
  ///   - id: The id.
  ///   - cancelInFlight: Whether what runs under the id is cancelled, in the same step.
  ///   - cause: The cause of that cancellation.
  /// - Returns: Its name, and the stamp in place of an action's, whose number is that of its group too.
  func start(
    under id: CancelID,
    cancelInFlight: Bool = false,
    cause: CancelCause = .other
  ) -> (leaf: Int, stamp: ActionStamp) {
    let leaf = nextLeaf()
    // Actions count from 1, so this meets none.
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

  /// Notes that the operation of a leaf has returned after its store was released.
  func finishWithoutStore(_ id: Int) {
    guard let end = finish(id) else { return }
    removeIfFinished(end.leaf.group)
  }
}

private enum OutsideStores: DependencyKey {
  static var liveValue: EffectRegistry { EffectRegistry() }
  static var testValue: EffectRegistry { EffectRegistry() }
}
