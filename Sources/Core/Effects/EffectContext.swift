/// Which effect the current task belongs to, for what an effect does without being handed anything:
/// `Task.cancel(id:)` and `withTaskCancellation(id:)`.
struct EffectContext: Sendable {
  @TaskLocal static var current: EffectContext?

  let registry: EffectRegistry
  let tags: [EffectTag]
}
