/// A clock that hides the type of the clock that it wraps.
///
/// The instants are durations since the creation of the `AnyClock`.
///
/// ```swift
/// let clocks: [AnyClock<Duration>] = [AnyClock(ContinuousClock()), AnyClock(TestClock())]
/// clocks.map(\.minimumResolution)  // [1e-09 seconds, 0.0 seconds]
/// ```
public final class AnyClock<Duration: DurationProtocol & Hashable>: Clock, Sendable {
  /// An instant of an `AnyClock`, relative to the creation of that clock.
  public struct Instant: InstantProtocol {
    fileprivate let offset: Duration

    /// Returns the sum of this instant and a duration.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    /// Returns the duration to another instant, which is negative if that instant is earlier.
    public func duration(to other: Instant) -> Duration { other.offset - offset }
    /// Returns whether the first instant is earlier than the second.
    public static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
  }

  private let readNow: @Sendable () -> Instant
  private let readResolution: @Sendable () -> Duration
  private let wait: @Sendable (Instant, Duration?) async throws -> Void

  /// Creates a clock that wraps another clock and hides its type.
  public init<C: Clock<Duration>>(_ clock: C) {
    let start = clock.now
    self.readNow = { Instant(offset: start.duration(to: clock.now)) }
    self.readResolution = { clock.minimumResolution }
    self.wait = { deadline, tolerance in
      try await clock.sleep(until: start.advanced(by: deadline.offset), tolerance: tolerance)
    }
  }

  /// The current instant of the wrapped clock, relative to the creation of this clock.
  public var now: Instant { readNow() }

  /// The resolution of the wrapped clock.
  public var minimumResolution: Duration { readResolution() }

  /// Suspends until the wrapped clock reaches a deadline.
  ///
  /// - Throws: The error of the wrapped clock. Clocks throw `CancellationError` if the task is canceled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try await wait(deadline, tolerance)
  }
}

extension Clock where Duration: Sendable {
  /// Returns a sequence that ticks at regular intervals until the task is canceled.
  ///
  /// ```swift
  /// for await _ in clock.timer(interval: .seconds(1)) { await send(.tick) }
  /// ```
  ///
  /// The sequence skips missed ticks.
  ///
  /// - Parameters:
  ///   - interval: The time between two ticks.
  ///   - tolerance: The maximum delay of a tick; `nil` for the tolerance that the clock chooses.
  /// - Returns: A sequence whose elements are the durations from the start of the first interval to each tick.
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

/// A sequence of the ticks of a clock.
///
/// ```swift
/// for await time in clock.timer(interval: .seconds(1)) { await send(.ticked(time)) }
/// ```
public struct ClockTimer<Duration: DurationProtocol & Sendable>: AsyncSequence, Sendable {
  /// The element of the sequence: the duration from the start of the first interval to the tick.
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

  /// Returns an iterator over the ticks.
  ///
  /// The first interval starts when `timer` is called.
  ///
  /// ```swift
  /// var ticks = clock.timer(interval: .seconds(1)).makeAsyncIterator()
  /// await ticks.next()  // waits for the first tick alone
  /// ```
  public func makeAsyncIterator() -> Iterator {
    Iterator(last: .zero, wait: wait)
  }

  /// An iterator over the ticks of a clock.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate var last: Duration
    fileprivate let wait: @Sendable (_ last: Duration) async throws -> Duration

    /// Waits for the next tick, and returns the duration from the start of the first interval to the tick.
    ///
    /// Returns `nil` if the task is canceled or the clock throws another error.
    public mutating func next() async -> Duration? {
      guard let tick = try? await wait(last) else { return nil }
      last = tick
      return tick
    }
  }
}

/// A clock whose reads of `now` in reducers are recorded, so that a replay can return the same instants.
///
/// The instants are durations since the clock was set as a dependency.
private struct ReadInterceptingClock<Base: Clock<Duration>>: Clock {
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
      offset: ReducerReadScope.read(key, standIn: Duration.zero) { origin.duration(to: base.now) }
    )
  }

  var minimumResolution: Duration { base.minimumResolution }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try await base.sleep(until: origin.advanced(by: deadline.offset), tolerance: tolerance)
  }
}

extension Clock<Duration> {
  /// Returns a clock whose reads of `now` in reducers are recorded under a key.
  ///
  /// Returns this clock if it already records reads or is unimplemented.
  func reading(as key: String) -> any Clock<Duration> {
    // Creating a `ReadInterceptingClock` reads `now`, which an unimplemented clock would report as a use.
    if self is any DependencyWrapping || self is UnimplementedClock<Swift.Duration> { return self }
    return ReadInterceptingClock(base: self, key: key, origin: now)
  }
}

extension ReadInterceptingClock: DependencyWrapping {
  var wrappedDependency: Any { base }
}
