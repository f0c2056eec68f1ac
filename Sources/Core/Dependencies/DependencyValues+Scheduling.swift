public import Dispatch
public import Foundation

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
  /// A clock that continues to advance while the machine sleeps.
  public var continuousClock: any Clock<Duration> {
    get { self[ContinuousClockKey.self] }
    set { self[ContinuousClockKey.self] = newValue.reading(as: "continuousClock.now") }
  }

  /// A clock that stops while the machine sleeps.
  ///
  /// ```swift
  /// @Dependency(\.suspendingClock) var clock
  /// try await clock.sleep(for: .seconds(60))  // one minute, not counting the time in which the machine sleeps
  /// ```
  public var suspendingClock: any Clock<Duration> {
    get { self[SuspendingClockKey.self] }
    set { self[SuspendingClockKey.self] = newValue.reading(as: "suspendingClock.now") }
  }
}

private enum MainQueueKey: DependencyKey {
  static var liveValue: AnySchedulerOf<DispatchQueue> { .main.reading }
  static var testValue: AnySchedulerOf<DispatchQueue> {
    .unimplemented("@Dependency(\\.mainQueue)")
  }
}

private enum MainRunLoopKey: DependencyKey {
  static var liveValue: AnySchedulerOf<RunLoop> { .main.reading }
  static var testValue: AnySchedulerOf<RunLoop> {
    .unimplemented("@Dependency(\\.mainRunLoop)")
  }
}

extension DependencyValues {
  /// The main queue, for features that use a scheduler instead of a clock.
  ///
  /// Tests must set this dependency, for example to `DispatchQueue.test.eraseToAnyScheduler()` or `.immediate`.
  public var mainQueue: AnySchedulerOf<DispatchQueue> {
    get { self[MainQueueKey.self] }
    set { self[MainQueueKey.self] = newValue.reading }
  }

  /// The main run loop, for features that use a scheduler instead of a clock.
  ///
  /// ```swift
  /// let store = TestStore(initialState: Ticker.State()) { Ticker() } withDependencies: {
  ///   $0.mainRunLoop = .immediate
  /// }
  /// ```
  ///
  /// Tests must set this dependency, for example to `RunLoop.test.eraseToAnyScheduler()` or `.immediate`.
  public var mainRunLoop: AnySchedulerOf<RunLoop> {
    get { self[MainRunLoopKey.self] }
    set { self[MainRunLoopKey.self] = newValue.reading }
  }
}

extension AnyScheduler
where
  SchedulerTimeType == DispatchQueue.SchedulerTimeType,
  SchedulerOptions == DispatchQueue.SchedulerOptions
{
  fileprivate var reading: Self {
    reading(
      as: "mainQueue.now",
      standIn: 1,
      value: { $0.dispatchTime.uptimeNanoseconds },
      time: { SchedulerTimeType(DispatchTime(uptimeNanoseconds: $0)) }
    )
  }
}

extension AnyScheduler
where
  SchedulerTimeType == RunLoop.SchedulerTimeType,
  SchedulerOptions == RunLoop.SchedulerOptions
{
  fileprivate var reading: Self {
    reading(
      as: "mainRunLoop.now",
      standIn: Date(timeIntervalSince1970: 0),
      value: { $0.date },
      time: { SchedulerTimeType($0) }
    )
  }
}

/// A function that starts an operation without waiting for its result.
///
/// ```swift
/// @Dependency(\.fireAndForget) var fireAndForget
/// await fireAndForget { try await analytics.track("tapped") }
/// ```
///
/// The operation continues if its caller is canceled. In tests, the call waits for the operation, so that the test can
/// check the result.
public struct FireAndForget: Sendable {
  /// The type of the operations to start.
  public typealias Operation = @Sendable () async throws -> Void

  private let perform: @Sendable (TaskPriority?, @escaping Operation) async -> Void

  /// Creates an effect that calls a function with a task priority and the operation to start.
  public init(
    _ perform: @escaping @Sendable (TaskPriority?, @escaping Operation) async -> Void
  ) {
    self.perform = perform
  }

  /// Starts an operation.
  ///
  /// An error of the operation is reported as an issue, unless it is a `CancellationError`.
  ///
  /// - Parameters:
  ///   - priority: The priority of the operation's task; `nil` for the caller's priority.
  ///   - operation: The operation to start.
  public func callAsFunction(
    priority: TaskPriority? = nil,
    _ operation: @escaping Operation
  ) async {
    await perform(priority, operation)
  }
}

private enum FireAndForgetKey: DependencyKey {
  static let liveValue = FireAndForget { priority, operation in
    _ = start(priority, operation)
  }
  static let testValue = FireAndForget { priority, operation in
    await start(priority, operation).value
  }

  private static func start(
    _ priority: TaskPriority?,
    _ operation: @escaping FireAndForget.Operation
  ) -> Task<Void, Never> {
    Task(priority: priority) {
      do { try await operation() } catch is CancellationError {} catch { reportIssue(error) }
    }
  }
}

extension DependencyValues {
  /// A function that starts an operation without waiting for its result.
  public var fireAndForget: FireAndForget {
    get { self[FireAndForgetKey.self] }
    set { self[FireAndForgetKey.self] = newValue }
  }
}
