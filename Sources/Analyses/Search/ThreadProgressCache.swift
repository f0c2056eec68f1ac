import ReplayEngine

/// The progress of the threads, which several search states can share.
final class CachedThreadProgress {
  let progress: ThreadProgress
  /// The indexes of the steps that can come next, in the order of the log.
  let enabled: [Int]
  /// Whether the value is in the cache of a `ThreadProgressCache`.
  fileprivate(set) var isRemembered = false

  fileprivate init(_ progress: ThreadProgress, enabled: [Int]) {
    self.progress = progress
    self.enabled = enabled
  }

  /// The approximate memory use in bytes.
  fileprivate var size: Int { progress.size + enabled.count * 8 }

  /// The approximate memory use in bytes, or 0 if the value is in the cache, which counts it already.
  var ownSize: Int { isRemembered ? 0 : size }
}

/// Computes the progress of the threads after each step, and caches the results.
///
/// The progress depends on the feature's state only through its effects.
struct ThreadProgressCache {
  /// The values that determine the progress after a step.
  private struct Key: Hashable {
    /// The digest of the progress after the step, before steps that can no longer occur are skipped.
    let threads: Digest
    let effects: Digest
  }

  private let table: ThreadTable
  private var states: [Key: CachedThreadProgress] = [:]
  /// The size that is left for the cache, in bytes.
  private var room: Int

  /// Creates an empty cache.
  ///
  /// - Parameters:
  ///   - table: The threads of the log.
  ///   - memory: The approximate maximum size of the cache in bytes.
  init(_ table: ThreadTable, memory: Int) {
    self.table = table
    room = memory
  }

  /// Returns the progress before the first step.
  ///
  /// - Parameters:
  ///   - open: The numbers of the threads that have begun.
  ///   - effects: The state of all effects before the first step.
  /// - Returns: A new value, which is not stored in the cache.
  func start(open: [Int], _ effects: EffectsState) -> CachedThreadProgress {
    var progress = ThreadProgress(table, open: open)
    let enabled = progress.settle(table, effects)
    return CachedThreadProgress(progress, enabled: enabled)
  }

  /// Returns the progress after a step.
  ///
  /// - Parameters:
  ///   - step: The index of the step.
  ///   - before: The progress before the step.
  ///   - started: The effects that the step has started.
  ///   - effects: The state of all effects after the step.
  /// - Returns: The cached value, or a new one that is added to the cache if it has room.
  mutating func makeStep(
    _ step: Int,
    from before: CachedThreadProgress,
    starting started: [StartedEffects],
    _ effects: EffectsState
  ) -> CachedThreadProgress {
    let key =
      room > 0
      ? Key(
        threads: before.progress.digest(after: step, starting: started, table),
        effects: effects.digest
      ) : nil
    if let key, let known = states[key] { return known }
    var progress = before.progress
    progress.makeStep(step, starting: started, table)
    let enabled = progress.settle(table, effects)
    let state = CachedThreadProgress(progress, enabled: enabled)
    if let key {
      state.isRemembered = true
      states[key] = state
      room -= state.size + 128
    }
    return state
  }
}
