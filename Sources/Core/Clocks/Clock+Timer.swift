extension Clock where Duration: Sendable {
  /// Ticks at an interval until the task is cancelled.
  ///
  /// ```swift
  /// for await _ in clock.timer(interval: .seconds(1)) { await send(.tick) }
  /// ```
  ///
  /// Ticks that were missed are left out.
  ///
  /// - Parameters:
  ///   - interval: The time between two ticks.
  ///   - tolerance: How late a tick may be.
  /// - Returns: The ticks, each with the time since the first interval began.
  public func timer(interval: Duration, tolerance: Duration? = nil) -> ClockTimer<Duration> {
    let start = now
    return ClockTimer(interval: interval) { last in
      var next = last + interval
      let passed = start.duration(to: self.now)
      while interval > .zero, next < passed { next += interval }
      try await self.sleep(until: start.advanced(by: next), tolerance: tolerance)
      return next
    }
  }
}

/// The ticks of a clock.
public struct ClockTimer<Duration: DurationProtocol & Sendable>: AsyncSequence, Sendable {
  /// The time since the first interval began.
  public typealias Element = Duration

  fileprivate let interval: Duration
  fileprivate let wait: @Sendable (_ last: Duration) async throws -> Duration

  fileprivate init(
    interval: Duration,
    wait: @escaping @Sendable (_ last: Duration) async throws -> Duration
  ) {
    self.interval = interval
    self.wait = wait
  }

  /// Begins to tick.
  public func makeAsyncIterator() -> Iterator {
    Iterator(last: .zero, wait: wait)
  }

  /// Waits for one tick after the other.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var last: Duration
    fileprivate let wait: @Sendable (_ last: Duration) async throws -> Duration

    /// Waits for the next tick; nil when the task is cancelled.
    public mutating func next() async -> Duration? {
      guard let tick = try? await wait(last) else { return nil }
      last = tick
      return tick
    }
  }
}
