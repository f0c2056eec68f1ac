/// A clock whose `now` is a read, so that a reducer that looks at it can be replayed.
///
/// Its instants are durations since the clock was set as a dependency.
struct ReadClock<Base: Clock<Duration>>: Clock {
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
    // A clock that nobody set says so on use, not when it is handed on.
    if self is any DependencyWrapping || self is UnimplementedClock<Swift.Duration> { return self }
    return ReadClock(base: self, key: key, origin: now)
  }
}

extension ReadClock: DependencyWrapping {
  var wrappedDependency: Any { base }
}
