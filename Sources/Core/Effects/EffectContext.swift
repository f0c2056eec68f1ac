import ActionLog

/// The effect whose operation runs in the current task.
///
/// `Task.cancel(id:)` and `withTaskCancellation(id:)` read the effect from a task-local value, because they have no
/// parameter for it.
struct EffectContext: Sendable {
  @TaskLocal static var current: EffectContext?

  let registry: EffectRegistry
  let tags: [EffectObserverTag]
  /// The observers of the calls that the effect makes.
  ///
  /// The property is `nil` if there are none, or while the effect's task runs reducers or observers of a store.
  var calls: DependencyCallScope?

  /// Runs code of a store, such as reducers and observers, in an effect's task without recording that code's calls.
  static func withoutCalls(_ operation: () -> Void) {
    guard var context = current, context.calls != nil else { return operation() }
    context.calls = nil
    $current.withValue(context, operation: operation)
  }
}
