#if canImport(Combine)
public import Combine
#endif

extension Scheduler {
  /// Waits for a time.
  ///
  /// - Parameters:
  ///   - duration: How long.
  ///   - tolerance: How late it may end.
  ///   - options: How the scheduler does it.
  ///   - isolation: The actor of the caller.
  /// - Throws: `CancellationError` in a task that is cancelled.
  public func sleep(
    for duration: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride = .zero,
    options: SchedulerOptions? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) async throws {
    try Task.checkCancellation()
    try await sleep(
      until: now.advanced(by: duration),
      tolerance: tolerance,
      options: options,
      isolation: isolation
    )
  }

  /// Waits until a moment has come.
  ///
  /// - Parameters:
  ///   - deadline: The moment.
  ///   - tolerance: How late it may end.
  ///   - options: How the scheduler does it.
  ///   - isolation: The actor of the caller.
  /// - Throws: `CancellationError` in a task that is cancelled.
  public func sleep(
    until deadline: SchedulerTimeType,
    tolerance: SchedulerTimeType.Stride = .zero,
    options: SchedulerOptions? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) async throws {
    try Task.checkCancellation()
    let (wakes, continuation) = AsyncStream<Void>.makeStream()
    // Work that repeats, because only that can be cancelled; it is, when the stream ends.
    let work = schedule(
      after: deadline,
      interval: .seconds(1),
      tolerance: tolerance,
      options: options
    ) { continuation.finish() }
    let cancellable = UncheckedSendable(work)
    continuation.onTermination = { _ in cancellable.value.cancel() }
    for await _ in wakes {}
    cancellable.value.cancel()
    try Task.checkCancellation()
  }

  /// Ticks at an interval until the task is cancelled.
  ///
  /// ```swift
  /// for await _ in mainQueue.timer(interval: .seconds(1)) { await send(.tick) }
  /// ```
  ///
  /// - Parameters:
  ///   - interval: The time between two ticks.
  ///   - tolerance: How late a tick may be.
  ///   - options: How the scheduler does it.
  /// - Returns: The moments of the ticks.
  public func timer(
    interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride = .zero,
    options: SchedulerOptions? = nil
  ) -> AsyncStream<SchedulerTimeType> {
    let (ticks, continuation) = AsyncStream<SchedulerTimeType>.makeStream()
    let work = schedule(
      after: now.advanced(by: interval),
      interval: interval,
      tolerance: tolerance,
      options: options
    ) {
      // A moment is a value, of which not every scheduler says that it is `Sendable`.
      nonisolated(unsafe) let now = now
      continuation.yield(now)
    }
    continuation.onTermination = cancelling(work)
    return ticks
  }

  /// How long work takes by this scheduler.
  ///
  /// - Parameter work: The work.
  /// - Returns: The time.
  /// - Throws: What the work throws.
  public func measure(_ work: () throws -> Void) rethrows -> SchedulerTimeType.Stride {
    let start = now
    try work()
    return start.distance(to: now)
  }
}

/// A function of anything that cancels work.
private func cancelling<Event>(_ work: any Cancellable) -> @Sendable (Event) -> Void {
  let work = UncheckedSendable(work)
  return { _ in work.value.cancel() }
}
