import ReplayEngine

/// The progress of the threads at one or more search states.
final class ThreadsState {
  let progress: ThreadProgress
  /// The steps that can come next, in the order of the log.
  let enabled: [Int]
  /// Whether it is cached, so that several search states share it.
  fileprivate(set) var isRemembered = false

  fileprivate init(_ progress: ThreadProgress, enabled: [Int]) {
    self.progress = progress
    self.enabled = enabled
  }

  /// The approximate size in bytes.
  fileprivate var size: Int { progress.size + enabled.count * 8 }

  /// The approximate size in bytes, apart from cached data.
  var ownSize: Int { isRemembered ? 0 : size }
}

/// A cache of the threads' progress, which computes each distinct state once.
///
/// The progress depends on the state of the feature only through its effects.
struct ThreadsWalk {
  /// The inputs that determine the state after a step.
  private struct Key: Hashable {
    /// The threads after the step, including those without remaining steps.
    let threads: Digest
    let effects: Digest
  }

  private let table: ThreadTable
  private var states: [Key: ThreadsState] = [:]
  /// The remaining cache size in bytes.
  private var room: Int

  /// - Parameters:
  ///   - table: The threads of the log.
  ///   - memory: The approximate maximum size of the cache in bytes.
  init(_ table: ThreadTable, memory: Int) {
    self.table = table
    room = memory
  }

  /// Returns the initial state, in which some threads have begun.
  ///
  /// - Parameters:
  ///   - open: The threads.
  ///   - effects: The running effects.
  /// - Returns: The state.
  func start(open: [Int], _ effects: EffectsState) -> ThreadsState {
    var progress = ThreadProgress(table, open: open)
    let enabled = progress.settle(table, effects)
    return ThreadsState(progress, enabled: enabled)
  }

  /// Executes a step.
  ///
  /// - Parameters:
  ///   - step: The step.
  ///   - before: The state before the step.
  ///   - started: The effects that the step has started.
  ///   - effects: The effects after the step.
  /// - Returns: The state after the step.
  mutating func makeStep(
    _ step: Int,
    from before: ThreadsState,
    starting started: [StartedEffects],
    _ effects: EffectsState
  ) -> ThreadsState {
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
    let state = ThreadsState(progress, enabled: enabled)
    if let key {
      state.isRemembered = true
      states[key] = state
      room -= state.size + 128
    }
    return state
  }
}
