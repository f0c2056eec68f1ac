import TCACore

extension Store {
  /// Waits until no effect runs and no data of earlier ones is stored.
  ///
  /// It does not wait for the tasks of a child that existed from the start.
  ///
  /// - Returns: `false` if the suite's time limit has ended the wait.
  func becomesIdle() async -> Bool {
    while !isIdle, !Task.isCancelled { await Task.yield() }
    return isIdle
  }
}
