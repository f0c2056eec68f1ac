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
  func cancelTask(of leaf: Int) {
    contents.withLock { $0.leaves[leaf]?.cancelTask }?()
  }

  private func cancel(
    cause: CancelCause,
    tellsLater: Bool = true,
    _ change: (inout Contents) -> [Schedule.Step]
  ) {
    let (tasks, anyoneListens) = contents.withLock { contents in
      let steps = change(&contents)
      let tasks = steps.compactMap { step in
        if case .cancel(let leaf, _, _) = step { contents.leaves[leaf]?.cancelTask } else { nil }
      }
      return (tasks, note(steps, cause, &contents))
    }
    // Not under the lock: a task's cancellation handlers are the user's code.
    for cancelTask in tasks { cancelTask() }
    if anyoneListens && tellsLater {
      // Whatever happens next on the main actor tells it first; this is for when nothing does.
      Task { @MainActor in self.tellCancellations() }
    }
  }

  /// Takes down which cancellations took hold, to be told in the same order.
  ///
  /// - Returns: Whether anyone is to be told.
  @discardableResult
  func note(_ steps: [Schedule.Step], _ cause: CancelCause, _ contents: inout Contents) -> Bool {
    let before = contents.untold.count
    for case .cancel(let leaf, _, let dropping) in steps {
      guard let tags = contents.leaves[leaf]?.tags, !tags.isEmpty else { continue }
      contents.untold.append(Untold(tags: tags, cause: cause, dropping: dropping))
    }
    guard contents.untold.count > before else { return false }
    hasUntold.store(true, ordering: .releasing)
    return true
  }

  /// Takes the cancellations that observers have not heard of.
  func takeUntold(_ contents: inout Contents) -> [Untold] {
    guard hasUntold.exchange(false, ordering: .acquiringAndReleasing) else { return [] }
    defer { contents.untold = [] }
    return contents.untold
  }

  /// Tells observers of the cancellations that they have not heard of.
  func tellCancellations() {
    guard hasUntold.load(ordering: .acquiring) else { return }
    contents.withLock { takeUntold(&$0) }.tell()
  }
}

extension [EffectRegistry.Untold] {
  /// Tells the watchers of each effect, in the order in which the cancellations took hold.
  func tell() {
    for cancellation in self {
      cancellation.tags.tell(.cancelled(cancellation.cause, dropping: cancellation.dropping))
    }
  }
}

extension [EffectTag] {
  /// Tells all watchers of an effect.
  func tell(_ event: EffectLifecycle) {
    for tag in self { tag.observer.effect(tag.id, didChange: event) }
  }
}
