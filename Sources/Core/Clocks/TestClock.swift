/// A clock that stands still until a test moves it.
///
/// ```swift
/// let clock = TestClock()
/// let store = Store(initialState: Timer.State()) { Timer() } withDependencies: {
///   $0.continuousClock = clock
/// }
/// store.send(.start)
/// await clock.advance(by: .seconds(1))
/// ```
///
/// Sleepers wake in the order of their deadlines, and each gets its turn before the next wakes.
/// A sleep of no time at all waits for the clock to be moved too.
public final class TestClock<Duration: DurationProtocol & Hashable>: Clock, Sendable {
  /// An instant of the clock, counted from where it began.
  public struct Instant: InstantProtocol {
    /// How far it is from where the clock began.
    public let offset: Duration

    /// Makes an instant.
    public init(offset: Duration = .zero) {
      self.offset = offset
    }

    /// The instant that lies a duration later.
    public func advanced(by duration: Duration) -> Instant {
      Instant(offset: offset + duration)
    }

    /// How long it is until another instant.
    public func duration(to other: Instant) -> Duration {
      other.offset - offset
    }

    /// Whether one instant comes before another.
    public static func < (lhs: Instant, rhs: Instant) -> Bool {
      lhs.offset < rhs.offset
    }
  }

  /// The shortest time that the clock can tell.
  public let minimumResolution: Duration = .zero

  private let sleepers: LockIsolated<Sleepers>

  /// Makes a clock that stands at an instant.
  public init(now: Instant) {
    self.sleepers = LockIsolated(Sleepers(now: now))
  }

  /// The instant at which the clock stands.
  public var now: Instant {
    sleepers.withValue { $0.now }
  }

  /// How many sleep on the clock.
  package var sleeperCount: Int {
    sleepers.withValue { $0.count }
  }

  /// Waits until the clock has been moved to an instant, or past it.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    guard let id = try sleepers.withValue({ try $0.register(deadline) }) else { return }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        // The handler below comes either before this, which then sees the cancellation, or after.
        let isCancelled = sleepers.withValue { sleepers in
          sleepers.add(continuation, as: id, until: deadline)
        }
        if isCancelled { continuation.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      sleepers.withValue { $0.remove(id) }?.resume(throwing: CancellationError())
    }
  }
}

extension TestClock where Duration == Swift.Duration {
  /// Makes a clock that stands at its beginning.
  public convenience init() {
    self.init(now: Instant())
  }
}

extension TestClock {
  /// Moves the clock on by a duration.
  public func advance(by duration: Duration = .zero) async {
    await advance(to: now.advanced(by: duration))
  }

  /// Moves the clock on to an instant.
  public func advance(to deadline: Instant) async {
    await Task.megaYield()
    while wakeFirst(until: deadline) { await Task.megaYield() }
    await Task.megaYield()
  }

  /// Moves the clock on to the first deadline until an instant and wakes one sleeper, or moves it on to that instant.
  ///
  /// - Returns: Whether one woke.
  package func wakeFirst(until end: Instant) -> Bool {
    guard let sleeper = sleepers.withValue({ $0.wakeFirst(until: end) }) else { return false }
    sleeper.resume()
    return true
  }

  /// Moves the clock on until nobody sleeps any more.
  ///
  /// - Parameters:
  ///   - timeout: How long to try, in real time, before that is an issue.
  ///   - fileID: The file of the call.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  public func run(
    timeout: Swift.Duration = .milliseconds(500),
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    await Task.megaYield()
    let end = ContinuousClock.now.advanced(by: timeout)
    while let next = sleepers.withValue({ $0.firstDeadline }) {
      guard ContinuousClock.now < end else {
        let location = IssueLocation(fileID: fileID, filePath: filePath, line: line, column: column)
        reportIssue(Messages.clockStillHasSleepers(after: timeout), at: location)
        return
      }
      await advance(to: Swift.max(next, now))
    }
  }

  /// Checks that nobody sleeps.
  ///
  /// ```swift
  /// task.cancel()
  /// try await clock.checkSuspension()
  /// ```
  ///
  /// - Throws: `SuspensionError` when someone does.
  public func checkSuspension() async throws {
    await Task.megaYield()
    guard sleepers.withValue({ $0.firstDeadline }) == nil else { throw SuspensionError() }
  }
}

/// Someone still sleeps on a test clock.
public struct SuspensionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Makes the error.
  public init() {}

  /// Says what was found and what to do.
  public var description: String { Messages.clockHasSleepers }
}

extension TestClock {
  /// Who sleeps, and until when.
  fileprivate struct Sleepers: Sendable {
    struct Sleeper: Sendable {
      let id: Int
      let deadline: Instant
      let continuation: CheckedContinuation<Void, any Error>
    }

    var now: Instant
    private var sleepers: [Sleeper] = []
    private var lastID = 0

    init(now: Instant) {
      self.now = now
    }

    var count: Int { sleepers.count }
    var firstDeadline: Instant? { sleepers.first?.deadline }

    /// A name for a sleeper, nil when there is nothing to wait for.
    mutating func register(_ deadline: Instant) throws -> Int? {
      try Task.checkCancellation()
      guard deadline >= now else { return nil }
      lastID += 1
      return lastID
    }

    mutating func add(
      _ continuation: CheckedContinuation<Void, any Error>,
      as id: Int,
      until deadline: Instant
    ) -> Bool {
      if Task.isCancelled { return true }
      let sleeper = Sleeper(id: id, deadline: deadline, continuation: continuation)
      // Behind all with the same deadline: who slept first wakes first.
      let index = sleepers.firstIndex { deadline < $0.deadline } ?? sleepers.endIndex
      sleepers.insert(sleeper, at: index)
      return false
    }

    mutating func remove(_ id: Int) -> CheckedContinuation<Void, any Error>? {
      guard let index = sleepers.firstIndex(where: { $0.id == id }) else { return nil }
      return sleepers.remove(at: index).continuation
    }

    /// Moves on to the first deadline, or, when nobody waits for that long, all the way.
    mutating func wakeFirst(until end: Instant) -> CheckedContinuation<Void, any Error>? {
      guard let first = sleepers.first, first.deadline <= end else {
        now = Swift.max(now, end)
        return nil
      }
      now = Swift.max(now, first.deadline)
      return sleepers.removeFirst().continuation
    }
  }
}
