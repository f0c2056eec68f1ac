/// The clock of a test that has not set one: it says so when it is used, and goes on as another clock does.
///
/// ```swift
/// let store = TestStore(initialState: Timer.State()) { Timer() } withDependencies: {
///   $0.continuousClock = .unimplemented   // nothing in this test may wait
/// }
/// ```
public struct UnimplementedClock<Duration: DurationProtocol & Hashable>: Clock {
  /// An instant of the clock, counted from where it began.
  public typealias Instant = AnyClock<Duration>.Instant

  private let base: AnyClock<Duration>
  private let name: String

  /// Makes the clock.
  ///
  /// - Parameters:
  ///   - base: What the clock does besides reporting issues.
  ///   - name: What the issues call it.
  public init<C: Clock<Duration>>(_ base: C, name: String = "\(C.self)") {
    self.base = AnyClock(base)
    self.name = name
  }

  /// The current instant, and an issue.
  public var now: Instant {
    reportIssue(Messages.unimplemented(name + ".now"))
    return base.now
  }

  /// The shortest time that the clock can tell, and an issue.
  public var minimumResolution: Duration {
    reportIssue(Messages.unimplemented(name + ".minimumResolution"))
    return base.minimumResolution
  }

  /// Sleeps as the other clock does, with an issue.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    reportIssue(Messages.unimplemented(name + ".sleep"))
    try await base.sleep(until: deadline, tolerance: tolerance)
  }
}

extension UnimplementedClock where Duration == Swift.Duration {
  /// Makes a clock on which no sleep takes time.
  ///
  /// - Parameter name: What the issues call it.
  public init(name: String = "Clock") {
    self.init(ImmediateClock(), name: name)
  }
}

extension Clock where Self == UnimplementedClock<Swift.Duration> {
  /// A clock that reports an issue whenever it is used.
  public static var unimplemented: Self { UnimplementedClock() }

  /// A clock that reports an issue whenever it is used.
  ///
  /// - Parameter name: What the issues call it.
  /// - Returns: The clock.
  public static func unimplemented(_ name: String = "Clock") -> Self {
    UnimplementedClock(name: name)
  }
}
