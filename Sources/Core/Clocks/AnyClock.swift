/// A clock of any type, whose instants count from when it was wrapped.
///
/// ```swift
/// let clocks: [AnyClock<Duration>] = [AnyClock(ContinuousClock()), AnyClock(TestClock())]
/// ```
public final class AnyClock<Duration: DurationProtocol & Hashable>: Clock, Sendable {
  /// An instant of the clock, counted from when it was wrapped.
  public struct Instant: InstantProtocol {
    fileprivate let offset: Duration

    /// The instant that lies a duration later.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    /// How long it is until another instant.
    public func duration(to other: Instant) -> Duration { other.offset - offset }
    /// Whether one instant comes before another.
    public static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
  }

  private let readNow: @Sendable () -> Instant
  private let readResolution: @Sendable () -> Duration
  private let wait: @Sendable (Instant, Duration?) async throws -> Void

  /// Wraps a clock.
  public init<C: Clock<Duration>>(_ clock: C) {
    let start = clock.now
    self.readNow = { Instant(offset: start.duration(to: clock.now)) }
    self.readResolution = { clock.minimumResolution }
    self.wait = { deadline, tolerance in
      try await clock.sleep(until: start.advanced(by: deadline.offset), tolerance: tolerance)
    }
  }

  /// The current instant.
  public var now: Instant { readNow() }

  /// The shortest time that the clock can tell.
  public var minimumResolution: Duration { readResolution() }

  /// Sleeps on the wrapped clock.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try await wait(deadline, tolerance)
  }
}
