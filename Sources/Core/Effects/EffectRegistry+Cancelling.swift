import Synchronization

extension EffectRegistry {
  /// Cancels the effects under an id.
  func cancel(_ id: CancelID, cause: CancelCause) {
    cancel(cause: cause) { $0.schedule.cancel(id.key, path: id.path) }
  }

  /// Cancels all that goes back to one `send`.
  func cancel(group: Int) {
    contents.withLock { $0.groups[group]?.task }?.markCancelled()
    cancel(cause: .task) { contents in
      contents.schedule.cancel(actions: contents.groups[group]?.actions.sorted() ?? [])
    }
  }

  /// Cancels everything and tells it at once: the store went away.
  func close() {
    cancel(cause: .store, tellsLater: false) { $0.schedule.cancelAll() }
    tellCancellations()
  }

  /// Takes hold of the task of a leaf that the schedule has cancelled.
  func cancel(leaf: Int, cause: CancelCause) {
    let found = contents.withLock { contents in
      let found = contents.leaves[leaf]
      if let found, !found.tags.isEmpty { contents.untold.append((found.tags, cause)) }
      return found
    }
    found?.cancelTask?()
    if found?.tags.isEmpty == false { hasUntold.store(true, ordering: .releasing) }
  }

  private func cancel(
    cause: CancelCause,
    tellsLater: Bool = true,
    _ change: (inout Contents) -> [Schedule.Step]
  ) {
    let (tasks, anyoneListens) = contents.withLock { contents in
      var tasks: [@Sendable () -> Void] = []
      var anyoneListens = false
      for case .cancel(let leaf, _) in change(&contents) {
        guard let found = contents.leaves[leaf] else { continue }
        if let cancelTask = found.cancelTask { tasks.append(cancelTask) }
        if !found.tags.isEmpty {
          contents.untold.append((found.tags, cause))
          anyoneListens = true
        }
      }
      return (tasks, anyoneListens)
    }
    if anyoneListens { hasUntold.store(true, ordering: .releasing) }
    // Not under the lock: a task's cancellation handlers are the user's code.
    for cancelTask in tasks { cancelTask() }
    if anyoneListens && tellsLater {
      // Whatever happens next on the main actor tells it first; this is for when nothing does.
      Task { @MainActor in self.tellCancellations() }
    }
  }

  /// Tells observers of the cancellations that they have not heard of.
  ///
  /// - Returns: Whether there were any.
  @discardableResult
  func tellCancellations() -> Bool {
    guard hasUntold.exchange(false, ordering: .acquiringAndReleasing) else { return false }
    let untold = contents.withLock { contents in
      defer { contents.untold = [] }
      return contents.untold
    }
    for (tags, cause) in untold { tags.tell(.cancelled(cause)) }
    return true
  }
}

extension [EffectTag] {
  /// Tells all watchers of an effect.
  func tell(_ event: EffectLifecycle) {
    for tag in self { tag.observer.effect(tag.id, didChange: event) }
  }
}
