import ActionLog
import Synchronization

/// The work of one `send`: the effects of its action and of the actions that those effects send.
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

  /// Cancels all effects that the `send` started, directly or indirectly.
  public func cancel() {
    guard work != nil else { return }
    registry.cancel(group: group)
  }

  /// Waits for all effects that go back to the `send`; cancelling the wait cancels them.
  ///
  /// A feature that an action presents is work of its `send` until it is dismissed. Features presented before are not.
  public func finish() async {
    guard work != nil else { return }
    await withTaskCancellationHandler {
      await registry.waitUntilIdle(group)
    } onCancel: {
      cancel()
    }
  }

  /// Whether the work was cancelled; true also when there was none.
  ///
  /// ```swift
  /// let task = store.send(.refresh)
  /// task.cancel()
  /// task.isCancelled  // true
  /// ```
  public var isCancelled: Bool {
    work?.isCancelled ?? true
  }
}

extension StoreTask {
  /// Whether all work has ended.
  var isFinished: Bool {
    work == nil || registry.isIdle(group)
  }
}

extension StoreTask: Hashable {
  /// Returns whether two tasks belong to the same `send`.
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
  /// The cancellation state of a task.
  ///
  /// Outlives the work, so that `isCancelled` can be read after it.
  final class Work: Sendable {
    private let flag = Atomic(false)

    var isCancelled: Bool { flag.load(ordering: .acquiring) }

    func markCancelled() { flag.store(true, ordering: .releasing) }
  }
}
