import ActionLog

/// The effect that the current task belongs to.
///
/// `Task.cancel(id:)` and `withTaskCancellation(id:)` find the effect here, because they have no parameter for it.
struct EffectContext: Sendable {
  @TaskLocal static var current: EffectContext?

  let registry: EffectRegistry
  let tags: [EffectTag]
  /// The observers of the effect's calls; `nil` if there are none, or while reducers or observers of a store run.
  var calls: CallScope?

  /// Runs code of a store, such as reducers and observers, in the effect's task without recording its calls.
  static func withoutCalls(_ operation: () -> Void) {
    guard var context = current, context.calls != nil else { return operation() }
    context.calls = nil
    $current.withValue(context, operation: operation)
  }
}
