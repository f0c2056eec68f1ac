#if canImport(Combine)
public import Combine
#endif

#if !canImport(Combine)
/// Does work at its time, where there is no Combine.
///
/// ```swift
/// DispatchQueue.main.schedule(after: DispatchQueue.main.now.advanced(by: .seconds(1))) { print("later") }
/// ```
///
/// Work may be handed over and done on any thread.
public protocol Scheduler<SchedulerTimeType> {
  /// A moment of the scheduler.
  associatedtype SchedulerTimeType: Strideable
  where SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible
  /// How work is to be done.
  associatedtype SchedulerOptions

  /// The current moment.
  var now: SchedulerTimeType { get }
  /// How exact the scheduler can be.
  var minimumTolerance: SchedulerTimeType.Stride { get }

  /// Does work as soon as it can.
  func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void)

  /// Does work at a moment, or as soon as it can after it.
  func schedule(
    after date: SchedulerTimeType,
    tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?,
    _ action: @escaping () -> Void
  )

  /// Does work at a moment and at an interval after it, until that is cancelled.
  func schedule(
    after date: SchedulerTimeType,
    interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) -> any Cancellable
}

extension Scheduler {
  /// Does work as soon as it can.
  public func schedule(_ action: @escaping () -> Void) {
    schedule(options: nil, action)
  }

  /// Does work at a moment, or as soon as it can after it.
  public func schedule(after date: SchedulerTimeType, _ action: @escaping () -> Void) {
    schedule(after: date, tolerance: minimumTolerance, options: nil, action)
  }

  /// Does work at a moment, or as soon as it can after it.
  public func schedule(
    after date: SchedulerTimeType,
    tolerance: SchedulerTimeType.Stride,
    _ action: @escaping () -> Void
  ) {
    schedule(after: date, tolerance: tolerance, options: nil, action)
  }

  /// Does work at a moment and at an interval after it, until that is cancelled.
  public func schedule(
    after date: SchedulerTimeType,
    interval: SchedulerTimeType.Stride,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    schedule(after: date, interval: interval, tolerance: minimumTolerance, options: nil, action)
  }

  /// Does work at a moment and at an interval after it, until that is cancelled.
  public func schedule(
    after date: SchedulerTimeType,
    interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    schedule(after: date, interval: interval, tolerance: tolerance, options: nil, action)
  }
}

/// A time between two moments of a scheduler.
///
/// ```swift
/// let later = DispatchQueue.main.now.advanced(by: .milliseconds(300))
/// ```
public protocol SchedulerTimeIntervalConvertible {
  /// A number of seconds.
  static func seconds(_ seconds: Int) -> Self
  /// A number of seconds.
  static func seconds(_ seconds: Double) -> Self
  /// A number of milliseconds.
  static func milliseconds(_ milliseconds: Int) -> Self
  /// A number of microseconds.
  static func microseconds(_ microseconds: Int) -> Self
  /// A number of nanoseconds.
  static func nanoseconds(_ nanoseconds: Int) -> Self
}

/// Something that can be cancelled.
///
/// ```swift
/// let timer: any Cancellable = queue.schedule(after: queue.now, interval: .seconds(1)) { print("tick") }
/// timer.cancel()
/// ```
public protocol Cancellable {
  /// Cancels it.
  func cancel()
}

/// Something that is cancelled at the latest when nothing holds it any more.
///
/// ```swift
/// var cancellables: Set<AnyCancellable> = []
/// AnyCancellable { observation.invalidate() }.store(in: &cancellables)
/// cancellables = []  // cancels
/// ```
public final class AnyCancellable: Cancellable, Hashable {
  private let action: LockIsolated<(() -> Void)?>

  /// Cancels by a function, which is called once.
  public init(_ cancel: @escaping () -> Void) {
    let cancel = UncheckedSendable(cancel)
    action = LockIsolated(cancel.value)
  }

  /// Cancels something else.
  public convenience init(_ other: some Cancellable) {
    self.init { other.cancel() }
  }

  deinit { cancel() }

  /// Cancels it; only the first call does something.
  public func cancel() {
    let cancel = action.withValue { action in
      defer { action = nil }
      return action
    }
    cancel?()
  }

  /// Keeps it in a set.
  public func store(in set: inout Set<AnyCancellable>) {
    set.insert(self)
  }

  /// Whether two are the same object.
  public static func == (lhs: AnyCancellable, rhs: AnyCancellable) -> Bool { lhs === rhs }

  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}
#endif

extension Scheduler {
  /// Waits for a time.
  ///
  /// - Parameters:
  ///   - duration: How long.
  ///   - tolerance: How late it may end.
  ///   - options: How the scheduler does it.
  ///   - isolation: The actor of the caller.
  /// - Throws: `CancellationError` in a task that is cancelled.
  public func sleep(
    for duration: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride = .zero,
    options: SchedulerOptions? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) async throws {
    try Task.checkCancellation()
    try await sleep(
      until: now.advanced(by: duration),
      tolerance: tolerance,
      options: options,
      isolation: isolation
    )
  }

  /// Waits until a moment has come.
  ///
  /// - Parameters:
  ///   - deadline: The moment.
  ///   - tolerance: How late it may end.
  ///   - options: How the scheduler does it.
  ///   - isolation: The actor of the caller.
  /// - Throws: `CancellationError` in a task that is cancelled.
  public func sleep(
    until deadline: SchedulerTimeType,
    tolerance: SchedulerTimeType.Stride = .zero,
    options: SchedulerOptions? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) async throws {
    try Task.checkCancellation()
    let (wakes, continuation) = AsyncStream<Void>.makeStream()
    // Work that repeats, because only that can be cancelled; it is, when the stream ends.
    let work = schedule(
      after: deadline,
      interval: .seconds(1),
      tolerance: tolerance,
      options: options
    ) { continuation.finish() }
    let cancellable = UncheckedSendable(work)
    continuation.onTermination = { _ in cancellable.value.cancel() }
    for await _ in wakes {}
    cancellable.value.cancel()
    try Task.checkCancellation()
  }

  /// Ticks at an interval until the task is cancelled.
  ///
  /// ```swift
  /// for await _ in mainQueue.timer(interval: .seconds(1)) { await send(.tick) }
  /// ```
  ///
  /// - Parameters:
  ///   - interval: The time between two ticks.
  ///   - tolerance: How late a tick may be.
  ///   - options: How the scheduler does it.
  /// - Returns: The moments of the ticks.
  public func timer(
    interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride = .zero,
    options: SchedulerOptions? = nil
  ) -> AsyncStream<SchedulerTimeType> {
    let (ticks, continuation) = AsyncStream<SchedulerTimeType>.makeStream()
    let work = schedule(
      after: now.advanced(by: interval),
      interval: interval,
      tolerance: tolerance,
      options: options
    ) {
      // A moment is a value, of which not every scheduler says that it is `Sendable`.
      nonisolated(unsafe) let now = now
      continuation.yield(now)
    }
    continuation.onTermination = cancelling(work)
    return ticks
  }

  /// The time that work takes, by this scheduler.
  ///
  /// - Parameter work: The work.
  /// - Returns: The time.
  /// - Throws: What the work throws.
  public func measure(_ work: () throws -> Void) rethrows -> SchedulerTimeType.Stride {
    let start = now
    try work()
    return start.distance(to: now)
  }
}

/// A function of anything that cancels work.
private func cancelling<Event>(_ work: any Cancellable) -> @Sendable (Event) -> Void {
  let work = UncheckedSendable(work)
  return { _ in work.value.cancel() }
}
