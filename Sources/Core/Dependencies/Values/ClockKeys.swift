private enum ContinuousClockKey: DependencyKey {
  static let liveValue: any Clock<Duration> = ContinuousClock().reading(as: "continuousClock.now")
  static let testValue: any Clock<Duration> = UnimplementedClock(
    name: "@Dependency(\\.continuousClock)"
  )
}

private enum SuspendingClockKey: DependencyKey {
  static let liveValue: any Clock<Duration> = SuspendingClock().reading(as: "suspendingClock.now")
  static let testValue: any Clock<Duration> = UnimplementedClock(
    name: "@Dependency(\\.suspendingClock)"
  )
}

extension DependencyValues {
  /// A clock that goes on while the machine sleeps.
  public var continuousClock: any Clock<Duration> {
    get { self[ContinuousClockKey.self] }
    set { self[ContinuousClockKey.self] = newValue.reading(as: "continuousClock.now") }
  }

  /// A clock that stops while the machine sleeps.
  public var suspendingClock: any Clock<Duration> {
    get { self[SuspendingClockKey.self] }
    set { self[SuspendingClockKey.self] = newValue.reading(as: "suspendingClock.now") }
  }
}
