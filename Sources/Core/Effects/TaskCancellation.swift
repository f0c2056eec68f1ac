import Synchronization

extension Task where Success == Never, Failure == Never {
  /// Cancels the effects of the running store that an id reaches.
  ///
  /// ```swift
  /// .run { send in
  ///   Task.cancel(id: CancelID.timer)
  /// }
  /// ```
  ///
  /// - Parameter id: The id given to `cancellable(id:)` or `withTaskCancellation(id:)`.
  public static func cancel(id: some Hashable & Sendable) {
    let context = EffectContext.current
    (context?.registry ?? .outsideStores).cancel(
      CancelID(here: id),
      cause: context.map { .effect($0.tags) } ?? .other
    )
  }
}

/// Runs an operation that can be cancelled by an id, a part of an effect.
///
/// - Parameters:
///   - id: The id.
///   - cancelInFlight: Whether what runs under the id is cancelled first.
///   - isolation: The actor of the caller.
///   - operation: What is run.
/// - Returns: What the operation returns.
/// - Throws: What the operation throws.
public func withTaskCancellation<T: Sendable, Failure: Error>(
  id: some Hashable & Sendable,
  cancelInFlight: Bool = false,
  isolation: isolated (any Actor)? = #isolation,
  operation: @escaping @Sendable () async throws(Failure) -> T
) async throws(Failure) -> T {
  let context = EffectContext.current
  let registry = context?.registry ?? .outsideStores
  let id = CancelID(here: id)
  if cancelInFlight {
    registry.cancel(id, cause: context.map { .effect($0.tags) } ?? .other)
  }
  let task = Task { () async -> Result<T, Failure> in
    do throws(Failure) { return .success(try await operation()) } catch { return .failure(error) }
  }
  let (leaf, _) = registry.start(under: id) { task.cancel() }
  let result = await withTaskCancellationHandler {
    await task.value
  } onCancel: {
    task.cancel()
  }
  registry.finishOutsideOfActions(leaf)
  return try result.get()
}

extension EffectRegistry {
  /// Registers what belongs to no action, or runs within an effect, under an id of its own.
  ///
  /// - Returns: Its name, and the stamp in place of an action's, whose number is that of its group too.
  func start(
    under id: CancelID,
    cancelTask: (@Sendable () -> Void)? = nil
  ) -> (leaf: Int, stamp: ActionStamp) {
    let leaf = nextLeaf()
    // Actions count from 1, so this meets none.
    let stamp = ActionStamp(number: -leaf, origin: .view)
    let plan = Schedule.Plan.cancellable(
      id.key,
      path: id.path,
      cancelInFlight: false,
      .run(leaf)
    )
    let info = Leaf(tags: [], action: -leaf, group: -leaf, isInternal: true, cancelTask: cancelTask)
    // This may be any thread, and observers are told on the main actor.
    contents.withLock { _ = $0.start(plan, of: stamp, in: -leaf, leaves: [leaf: info]) }
    return (leaf, stamp)
  }

  fileprivate func finishOutsideOfActions(_ leaf: Int) {
    contents.withLock { _ = $0.finish(leaf) }
    settle(-leaf)
  }
}
