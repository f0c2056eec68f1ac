public import Dispatch
public import Foundation

#if canImport(Combine)
public import Combine
#endif

/// A scheduler of any type with the same moments and options, so that a test can put its own in the place of the app's.
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
  // Unchecked: schedulers are there to be called from anywhere, and the protocol does not say so.
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
  /// The name of `now` in recordings, where it is a read.
  private var readKey: String?

  /// Makes a scheduler of functions.
  ///
  /// - Parameters:
  ///   - minimumTolerance: How exact the scheduler can be.
  ///   - now: The current moment.
  ///   - scheduleImmediately: Does work as soon as it can.
  ///   - delayed: Does work at a moment.
  ///   - interval: Does work at a moment and at an interval after it.
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

  /// Hides the type of a scheduler.
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

  /// The smallest tolerance of the scheduler.
  ///
  /// ```swift
  /// DispatchQueue.test.eraseToAnyScheduler().minimumTolerance == .zero  // true: a test scheduler is exact
  /// ```
  public var minimumTolerance: SchedulerTimeType.Stride { readTolerance() }

  /// The current moment.
  public var now: SchedulerTimeType { readNow() }

  /// Does work as soon as it can.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    immediately(options, action)
  }

  /// Does work at a moment, or as soon as it can after it.
  public func schedule(
    after date: SchedulerTimeType,
    tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    delayed(date, tolerance, options, action)
  }

  /// Does work at a moment and at an interval after it, until that is cancelled.
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

/// A scheduler with the moments and options of another one: `AnySchedulerOf<DispatchQueue>`.
public typealias AnySchedulerOf<S: Scheduler> = AnyScheduler<
  S.SchedulerTimeType, S.SchedulerOptions
>

extension Scheduler {
  /// This scheduler without its type.
  public func eraseToAnyScheduler() -> AnySchedulerOf<Self> {
    AnyScheduler(self)
  }
}

extension AnyScheduler {
  /// This scheduler with its `now` a read, so that a reducer that looks at it can be replayed.
  ///
  /// - Parameters:
  ///   - key: What recordings call it.
  ///   - standIn: What a replay takes that has nothing recorded.
  ///   - value: What the log holds of a moment.
  ///   - time: The moment that the log holds.
  /// - Returns: The scheduler.
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
  /// The main queue.
  public static var main: Self { DispatchQueue.main.eraseToAnyScheduler() }

  /// A queue of the system.
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
