public import Dispatch
public import Foundation

#if canImport(Combine)
public import Combine
#endif

/// A type-erased scheduler.
///
/// Erasure lets a test replace the scheduler of an app with its own.
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
  // Unchecked: schedulers can be called from any thread, but the protocol doesn't declare it.
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
  /// The name under which recordings store reads of `now`, or `nil` if reads aren't recorded.
  private var readKey: String?

  /// Creates a scheduler from closures.
  ///
  /// - Parameters:
  ///   - minimumTolerance: Returns the smallest tolerance that the scheduler supports.
  ///   - now: Returns the current time.
  ///   - scheduleImmediately: Performs work as soon as possible.
  ///   - delayed: Performs work at a time.
  ///   - interval: Performs work at a time and then at regular intervals.
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

  /// Creates a type-erased copy of a scheduler.
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
  /// DispatchQueue.test.eraseToAnyScheduler().minimumTolerance == .zero  // true: a test scheduler is exact
  /// ```
  public var minimumTolerance: SchedulerTimeType.Stride { readTolerance() }

  /// The current time of the scheduler.
  public var now: SchedulerTimeType { readNow() }

  /// Performs work as soon as possible.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    immediately(options, action)
  }

  /// Performs work at a time, or as soon as possible after it.
  public func schedule(
    after date: SchedulerTimeType,
    tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    delayed(date, tolerance, options, action)
  }

  /// Performs work at a time and then at regular intervals, until the result is cancelled.
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
  /// Returns a type-erased copy of this scheduler.
  public func eraseToAnyScheduler() -> AnySchedulerOf<Self> {
    AnyScheduler(self)
  }
}

extension AnyScheduler {
  /// Returns a scheduler that records each read of `now`, so that reducers that use it can be replayed.
  ///
  /// - Parameters:
  ///   - key: The name of the reads in recordings.
  ///   - standIn: The time that a replay returns if the recording has none.
  ///   - value: Converts a time into the value that the log stores.
  ///   - time: Converts a value from the log into a time.
  /// - Returns: The recording scheduler.
  func reading<Value>(
    as key: String,
    standIn: Value,
    value: @escaping (SchedulerTimeType) -> Value,
    time: @escaping (Value) -> SchedulerTimeType
  ) -> Self {
    guard readKey != key else { return self }
    var copy = self
    copy.readNow = { [readNow] in
      time(ReadScope.read(key, standIn: standIn) { value(readNow()) })
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
  /// The main dispatch queue.
  public static var main: Self { DispatchQueue.main.eraseToAnyScheduler() }

  /// Returns a global dispatch queue.
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
  /// The main run loop.
  public static var main: Self { RunLoop.main.eraseToAnyScheduler() }
}

extension AnyScheduler
where
  SchedulerTimeType == OperationQueue.SchedulerTimeType,
  SchedulerOptions == OperationQueue.SchedulerOptions
{
  /// The main operation queue.
  public static var main: Self { OperationQueue.main.eraseToAnyScheduler() }
}
