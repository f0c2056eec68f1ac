/// A clock on which no sleep takes time: it jumps to each deadline.
public final class ImmediateClock<Duration: DurationProtocol & Hashable>: Clock, Sendable {
  /// An instant of the clock, counted from where it began.
  public struct Instant: InstantProtocol {
    fileprivate let offset: Duration

    /// Makes an instant.
    public init(offset: Duration = .zero) {
      self.offset = offset
    }

    /// The instant that lies a duration later.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    /// How long it is until another instant.
    public func duration(to other: Instant) -> Duration { other.offset - offset }
    /// Whether one instant comes before another.
    public static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
  }

  private let instant: LockIsolated<Instant>

  /// Makes a clock that stands at an instant.
  public init(now: Instant) {
    self.instant = LockIsolated(now)
  }

  /// The last deadline that someone slept to.
  public var now: Instant { instant.withValue { $0 } }

  /// The shortest time that the clock can tell.
  public let minimumResolution: Duration = .zero

  /// Jumps to the deadline.
  ///
  /// - Throws: `CancellationError` in a cancelled task.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    instant.withValue { $0 = max($0, deadline) }
    await Task.megaYield()
  }
}

extension ImmediateClock where Duration == Swift.Duration {
  /// Makes a clock that stands at its beginning.
  public convenience init() {
    self.init(now: Instant())
  }
}

extension Clock where Self == ImmediateClock<Swift.Duration> {
  /// A clock on which no sleep takes time.
  public static var immediate: ImmediateClock<Swift.Duration> { ImmediateClock() }
}
