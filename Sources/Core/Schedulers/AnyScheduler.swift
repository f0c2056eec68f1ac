public import Dispatch
public import Foundation

#if canImport(Combine)
public import Combine
#endif

/// A scheduler that hides the type of the scheduler that it wraps.
///
/// A test can therefore replace the scheduler of an app with another type of scheduler.
///
/// ```swift
/// struct Environment {
///   var mainQueue: AnySchedulerOf<DispatchQueue>
/// }
/// let live = Environment(mainQueue: .main)
/// let test = Environment(mainQueue: DispatchQueue.test.eraseToAnyScheduler())
/// ```
public struct AnyScheduler<SchedulerTimeType: Strideable, SchedulerOptions>: Scheduler,
  @unchecked Sendable
where SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible {
  // Unchecked: schedulers can be called from any thread, but their protocol doesn't require `Sendable`.
  private let readTolerance: () -> SchedulerTimeType.Stride
  private var readNow: () -> SchedulerTimeType
  private let immediately: (SchedulerOptions?, @escaping () -> Void) -> Void
  private let delayed:
    (
      SchedulerTimeType, SchedulerTimeType.Stride, SchedulerOptions?, @escaping () -> Void
    ) -> Void
  private let repeatedly:
    (
      SchedulerTimeType, SchedulerTimeType.Stride, SchedulerTimeType.Stride, SchedulerOptions?,
      @escaping () -> Void
    ) -> any Cancellable
  /// The name under which recordings store reads of `now`; `nil` if reads aren't recorded.
  private var readKey: String?

  /// Creates a scheduler from closures.
  ///
  /// - Parameters:
  ///   - minimumTolerance: A closure that returns the smallest tolerance that the scheduler supports.
  ///   - now: A closure that returns the current time.
  ///   - scheduleImmediately: A closure that performs an action as soon as possible.
  ///   - delayed: A closure that performs an action at the given time.
  ///   - interval: A closure that performs an action at the given time and then at regular intervals.
  public init(
    minimumTolerance: @escaping () -> SchedulerTimeType.Stride,
    now: @escaping () -> SchedulerTimeType,
    scheduleImmediately: @escaping (SchedulerOptions?, @escaping () -> Void) -> Void,
    delayed:
      @escaping (
        SchedulerTimeType, SchedulerTimeType.Stride, SchedulerOptions?, @escaping () -> Void
      ) -> Void,
    interval:
      @escaping (
        SchedulerTimeType, SchedulerTimeType.Stride, SchedulerTimeType.Stride, SchedulerOptions?,
        @escaping () -> Void
      ) -> any Cancellable
  ) {
    readTolerance = minimumTolerance
    readNow = now
    immediately = scheduleImmediately
    self.delayed = delayed
    repeatedly = interval
  }

  /// Creates a scheduler that wraps another scheduler and hides its type.
  public init<S: Scheduler>(_ scheduler: S)
  where S.SchedulerTimeType == SchedulerTimeType, S.SchedulerOptions == SchedulerOptions {
    self.init(
      minimumTolerance: { scheduler.minimumTolerance },
      now: { scheduler.now },
      scheduleImmediately: { scheduler.schedule(options: $0, $1) },
      delayed: { scheduler.schedule(after: $0, tolerance: $1, options: $2, $3) },
      interval: { scheduler.schedule(after: $0, interval: $1, tolerance: $2, options: $3, $4) }
    )
  }

  /// The smallest tolerance that the scheduler supports.
  ///
  /// ```swift
  /// DispatchQueue.test.eraseToAnyScheduler().minimumTolerance == .zero  // true, because a test scheduler is exact
  /// ```
  public var minimumTolerance: SchedulerTimeType.Stride { readTolerance() }

  /// The current time of the scheduler.
  public var now: SchedulerTimeType { readNow() }

  /// Performs an action as soon as possible.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    immediately(options, action)
  }

  /// Performs an action at the given time, or as soon as possible after that time.
  public func schedule(
    after date: SchedulerTimeType,
    tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    delayed(date, tolerance, options, action)
  }

  /// Performs an action at the given time and then at regular intervals, until the returned object is canceled.
  public func schedule(
    after date: SchedulerTimeType,
    interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    repeatedly(date, interval, tolerance, options, action)
  }
}

/// A type-erased scheduler with the time and options of another one: `AnySchedulerOf<DispatchQueue>`.
public typealias AnySchedulerOf<S: Scheduler> = AnyScheduler<
  S.SchedulerTimeType, S.SchedulerOptions
>

extension Scheduler {
  /// Returns a scheduler that wraps this one and hides its type.
  public func eraseToAnyScheduler() -> AnySchedulerOf<Self> {
    AnyScheduler(self)
  }
}

extension AnyScheduler {
  /// Returns a scheduler that records each read of `now`, so that a replay can return the same times to reducers.
  ///
  /// - Parameters:
  ///   - key: The name of the reads in recordings.
  ///   - standIn: The time that a replay returns if the recording contains none.
  ///   - value: A closure that converts a time into the value that a log stores.
  ///   - time: A closure that converts a value from a log into a time.
  /// - Returns: A scheduler that records its reads.
  func reading<Value>(
    as key: String,
    standIn: Value,
    value: @escaping (SchedulerTimeType) -> Value,
    time: @escaping (Value) -> SchedulerTimeType
  ) -> Self {
    guard readKey != key else { return self }
    var copy = self
    copy.readNow = { [readNow] in
      time(ReducerReadScope.read(key, standIn: standIn) { value(readNow()) })
    }
    copy.readKey = key
    return copy
  }
}

extension AnyScheduler
where
  SchedulerTimeType == DispatchQueue.SchedulerTimeType,
  SchedulerOptions == DispatchQueue.SchedulerOptions
{
  /// The main dispatch queue, as a type-erased scheduler.
  public static var main: Self { DispatchQueue.main.eraseToAnyScheduler() }

  /// Returns a global dispatch queue, as a type-erased scheduler.
  ///
  /// ```swift
  /// let background: AnySchedulerOf<DispatchQueue> = .global(qos: .utility)
  /// ```
  public static func global(qos: DispatchQoS.QoSClass = .default) -> Self {
    DispatchQueue.global(qos: qos).eraseToAnyScheduler()
  }
}

extension AnyScheduler
where
  SchedulerTimeType == RunLoop.SchedulerTimeType,
  SchedulerOptions == RunLoop.SchedulerOptions
{
  /// The main run loop, as a type-erased scheduler.
  public static var main: Self { RunLoop.main.eraseToAnyScheduler() }
}

extension AnyScheduler
where
  SchedulerTimeType == OperationQueue.SchedulerTimeType,
  SchedulerOptions == OperationQueue.SchedulerOptions
{
  /// The main operation queue, as a type-erased scheduler.
  public static var main: Self { OperationQueue.main.eraseToAnyScheduler() }
}
