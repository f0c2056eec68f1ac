#if canImport(Combine)
public import Combine
#endif

#if !canImport(Combine)
/// A type that performs actions at certain times, on platforms without Combine.
///
/// ```swift
/// DispatchQueue.main.schedule(after: DispatchQueue.main.now.advanced(by: .seconds(1))) { print("later") }
/// ```
///
/// Actions may be scheduled and performed on any thread.
public protocol Scheduler<SchedulerTimeType> {
  /// The type for points in time of the scheduler.
  associatedtype SchedulerTimeType: Strideable
  where SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible
  /// The type of the options for scheduled actions.
  associatedtype SchedulerOptions

  /// The current time of the scheduler.
  var now: SchedulerTimeType { get }
  /// The smallest tolerance that the scheduler supports.
  var minimumTolerance: SchedulerTimeType.Stride { get }

  /// Performs an action as soon as possible.
  func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void)

  /// Performs an action at the specified time, or as soon as possible after it.
  func schedule(
    after date: SchedulerTimeType,
    tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?,
    _ action: @escaping () -> Void
  )

  /// Performs an action at the specified time and then at regular intervals, until the returned object is canceled.
  func schedule(
    after date: SchedulerTimeType,
    interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) -> any Cancellable
}

extension Scheduler {
  /// Performs an action as soon as possible, without options.
  public func schedule(_ action: @escaping () -> Void) {
    schedule(options: nil, action)
  }

  /// Performs an action at the specified time, or as soon as possible after it, with the minimum tolerance.
  public func schedule(after date: SchedulerTimeType, _ action: @escaping () -> Void) {
    schedule(after: date, tolerance: minimumTolerance, options: nil, action)
  }

  /// Performs an action at the specified time, or as soon as possible after it.
  public func schedule(
    after date: SchedulerTimeType,
    tolerance: SchedulerTimeType.Stride,
    _ action: @escaping () -> Void
  ) {
    schedule(after: date, tolerance: tolerance, options: nil, action)
  }

  /// Performs an action at the specified time and then at regular intervals, until the returned object is canceled.
  public func schedule(
    after date: SchedulerTimeType,
    interval: SchedulerTimeType.Stride,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    schedule(after: date, interval: interval, tolerance: minimumTolerance, options: nil, action)
  }

  /// Performs an action at the specified time and then at regular intervals, until the returned object is canceled.
  public func schedule(
    after date: SchedulerTimeType,
    interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    schedule(after: date, interval: interval, tolerance: tolerance, options: nil, action)
  }
}

/// A type of intervals between two times of a scheduler.
///
/// ```swift
/// let later = DispatchQueue.main.now.advanced(by: .milliseconds(300))
/// ```
public protocol SchedulerTimeIntervalConvertible {
  /// Returns an interval with the given length in seconds.
  static func seconds(_ seconds: Int) -> Self
  /// Returns an interval with the given length in seconds.
  static func seconds(_ seconds: Double) -> Self
  /// Returns an interval with the given length in milliseconds.
  static func milliseconds(_ milliseconds: Int) -> Self
  /// Returns an interval with the given length in microseconds.
  static func microseconds(_ microseconds: Int) -> Self
  /// Returns an interval with the given length in nanoseconds.
  static func nanoseconds(_ nanoseconds: Int) -> Self
}

/// An activity that can be canceled.
///
/// ```swift
/// let timer: any Cancellable = queue.schedule(after: queue.now, interval: .seconds(1)) { print("tick") }
/// timer.cancel()
/// ```
public protocol Cancellable {
  /// Cancels the activity, so that it performs no more actions.
  func cancel()
}

/// An activity that can be canceled, and that is also canceled when its last reference is released.
///
/// ```swift
/// var cancellables: Set<AnyCancellable> = []
/// AnyCancellable { observation.invalidate() }.store(in: &cancellables)
/// cancellables = []  // cancels the activity
/// ```
public final class AnyCancellable: Cancellable, Hashable {
  private let action: LockIsolated<(() -> Void)?>

  /// Creates an activity from a closure that cancels it.
  ///
  /// The closure is called at most once.
  public init(_ cancel: @escaping () -> Void) {
    let cancel = UncheckedSendable(cancel)
    action = LockIsolated(cancel.value)
  }

  /// Creates an activity whose cancellation cancels another activity.
  public convenience init(_ other: some Cancellable) {
    self.init { other.cancel() }
  }

  deinit { cancel() }

  /// Cancels the activity at the first call; further calls have no effect.
  public func cancel() {
    let cancel = action.withValue { action in
      defer { action = nil }
      return action
    }
    cancel?()
  }

  /// Inserts the activity into a set, which retains it.
  public func store(in set: inout Set<AnyCancellable>) {
    set.insert(self)
  }

  /// Returns whether two activities are the same object.
  public static func == (lhs: AnyCancellable, rhs: AnyCancellable) -> Bool { lhs === rhs }

  /// Hashes the identity of the object.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }
}
#endif

extension Scheduler {
  /// Suspends for a duration.
  ///
  /// - Parameters:
  ///   - duration: The length of the suspension.
  ///   - tolerance: The maximum delay after the end of the duration.
  ///   - options: The options to pass to the scheduler.
  ///   - isolation: The actor of the caller, on which the function returns.
  /// - Throws: `CancellationError` if the task is canceled.
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

  /// Suspends until the scheduler reaches a deadline.
  ///
  /// - Parameters:
  ///   - deadline: The time at which the suspension ends.
  ///   - tolerance: The maximum delay after the deadline.
  ///   - options: The options to pass to the scheduler.
  ///   - isolation: The actor of the caller, on which the function returns.
  /// - Throws: `CancellationError` if the task is canceled.
  public func sleep(
    until deadline: SchedulerTimeType,
    tolerance: SchedulerTimeType.Stride = .zero,
    options: SchedulerOptions? = nil,
    isolation: isolated (any Actor)? = #isolation
  ) async throws {
    try Task.checkCancellation()
    let (wakes, continuation) = AsyncStream<Void>.makeStream()
    // Schedules a repeating action, because other actions can't be canceled. The end of the stream cancels the action.
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

  /// Returns a stream that ticks at regular intervals until the task that iterates over it is canceled.
  ///
  /// ```swift
  /// for await _ in mainQueue.timer(interval: .seconds(1)) { await send(.tick) }
  /// ```
  ///
  /// - Parameters:
  ///   - interval: The time between two ticks.
  ///   - tolerance: The maximum delay of a tick.
  ///   - options: The options to pass to the scheduler.
  /// - Returns: A stream of the times of the ticks.
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
      // Unsafe, but times are values, although some schedulers don't declare them as `Sendable`.
      nonisolated(unsafe) let now = now
      continuation.yield(now)
    }
    continuation.onTermination = cancelling(work)
    return ticks
  }

  /// Measures the duration of a closure, in the time of this scheduler.
  ///
  /// - Parameter work: The closure to measure.
  /// - Returns: The time that passed while the closure ran.
  /// - Throws: The error of `work`.
  public func measure(_ work: () throws -> Void) rethrows -> SchedulerTimeType.Stride {
    let start = now
    try work()
    return start.distance(to: now)
  }
}

/// Returns a closure that ignores its argument and cancels an activity.
private func cancelling<Event>(_ work: any Cancellable) -> @Sendable (Event) -> Void {
  let work = UncheckedSendable(work)
  return { _ in work.value.cancel() }
}
