import Synchronization

/// What one `send` has set going: the effects of its action, and those of the actions they send.
///
/// ```swift
/// await store.send(.refresh).finish()
/// ```
public struct StoreTask: Sendable {
  private let work: Work?
  private let registry: EffectRegistry
  let group: Int

  init(group: Int, in registry: EffectRegistry, hasWork: Bool) {
    self.group = group
    self.registry = registry
    self.work = hasWork ? registry.work(of: group) : nil
  }

  /// Cancels all effects that go back to the `send`.
  public func cancel() {
    guard work != nil else { return }
    registry.cancel(group: group)
  }

  /// Waits for all effects that go back to the `send`; cancelling the wait cancels them.
  ///
  /// What an action presents is work of its `send` until it is dismissed. What was presented before is work of none.
  public func finish() async {
    guard work != nil else { return }
    await withTaskCancellationHandler {
      await registry.waitUntilIdle(group)
    } onCancel: {
      cancel()
    }
  }

  /// Whether the work was cancelled; true also when there was none.
  public var isCancelled: Bool {
    work?.isCancelled ?? true
  }
}

extension StoreTask {
  /// Whether nothing is left to wait for.
  var isFinished: Bool {
    work == nil || registry.isIdle(group)
  }
}

extension StoreTask: Hashable {
  /// Whether two tasks go back to the same `send`.
  public static func == (lhs: StoreTask, rhs: StoreTask) -> Bool {
    lhs.registry === rhs.registry && lhs.group == rhs.group
  }

  /// Hashes the identity of the task.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(registry))
    hasher.combine(group)
  }
}

extension StoreTask {
  /// Outlives the work, so that a task can be asked whether it was cancelled.
  final class Work: Sendable {
    private let flag = Atomic(false)

    var isCancelled: Bool { flag.load(ordering: .acquiring) }

    func markCancelled() { flag.store(true, ordering: .releasing) }
  }
}
