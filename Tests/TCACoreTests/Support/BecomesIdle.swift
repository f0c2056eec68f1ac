import TCACore

extension Store {
  /// Waits until no effect runs and nothing of earlier ones is kept.
  ///
  /// No task waits for what serves a child that was there from the start.
  ///
  /// - Returns: False when the suite's time limit has ended the wait.
  func becomesIdle() async -> Bool {
    while !isIdle, !Task.isCancelled { await Task.yield() }
    return isIdle
  }
}
