/// The clock of a test that has not set one: it says so when it is used, and never waits.
public struct UnimplementedClock: Clock {
  /// An instant of a clock that does not go.
  public struct Instant: InstantProtocol {
    fileprivate var offset: Duration = .zero

    /// The instant that lies a duration later.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    /// How long it is until another instant.
    public func duration(to other: Instant) -> Duration { other.offset - offset }
    /// Whether one instant comes before another.
    public static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
  }

  private let name: String

  /// Makes the clock.
  ///
  /// - Parameter name: What the issue calls it.
  public init(name: String = "Clock") {
    self.name = name
  }

  /// Always the same instant, and an issue.
  public var now: Instant {
    reportIssue(Messages.unimplemented(name + ".now"))
    return Instant()
  }

  /// No time at all, and an issue.
  public var minimumResolution: Duration {
    reportIssue(Messages.unimplemented(name + ".minimumResolution"))
    return .zero
  }

  /// Returns at once, with an issue.
  public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    reportIssue(Messages.unimplemented(name + ".sleep"))
    try Task.checkCancellation()
  }
}
