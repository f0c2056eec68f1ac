#if !canImport(Combine)
import Dispatch
public import Foundation

/// A time on a run loop or an operation queue.
///
/// ```swift
/// let now = DateSchedulerTime(Date(timeIntervalSince1970: 0))
/// now.distance(to: now.advanced(by: .seconds(2))).timeInterval  // 2.0, in seconds
/// RunLoop.main.schedule(after: RunLoop.main.now.advanced(by: .seconds(1))) { print("later") }
/// ```
public struct DateSchedulerTime: Strideable, Hashable, Codable, Sendable {
  /// The time as a date.
  public var date: Date

  /// Creates a time from a date.
  public init(_ date: Date) {
    self.date = date
  }

  /// Returns the interval to another time.
  ///
  /// It is negative if the other time is earlier.
  public func distance(to other: DateSchedulerTime) -> Stride {
    Stride(other.date.timeIntervalSince(date))
  }

  /// Returns the time after an interval.
  public func advanced(by interval: Stride) -> DateSchedulerTime {
    DateSchedulerTime(date + interval.timeInterval)
  }

  /// The corresponding time on a dispatch queue.
  fileprivate var dispatchTime: DispatchQueue.SchedulerTimeType {
    DispatchQueue.main.now.advanced(by: .seconds(max(0, date.timeIntervalSinceNow)))
  }

  /// An interval between two times.
  ///
  /// Literals are in seconds.
  public struct Stride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric,
    ExpressibleByFloatLiteral, Hashable, Codable, Sendable
  {
    /// The length of the interval in seconds.
    public var timeInterval: TimeInterval
    /// The length of the interval in seconds.
    ///
    /// Negative for an interval into the past.
    public var magnitude: TimeInterval { timeInterval }

    /// Creates an interval from a number of seconds.
    public init(_ seconds: TimeInterval) { timeInterval = seconds }
    /// Creates an interval from a number of seconds.
    public init(integerLiteral seconds: TimeInterval) { timeInterval = seconds }
    /// Creates an interval from a number of seconds.
    public init(floatLiteral seconds: TimeInterval) { timeInterval = seconds }
    /// Creates an interval from a number of seconds, or returns `nil` if it isn't representable.
    public init?(exactly source: some BinaryInteger) {
      guard let seconds = TimeInterval(exactly: source) else { return nil }
      timeInterval = seconds
    }

    /// The corresponding interval on a dispatch queue.
    fileprivate var dispatchInterval: DispatchQueue.SchedulerTimeType.Stride {
      .seconds(timeInterval)
    }

    /// Returns an interval of a number of seconds.
    public static func seconds(_ seconds: Int) -> Self { Self(Double(seconds)) }
    /// Returns an interval of a number of seconds.
    public static func seconds(_ seconds: Double) -> Self { Self(seconds) }
    /// Returns an interval of a number of milliseconds.
    public static func milliseconds(_ milliseconds: Int) -> Self {
      Self(Double(milliseconds) / 1e3)
    }
    /// Returns an interval of a number of microseconds.
    public static func microseconds(_ microseconds: Int) -> Self {
      Self(Double(microseconds) / 1e6)
    }
    /// Returns an interval of a number of nanoseconds.
    public static func nanoseconds(_ nanoseconds: Int) -> Self { Self(Double(nanoseconds) / 1e9) }

    /// Whether one interval is shorter than another.
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.timeInterval < rhs.timeInterval }
    /// Returns the sum of two intervals.
    public static func + (lhs: Self, rhs: Self) -> Self {
      Self(lhs.timeInterval + rhs.timeInterval)
    }
    /// Returns the difference of two intervals.
    public static func - (lhs: Self, rhs: Self) -> Self {
      Self(lhs.timeInterval - rhs.timeInterval)
    }
    /// Multiplies the seconds of two intervals, as Combine does.
    public static func * (lhs: Self, rhs: Self) -> Self {
      Self(lhs.timeInterval * rhs.timeInterval)
    }
    /// Multiplies the seconds of two intervals, as Combine does.
    public static func *= (lhs: inout Self, rhs: Self) { lhs = lhs * rhs }
  }
}

extension RunLoop: Scheduler {
  /// A time on a run loop.
  public typealias SchedulerTimeType = DateSchedulerTime

  /// The options of a run loop, which has none.
  public struct SchedulerOptions {}

  /// The current time of the scheduler.
  public var now: SchedulerTimeType { SchedulerTimeType(Date()) }

  /// The smallest tolerance: zero.
  public var minimumTolerance: SchedulerTimeType.Stride { .zero }

  /// The main queue for the main run loop.
  ///
  /// The main thread drains it even if the run loop doesn't run.
  private var queue: DispatchQueue? { self === RunLoop.main ? .main : nil }

  /// Performs work as soon as the run loop is free.
  public func schedule(options _: SchedulerOptions?, _ action: @escaping () -> Void) {
    if let queue { return queue.schedule(action) }
    let action = UncheckedSendable(action)
    perform { action.value() }
  }

  /// Performs work at a time, or as soon as the run loop is free after it.
  public func schedule(
    after date: SchedulerTimeType,
    tolerance: SchedulerTimeType.Stride,
    options _: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    if let queue { return queue.schedule(after: date.dispatchTime, action) }
    let action = UncheckedSendable(action)
    let timer = Timer(fire: date.date, interval: 0, repeats: false) { _ in action.value() }
    timer.tolerance = tolerance.timeInterval
    add(timer, forMode: .default)
  }

  /// Performs work at a time and then at regular intervals, until the result is cancelled.
  public func schedule(
    after date: SchedulerTimeType,
    interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride,
    options _: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    if let queue {
      return queue.schedule(
        after: date.dispatchTime,
        interval: interval.dispatchInterval,
        tolerance: tolerance.dispatchInterval,
        action
      )
    }
    let action = UncheckedSendable(action)
    let timer = Timer(fire: date.date, interval: interval.timeInterval, repeats: true) { _ in
      action.value()
    }
    timer.tolerance = tolerance.timeInterval
    add(timer, forMode: .default)
    return AnyCancellable { timer.invalidate() }
  }
}

extension OperationQueue: Scheduler {
  /// A time on an operation queue.
  public typealias SchedulerTimeType = DateSchedulerTime

  /// The options of an operation queue, which has none.
  public struct SchedulerOptions {}

  /// The current time of the scheduler.
  public var now: SchedulerTimeType { SchedulerTimeType(Date()) }

  /// The smallest tolerance: zero.
  public var minimumTolerance: SchedulerTimeType.Stride { .zero }

  /// Performs work as soon as the queue is free.
  public func schedule(options _: SchedulerOptions?, _ action: @escaping () -> Void) {
    let action = UncheckedSendable(action)
    addOperation { action.value() }
  }

  /// Performs work at a time, or as soon as the queue is free after it.
  public func schedule(
    after date: SchedulerTimeType,
    tolerance _: SchedulerTimeType.Stride,
    options _: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    DispatchQueue.global().schedule(after: date.dispatchTime) { self.schedule(action) }
  }

  /// Performs work at a time and then at regular intervals, until the result is cancelled.
  public func schedule(
    after date: SchedulerTimeType,
    interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride,
    options _: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    DispatchQueue.global().schedule(
      after: date.dispatchTime,
      interval: interval.dispatchInterval,
      tolerance: tolerance.dispatchInterval
    ) { self.schedule(action) }
  }
}
#endif
