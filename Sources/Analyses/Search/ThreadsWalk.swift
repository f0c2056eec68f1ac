import ReplayEngine

/// How far the threads have come at some places of a search.
final class ThreadsState {
  let progress: ThreadProgress
  /// The steps that can come next, in the order of the log.
  let enabled: [Int]
  /// Whether it is remembered, so that many places have it.
  fileprivate(set) var isRemembered = false

  fileprivate init(_ progress: ThreadProgress, enabled: [Int]) {
    self.progress = progress
    self.enabled = enabled
  }

  /// How many bytes it takes, about.
  fileprivate var size: Int { progress.size + enabled.count * 8 }

  /// How many bytes it takes beside what is remembered anyway, about.
  var ownSize: Int { isRemembered ? 0 : size }
}

/// The threads of a log, which go from state to state as a search asks for it, and come to no state twice.
///
/// How far they have come depends on the state of the feature only through its effects.
struct ThreadsWalk {
  /// What the state after a step depends on.
  private struct Key: Hashable {
    /// The threads after the step, with those that have nothing left to do.
    let threads: Digest
    let effects: Digest
  }

  private let table: ThreadTable
  private var states: [Key: ThreadsState] = [:]
  /// Bytes.
  private var room: Int

  /// - Parameters:
  ///   - table: The threads of the log.
  ///   - memory: How many bytes may be used to remember states, about.
  init(_ table: ThreadTable, memory: Int) {
    self.table = table
    room = memory
  }

  /// The start, where some threads have begun.
  ///
  /// - Parameters:
  ///   - open: The threads.
  ///   - effects: The effects that are alive.
  /// - Returns: The state.
  func start(open: [Int], _ effects: EffectsState) -> ThreadsState {
    var progress = ThreadProgress(table, open: open)
    let enabled = progress.settle(table, effects)
    return ThreadsState(progress, enabled: enabled)
  }

  /// Makes a step.
  ///
  /// - Parameters:
  ///   - step: The step.
  ///   - before: The state before it.
  ///   - started: The effects that it has started.
  ///   - effects: The effects after it.
  /// - Returns: The state after it.
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
