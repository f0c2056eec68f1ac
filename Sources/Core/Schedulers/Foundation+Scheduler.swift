#if !canImport(Combine)
import Dispatch
public import Foundation

/// A point in time on a run loop or an operation queue.
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

  /// Returns the interval to another time, which is negative if that time is earlier.
  public func distance(to other: DateSchedulerTime) -> Stride {
    Stride(other.date.timeIntervalSince(date))
  }

  /// Returns the time that follows this one after an interval.
  public func advanced(by interval: Stride) -> DateSchedulerTime {
    DateSchedulerTime(date + interval.timeInterval)
  }

  /// The same time on a dispatch queue; the current time if this time has passed.
  fileprivate var dispatchTime: DispatchQueue.SchedulerTimeType {
    DispatchQueue.main.now.advanced(by: .seconds(max(0, date.timeIntervalSinceNow)))
  }

  /// An interval between two times on a run loop or an operation queue.
  ///
  /// Number literals are in seconds.
  public struct Stride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric,
    ExpressibleByFloatLiteral, Hashable, Codable, Sendable
  {
    /// The length of the interval in seconds.
    public var timeInterval: TimeInterval
    /// The length of the interval in seconds, which is negative for an interval into the past.
    public var magnitude: TimeInterval { timeInterval }

    /// Creates an interval with the given length in seconds.
    public init(_ seconds: TimeInterval) { timeInterval = seconds }
    /// Creates an interval from an integer literal, in seconds.
    public init(integerLiteral seconds: TimeInterval) { timeInterval = seconds }
    /// Creates an interval from a floating-point literal, in seconds.
    public init(floatLiteral seconds: TimeInterval) { timeInterval = seconds }
    /// Creates an interval from a number of seconds, or returns `nil` if the number isn't representable.
    public init?(exactly source: some BinaryInteger) {
      guard let seconds = TimeInterval(exactly: source) else { return nil }
      timeInterval = seconds
    }

    /// The same interval on a dispatch queue.
    fileprivate var dispatchInterval: DispatchQueue.SchedulerTimeType.Stride {
      .seconds(timeInterval)
    }

    /// Returns an interval with the given length in seconds.
    public static func seconds(_ seconds: Int) -> Self { Self(Double(seconds)) }
    /// Returns an interval with the given length in seconds.
    public static func seconds(_ seconds: Double) -> Self { Self(seconds) }
    /// Returns an interval with the given length in milliseconds.
    public static func milliseconds(_ milliseconds: Int) -> Self {
      Self(Double(milliseconds) / 1e3)
    }
    /// Returns an interval with the given length in microseconds.
    public static func microseconds(_ microseconds: Int) -> Self {
      Self(Double(microseconds) / 1e6)
    }
    /// Returns an interval with the given length in nanoseconds.
    public static func nanoseconds(_ nanoseconds: Int) -> Self { Self(Double(nanoseconds) / 1e9) }

    /// Returns whether the first interval is shorter than the second.
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.timeInterval < rhs.timeInterval }
    /// Returns the sum of two intervals.
    public static func + (lhs: Self, rhs: Self) -> Self {
      Self(lhs.timeInterval + rhs.timeInterval)
    }
    /// Returns the difference between two intervals.
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
  /// The type for points in time on a run loop.
  public typealias SchedulerTimeType = DateSchedulerTime

  /// The options for actions on a run loop, which has none.
  public struct SchedulerOptions {}

  /// The current time of the run loop.
  public var now: SchedulerTimeType { SchedulerTimeType(Date()) }

  /// The smallest tolerance that a run loop supports: zero.
  public var minimumTolerance: SchedulerTimeType.Stride { .zero }

  /// The dispatch queue that performs the actions of the main run loop; `nil` for other run loops.
  ///
  /// The main thread runs this queue even if the run loop isn't running.
  private var queue: DispatchQueue? { self === RunLoop.main ? .main : nil }

  /// Performs an action as soon as the run loop is free.
  public func schedule(options _: SchedulerOptions?, _ action: @escaping () -> Void) {
    if let queue { return queue.schedule(action) }
    let action = UncheckedSendable(action)
    perform { action.value() }
  }

  /// Performs an action at the given time, or as soon as the run loop is free after that time.
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

  /// Performs an action at the given time and then at regular intervals, until the returned object is canceled.
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
  /// The type for points in time on an operation queue.
  public typealias SchedulerTimeType = DateSchedulerTime

  /// The options for actions on an operation queue, which has none.
  public struct SchedulerOptions {}

  /// The current time of the operation queue.
  public var now: SchedulerTimeType { SchedulerTimeType(Date()) }

  /// The smallest tolerance that an operation queue supports: zero.
  public var minimumTolerance: SchedulerTimeType.Stride { .zero }

  /// Performs an action as soon as the queue is free.
  public func schedule(options _: SchedulerOptions?, _ action: @escaping () -> Void) {
    let action = UncheckedSendable(action)
    addOperation { action.value() }
  }

  /// Performs an action at the given time, or as soon as the queue is free after that time.
  public func schedule(
    after date: SchedulerTimeType,
    tolerance _: SchedulerTimeType.Stride,
    options _: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    DispatchQueue.global().schedule(after: date.dispatchTime) { self.schedule(action) }
  }

  /// Performs an action at the given time and then at regular intervals, until the returned object is canceled.
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
