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
/// Sleeping tasks resume in the order of their deadlines, and each may run before the next one resumes. A sleep of zero
/// duration also waits until the clock is advanced.
public final class TestClock<Duration: DurationProtocol & Hashable>: Clock, Sendable {
  /// An instant of the clock, relative to its start.
  public struct Instant: InstantProtocol {
    /// The duration since the start of the clock.
    public let offset: Duration

    /// Creates an instant with an offset from the start of the clock.
    public init(offset: Duration = .zero) {
      self.offset = offset
    }

    /// Returns the instant after a duration.
    public func advanced(by duration: Duration) -> Instant {
      Instant(offset: offset + duration)
    }

    /// Returns the duration to another instant.
    ///
    /// It is negative if the other instant is earlier.
    ///
    /// ```swift
    /// let start = clock.now
    /// await clock.advance(by: .seconds(3))
    /// start.duration(to: clock.now)  // 3.0 seconds
    /// ```
    public func duration(to other: Instant) -> Duration {
      other.offset - offset
    }

    /// Whether one instant is earlier than another.
    public static func < (lhs: Instant, rhs: Instant) -> Bool {
      lhs.offset < rhs.offset
    }
  }

  /// The resolution of the clock: zero, because it is exact.
  public let minimumResolution: Duration = .zero

  private let sleepers: LockIsolated<Sleepers>

  /// Creates a clock whose current instant is the given one.
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

  /// Suspends until the clock is advanced to or past a deadline.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    guard let id = try sleepers.withValue({ try $0.register(deadline) }) else { return }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        // The cancellation handler below runs before this closure, which then sees the cancellation, or after it.
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
  /// Creates a clock at offset zero.
  public convenience init() {
    self.init(now: Instant())
  }
}

extension TestClock {
  /// Advances the clock by a duration.
  public func advance(by duration: Duration = .zero) async {
    await advance(to: now.advanced(by: duration))
  }

  /// Advances the clock to an instant.
  public func advance(to deadline: Instant) async {
    await Task.megaYield()
    while wakeFirst(until: deadline) { await Task.megaYield() }
    await Task.megaYield()
  }

  /// Advances the clock to the first deadline and resumes one task.
  ///
  /// If no deadline is due, advances it to the given instant.
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
  ///   - timeout: The maximum duration of the call in real time. Longer calls report an issue.
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

  /// Verifies that no task sleeps on the clock.
  ///
  /// ```swift
  /// task.cancel()
  /// try await clock.checkSuspension()
  /// ```
  ///
  /// - Throws: `SuspensionError` if a task sleeps.
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
  /// Creates the error.
  public init() {}

  /// A message with the finding and a suggested fix.
  public var description: String { Messages.clockHasSleepers }
}

extension TestClock {
  /// The sleeping tasks and their deadlines.
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

    /// Returns the number of a new sleeper, or `nil` if the deadline has passed.
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
      // Inserts after equal deadlines, so that those tasks resume in the order in which they began to sleep.
      let index = sleepers.firstIndex { deadline < $0.deadline } ?? sleepers.endIndex
      sleepers.insert(sleeper, at: index)
      return false
    }

    mutating func remove(_ id: Int) -> CheckedContinuation<Void, any Error>? {
      guard let index = sleepers.firstIndex(where: { $0.id == id }) else { return nil }
      return sleepers.remove(at: index).continuation
    }

    /// Advances to the first deadline, or to the end if no deadline is due.
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
/// It jumps to each deadline.
///
/// ```swift
/// let store = TestStore(initialState: Feature.State()) {
///   Feature()
/// } withDependencies: {
///   $0.continuousClock = ImmediateClock()
/// }
/// ```
public final class ImmediateClock<Duration: DurationProtocol & Hashable>: Clock, Sendable {
  /// An instant of the clock, relative to its start.
  public struct Instant: InstantProtocol {
    fileprivate let offset: Duration

    /// Creates an instant with an offset from the start of the clock.
    public init(offset: Duration = .zero) {
      self.offset = offset
    }

    /// Returns the instant after a duration.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    /// Returns the duration to another instant.
    ///
    /// It is negative if the other instant is earlier.
    public func duration(to other: Instant) -> Duration { other.offset - offset }
    /// Whether one instant is earlier than another.
    public static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
  }

  private let instant: LockIsolated<Instant>

  /// Creates a clock whose current instant is the given one.
  public init(now: Instant) {
    self.instant = LockIsolated(now)
  }

  /// The current instant: the latest deadline to which the clock has jumped.
  public var now: Instant { instant.withValue { $0 } }

  /// The resolution of the clock: zero, because it is exact.
  public let minimumResolution: Duration = .zero

  /// Jumps to a deadline and returns without suspending for its duration.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    instant.withValue { $0 = max($0, deadline) }
    await Task.megaYield()
  }
}

extension ImmediateClock where Duration == Swift.Duration {
  /// Creates a clock at offset zero.
  public convenience init() {
    self.init(now: Instant())
  }
}

extension Clock where Self == ImmediateClock<Swift.Duration> {
  /// A new clock on which sleeps take no time.
  public static var immediate: ImmediateClock<Swift.Duration> { ImmediateClock() }
}

/// The default clock of tests.
///
/// It behaves like another clock and reports an issue at each use.
///
/// ```swift
/// let store = TestStore(initialState: Timer.State()) { Timer() } withDependencies: {
///   $0.continuousClock = .unimplemented   // nothing in this test may wait
/// }
/// ```
public struct UnimplementedClock<Duration: DurationProtocol & Hashable>: Clock {
  /// An instant of the clock, relative to its start.
  public typealias Instant = AnyClock<Duration>.Instant

  private let base: AnyClock<Duration>
  private let name: String

  /// Creates a clock that reports issues.
  ///
  /// - Parameters:
  ///   - base: The clock that provides the behavior.
  ///   - name: The name of the clock in issues.
  public init<C: Clock<Duration>>(_ base: C, name: String = "\(C.self)") {
    self.base = AnyClock(base)
    self.name = name
  }

  /// The current instant.
  ///
  /// Reading it reports an issue.
  public var now: Instant {
    reportIssue(Messages.unimplemented(name + ".now"))
    return base.now
  }

  /// The resolution of the base clock.
  ///
  /// Reading it reports an issue.
  public var minimumResolution: Duration {
    reportIssue(Messages.unimplemented(name + ".minimumResolution"))
    return base.minimumResolution
  }

  /// Suspends until a deadline of the base clock and reports an issue.
  ///
  /// - Throws: The error of the base clock.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    reportIssue(Messages.unimplemented(name + ".sleep"))
    try await base.sleep(until: deadline, tolerance: tolerance)
  }
}

extension UnimplementedClock where Duration == Swift.Duration {
  /// Creates a clock on which sleeps take no time and report an issue.
  ///
  /// - Parameter name: The name of the clock in issues.
  public init(name: String = "Clock") {
    self.init(ImmediateClock(), name: name)
  }
}

extension Clock where Self == UnimplementedClock<Swift.Duration> {
  /// A clock that reports an issue at each use.
  public static var unimplemented: Self { UnimplementedClock() }

  /// Returns a clock that reports an issue at each use.
  ///
  /// - Parameter name: The name of the clock in issues.
  /// - Returns: The clock.
  public static func unimplemented(_ name: String = "Clock") -> Self {
    UnimplementedClock(name: name)
  }
}
