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
/// Sleepers wake in the order of their deadlines, and each gets its turn before the next wakes.
/// A sleep of no time at all waits for the clock to be moved too.
public final class TestClock<Duration: DurationProtocol & Hashable>: Clock, Sendable {
  /// An instant of the clock, counted from where it began.
  public struct Instant: InstantProtocol {
    /// The distance from the clock's beginning.
    public let offset: Duration

    /// Makes an instant.
    public init(offset: Duration = .zero) {
      self.offset = offset
    }

    /// The instant that lies a duration later.
    public func advanced(by duration: Duration) -> Instant {
      Instant(offset: offset + duration)
    }

    /// The time until another instant; negative when that lies before this one.
    ///
    /// ```swift
    /// let start = clock.now
    /// await clock.advance(by: .seconds(3))
    /// start.duration(to: clock.now)  // 3.0 seconds
    /// ```
    public func duration(to other: Instant) -> Duration {
      other.offset - offset
    }

    /// Whether one instant comes before another.
    public static func < (lhs: Instant, rhs: Instant) -> Bool {
      lhs.offset < rhs.offset
    }
  }

  /// The resolution of the clock: zero, because it is exact.
  public let minimumResolution: Duration = .zero

  private let sleepers: LockIsolated<Sleepers>

  /// Makes a clock at an instant.
  public init(now: Instant) {
    self.sleepers = LockIsolated(Sleepers(now: now))
  }

  /// The instant of the clock.
  public var now: Instant {
    sleepers.withValue { $0.now }
  }

  /// The number of tasks that sleep on the clock.
  package var sleeperCount: Int {
    sleepers.withValue { $0.count }
  }

  /// Waits until the clock has been moved to an instant, or past it.
  ///
  /// - Throws: `CancellationError` when the task is cancelled.
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
  /// Makes a clock at its beginning.
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

  /// Moves the clock on until no task sleeps on it.
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

  /// Checks that no task sleeps on the clock.
  ///
  /// ```swift
  /// task.cancel()
  /// try await clock.checkSuspension()
  /// ```
  ///
  /// - Throws: `SuspensionError` if one does.
  public func checkSuspension() async throws {
    await Task.megaYield()
    guard sleepers.withValue({ $0.firstDeadline }) == nil else { throw SuspensionError() }
  }
}

/// A task still sleeps on a test clock.
///
/// ```swift
/// let clock = TestClock()
/// let task = Task { try await clock.sleep(for: .seconds(1)) }
/// do { try await clock.checkSuspension() } catch is SuspensionError { task.cancel() }
/// ```
public struct SuspensionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Makes the error.
  public init() {}

  /// Says what was found and what to do.
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
      // After all with the same deadline: they wake in the order in which they began to sleep.
      let index = sleepers.firstIndex { deadline < $0.deadline } ?? sleepers.endIndex
      sleepers.insert(sleeper, at: index)
      return false
    }

    mutating func remove(_ id: Int) -> CheckedContinuation<Void, any Error>? {
      guard let index = sleepers.firstIndex(where: { $0.id == id }) else { return nil }
      return sleepers.remove(at: index).continuation
    }

    /// Moves on to the first deadline, or to the end if there is none before it.
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

/// A clock on which no sleep takes time: it jumps to each deadline.
///
/// ```swift
/// let store = TestStore(initialState: Feature.State()) {
///   Feature()
/// } withDependencies: {
///   $0.continuousClock = ImmediateClock()
/// }
/// ```
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
    /// The time until another instant; negative when that lies before this one.
    public func duration(to other: Instant) -> Duration { other.offset - offset }
    /// Whether one instant comes before another.
    public static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
  }

  private let instant: LockIsolated<Instant>

  /// Makes a clock at an instant.
  public init(now: Instant) {
    self.instant = LockIsolated(now)
  }

  /// The last deadline that a task slept to.
  public var now: Instant { instant.withValue { $0 } }

  /// The resolution of the clock: zero, because it is exact.
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
  /// Makes a clock at its beginning.
  public convenience init() {
    self.init(now: Instant())
  }
}

extension Clock where Self == ImmediateClock<Swift.Duration> {
  /// A clock on which no sleep takes time.
  public static var immediate: ImmediateClock<Swift.Duration> { ImmediateClock() }
}

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

  /// The resolution of the clock, and an issue.
  public var minimumResolution: Duration {
    reportIssue(Messages.unimplemented(name + ".minimumResolution"))
    return base.minimumResolution
  }

  /// Sleeps as the other clock does, with an issue.
  ///
  /// - Throws: What the other clock throws.
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
