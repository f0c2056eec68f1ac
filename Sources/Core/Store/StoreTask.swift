import ActionLog
import Synchronization

/// A task for the effects that one `send` call started, directly or through actions that these effects sent.
///
/// ```swift
/// await store.send(.refresh).finish()
/// ```
public struct StoreTask: Sendable {
  private let cancellation: CancellationState?
  private let registry: EffectRegistry
  let group: Int

  init(group: Int, in registry: EffectRegistry, hasWork: Bool) {
    self.group = group
    self.registry = registry
    self.cancellation = hasWork ? registry.cancellation(of: group) : nil
  }

  /// Cancels all effects that the `send` call started, directly or indirectly.
  public func cancel() {
    guard cancellation != nil else { return }
    registry.cancel(group: group)
  }

  /// Waits for the end of all effects that the `send` call started, directly or indirectly.
  ///
  /// Canceling the waiting task cancels the effects. If an action of this `send` call presented a feature, the wait
  /// also lasts until the feature is dismissed.
  public func finish() async {
    guard cancellation != nil else { return }
    await withTaskCancellationHandler {
      await registry.waitUntilIdle(group)
    } onCancel: {
      cancel()
    }
  }

  /// Whether the effects were canceled, which is also `true` if the `send` call started no effects.
  ///
  /// ```swift
  /// let task = store.send(.refresh)
  /// task.cancel()
  /// task.isCancelled  // true
  /// ```
  public var isCancelled: Bool {
    cancellation?.isCancelled ?? true
  }
}

extension StoreTask {
  /// Whether all effects have ended.
  var isFinished: Bool {
    cancellation == nil || registry.isIdle(group)
  }
}

extension StoreTask: Hashable {
  /// Returns whether two tasks belong to the same `send` call.
  public static func == (lhs: StoreTask, rhs: StoreTask) -> Bool {
    lhs.registry === rhs.registry && lhs.group == rhs.group
  }

  /// Hashes the identity of the `send` call.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(registry))
    hasher.combine(group)
  }
}

extension StoreTask {
  /// The cancellation state of a task, which exists longer than the effects so that `isCancelled` can be read
  /// afterward.
  final class CancellationState: Sendable {
    private let flag = Atomic(false)

    var isCancelled: Bool { flag.load(ordering: .acquiring) }

    func markCancelled() { flag.store(true, ordering: .releasing) }
  }
}
