/// A clock of any type, whose instants count from when it was wrapped.
///
/// ```swift
/// let clocks: [AnyClock<Duration>] = [AnyClock(ContinuousClock()), AnyClock(TestClock())]
/// clocks.map(\.minimumResolution)  // [1e-09 seconds, 0.0 seconds]
/// ```
public final class AnyClock<Duration: DurationProtocol & Hashable>: Clock, Sendable {
  /// An instant of the clock, counted from when it was wrapped.
  public struct Instant: InstantProtocol {
    fileprivate let offset: Duration

    /// The instant that lies a duration later.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    /// The time until another instant; negative when that lies before this one.
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

  /// The resolution of the clock.
  public var minimumResolution: Duration { readResolution() }

  /// Sleeps on the wrapped clock.
  ///
  /// - Throws: What the wrapped clock throws: `CancellationError` when the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try await wait(deadline, tolerance)
  }
}

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
///
/// ```swift
/// for await time in clock.timer(interval: .seconds(1)) { await send(.ticked(time)) }
/// ```
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
  ///
  /// ```swift
  /// var ticks = clock.timer(interval: .seconds(1)).makeAsyncIterator()
  /// await ticks.next()  // waits for the first tick alone
  /// ```
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

/// A clock whose `now` is a read, so that a reducer that looks at it can be replayed.
///
/// Its instants are durations since the clock was set as a dependency.
private struct ReadClock<Base: Clock<Duration>>: Clock {
  struct Instant: InstantProtocol {
    var offset: Duration

    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
  }

  let base: Base
  let key: String
  let origin: Base.Instant

  var now: Instant {
    Instant(
      offset: ReadScope.read(key, standIn: Duration.zero) { origin.duration(to: base.now) }
    )
  }

  var minimumResolution: Duration { base.minimumResolution }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try await base.sleep(until: origin.advanced(by: deadline.offset), tolerance: tolerance)
  }
}

extension Clock<Duration> {
  /// This clock with its `now` a read, itself when it is that already.
  func reading(as key: String) -> any Clock<Duration> {
    // An unimplemented clock reports its use, not that it is handed on.
    if self is any DependencyWrapping || self is UnimplementedClock<Swift.Duration> { return self }
    return ReadClock(base: self, key: key, origin: now)
  }
}

extension ReadClock: DependencyWrapping {
  var wrappedDependency: Any { base }
}
