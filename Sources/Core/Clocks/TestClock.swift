/// A clock whose time stands still until a test advances it.
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
/// Sleeping tasks resume in the order of their deadlines. Each task gets time to run before the next one
/// resumes. A sleep of zero duration also waits until the clock is advanced.
public final class TestClock<Duration: DurationProtocol & Hashable>: Clock, Sendable {
  /// An instant of a test clock, relative to offset zero.
  public struct Instant: InstantProtocol {
    /// The duration between offset zero and the instant.
    public let offset: Duration

    /// Creates an instant from the duration between offset zero and the instant.
    public init(offset: Duration = .zero) {
      self.offset = offset
    }

    /// Returns the sum of this instant and a duration.
    public func advanced(by duration: Duration) -> Instant {
      Instant(offset: offset + duration)
    }

    /// Returns the duration to another instant, which is negative if that instant is earlier.
    ///
    /// ```swift
    /// let start = clock.now
    /// await clock.advance(by: .seconds(3))
    /// start.duration(to: clock.now)  // 3.0 seconds
    /// ```
    public func duration(to other: Instant) -> Duration {
      other.offset - offset
    }

    /// Returns whether the first instant is earlier than the second.
    public static func < (lhs: Instant, rhs: Instant) -> Bool {
      lhs.offset < rhs.offset
    }
  }

  /// The resolution of the clock: zero, because tests set the time exactly.
  public let minimumResolution: Duration = .zero

  private let sleepers: LockIsolated<Sleepers>

  /// Creates a clock that starts at an instant.
  public init(now: Instant) {
    self.sleepers = LockIsolated(Sleepers(now: now))
  }

  /// The current instant, which changes only when a test advances the clock.
  public var now: Instant {
    sleepers.withValue { $0.now }
  }

  /// The number of tasks that sleep on the clock.
  package var sleeperCount: Int {
    sleepers.withValue { $0.count }
  }

  /// Suspends until a test advances the clock to a deadline or past it.
  ///
  /// - Throws: `CancellationError` if the task is canceled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    guard let id = try sleepers.withValue({ try $0.register(deadline) }) else { return }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        // If the task is canceled before this closure runs, the handler below finds no sleeper, and `add` detects the
        // cancellation. Otherwise, the handler finds the sleeper.
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
  /// Creates a clock that starts at offset zero.
  public convenience init() {
    self.init(now: Instant())
  }
}

extension TestClock {
  /// Advances the clock by a duration, and resumes the tasks whose deadlines the clock reaches.
  public func advance(by duration: Duration = .zero) async {
    await advance(to: now.advanced(by: duration))
  }

  /// Advances the clock to an instant, and resumes the tasks whose deadlines the clock reaches.
  public func advance(to deadline: Instant) async {
    await Task.megaYield()
    while wakeFirst(until: deadline) { await Task.megaYield() }
    await Task.megaYield()
  }

  /// Advances the clock to the earliest deadline, and resumes the task that waits for it.
  ///
  /// If all deadlines are later than the given instant, the clock advances to that instant.
  ///
  /// - Returns: Whether a task was resumed.
  package func wakeFirst(until end: Instant) -> Bool {
    guard let sleeper = sleepers.withValue({ $0.wakeFirst(until: end) }) else { return false }
    sleeper.resume()
    return true
  }

  /// Advances the clock until no task sleeps on it.
  ///
  /// - Parameters:
  ///   - timeout: The maximum duration of the call in real time. A longer call reports an issue and returns.
  ///   - fileID: The module and name of the file that contains the call.
  ///   - filePath: The path of the file that contains the call.
  ///   - line: The line number of the call.
  ///   - column: The column number of the call.
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

  /// Verifies that no task sleeps on the clock.
  ///
  /// ```swift
  /// task.cancel()
  /// try await clock.checkSuspension()
  /// ```
  ///
  /// - Throws: `SuspensionError` if a task sleeps on the clock.
  public func checkSuspension() async throws {
    await Task.megaYield()
    guard sleepers.withValue({ $0.firstDeadline }) == nil else { throw SuspensionError() }
  }
}

/// An error that indicates that a task still sleeps on a test clock.
///
/// ```swift
/// let clock = TestClock()
/// let task = Task { try await clock.sleep(for: .seconds(1)) }
/// do { try await clock.checkSuspension() } catch is SuspensionError { task.cancel() }
/// ```
public struct SuspensionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Creates an error without details.
  public init() {}

  /// A message that says what was found and suggests a fix.
  public var description: String { Messages.clockHasSleepers }
}

extension TestClock {
  /// The current instant, and the sleeping tasks in the order of their deadlines.
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

    /// Returns an id for a new sleeper, or `nil` if the deadline has passed.
    ///
    /// - Throws: `CancellationError` if the current task is canceled.
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
      // Inserts the sleeper after those with the same deadline, so that they resume in the order in which they began.
      let index = sleepers.firstIndex { deadline < $0.deadline } ?? sleepers.endIndex
      sleepers.insert(sleeper, at: index)
      return false
    }

    mutating func remove(_ id: Int) -> CheckedContinuation<Void, any Error>? {
      guard let index = sleepers.firstIndex(where: { $0.id == id }) else { return nil }
      return sleepers.remove(at: index).continuation
    }

    /// Advances to the earliest deadline and removes its sleeper, or advances to `end` if no deadline is due by then.
    ///
    /// - Returns: The continuation of the removed sleeper, if any.
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

/// A clock on which sleeps take no time.
///
/// The clock jumps to the deadline of each sleep.
///
/// ```swift
/// let store = TestStore(initialState: Feature.State()) {
///   Feature()
/// } withDependencies: {
///   $0.continuousClock = ImmediateClock()
/// }
/// ```
public final class ImmediateClock<Duration: DurationProtocol & Hashable>: Clock, Sendable {
  /// An instant of an immediate clock, relative to offset zero.
  public struct Instant: InstantProtocol {
    fileprivate let offset: Duration

    /// Creates an instant from the duration between offset zero and the instant.
    public init(offset: Duration = .zero) {
      self.offset = offset
    }

    /// Returns the sum of this instant and a duration.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    /// Returns the duration to another instant, which is negative if that instant is earlier.
    public func duration(to other: Instant) -> Duration { other.offset - offset }
    /// Returns whether the first instant is earlier than the second.
    public static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
  }

  private let instant: LockIsolated<Instant>

  /// Creates a clock that starts at an instant.
  public init(now: Instant) {
    self.instant = LockIsolated(now)
  }

  /// The current instant: the latest deadline to which the clock has jumped, or the instant at which the clock started.
  public var now: Instant { instant.withValue { $0 } }

  /// The resolution of the clock: zero, because the clock jumps exactly to each deadline.
  public let minimumResolution: Duration = .zero

  /// Jumps to a deadline, unless the deadline has passed, and lets other tasks run.
  ///
  /// - Throws: `CancellationError` if the task is canceled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    instant.withValue { $0 = max($0, deadline) }
    await Task.megaYield()
  }
}

extension ImmediateClock where Duration == Swift.Duration {
  /// Creates a clock that starts at offset zero.
  public convenience init() {
    self.init(now: Instant())
  }
}

extension Clock where Self == ImmediateClock<Swift.Duration> {
  /// A new clock, starting at offset zero, on which sleeps take no time.
  public static var immediate: ImmediateClock<Swift.Duration> { ImmediateClock() }
}

/// The default clock of tests, which reports an issue at each use.
///
/// The clock otherwise behaves like the base clock that it wraps.
///
/// ```swift
/// let store = TestStore(initialState: Timer.State()) { Timer() } withDependencies: {
///   $0.continuousClock = .unimplemented   // nothing in this test may wait
/// }
/// ```
public struct UnimplementedClock<Duration: DurationProtocol & Hashable>: Clock {
  /// An instant of the clock, relative to the creation of the clock.
  public typealias Instant = AnyClock<Duration>.Instant

  private let base: AnyClock<Duration>
  private let name: String

  /// Creates a clock that reports an issue at each use.
  ///
  /// - Parameters:
  ///   - base: The clock to which each use is forwarded.
  ///   - name: The name of the clock in issues.
  public init<C: Clock<Duration>>(_ base: C, name: String = "\(C.self)") {
    self.base = AnyClock(base)
    self.name = name
  }

  /// The current instant of the base clock.
  ///
  /// Each read reports an issue.
  public var now: Instant {
    reportIssue(Messages.unimplemented(name + ".now"))
    return base.now
  }

  /// The resolution of the base clock.
  ///
  /// Each read reports an issue.
  public var minimumResolution: Duration {
    reportIssue(Messages.unimplemented(name + ".minimumResolution"))
    return base.minimumResolution
  }

  /// Suspends until the base clock reaches a deadline, and reports an issue.
  ///
  /// - Throws: The error of the base clock. Clocks throw `CancellationError` if the task is canceled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    reportIssue(Messages.unimplemented(name + ".sleep"))
    try await base.sleep(until: deadline, tolerance: tolerance)
  }
}

extension UnimplementedClock where Duration == Swift.Duration {
  /// Creates a clock on which sleeps take no time, and each use reports an issue.
  ///
  /// - Parameter name: The name of the clock in issues.
  public init(name: String = "Clock") {
    self.init(ImmediateClock(), name: name)
  }
}

extension Clock where Self == UnimplementedClock<Swift.Duration> {
  /// A clock that reports an issue at each use.
  public static var unimplemented: Self { UnimplementedClock() }

  /// Returns a named clock that reports an issue at each use.
  ///
  /// - Parameter name: The name of the clock in issues.
  /// - Returns: A clock on which sleeps take no time.
  public static func unimplemented(_ name: String = "Clock") -> Self {
    UnimplementedClock(name: name)
  }
}
