#if !canImport(Combine)
import Dispatch
public import Foundation

/// A moment of a run loop or of an operation queue.
///
/// ```swift
/// let now = DateSchedulerTime(Date(timeIntervalSince1970: 0))
/// now.distance(to: now.advanced(by: .seconds(2))).timeInterval  // 2.0, in seconds
/// RunLoop.main.schedule(after: RunLoop.main.now.advanced(by: .seconds(1))) { print("later") }
/// ```
public struct DateSchedulerTime: Strideable, Hashable, Codable, Sendable {
  /// The moment as a date.
  public var date: Date

  /// Makes a moment.
  public init(_ date: Date) {
    self.date = date
  }

  /// The time until another moment; negative when that lies before this one.
  public func distance(to other: DateSchedulerTime) -> Stride {
    Stride(other.date.timeIntervalSince(date))
  }

  /// The moment that lies a time later.
  public func advanced(by interval: Stride) -> DateSchedulerTime {
    DateSchedulerTime(date + interval.timeInterval)
  }

  /// The same moment on a queue.
  fileprivate var dispatchTime: DispatchQueue.SchedulerTimeType {
    DispatchQueue.main.now.advanced(by: .seconds(max(0, date.timeIntervalSinceNow)))
  }

  /// A time between two moments; a literal counts seconds.
  public struct Stride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric,
    ExpressibleByFloatLiteral, Hashable, Codable, Sendable
  {
    /// The seconds.
    public var timeInterval: TimeInterval
    /// The seconds; negative for a time that goes back.
    public var magnitude: TimeInterval { timeInterval }

    /// A number of seconds.
    public init(_ seconds: TimeInterval) { timeInterval = seconds }
    /// A number of seconds.
    public init(integerLiteral seconds: TimeInterval) { timeInterval = seconds }
    /// A number of seconds.
    public init(floatLiteral seconds: TimeInterval) { timeInterval = seconds }
    /// A number of seconds, if they can be counted.
    public init?(exactly source: some BinaryInteger) {
      guard let seconds = TimeInterval(exactly: source) else { return nil }
      timeInterval = seconds
    }

    /// The same time on a queue.
    fileprivate var dispatchInterval: DispatchQueue.SchedulerTimeType.Stride {
      .seconds(timeInterval)
    }

    /// A number of seconds.
    public static func seconds(_ seconds: Int) -> Self { Self(Double(seconds)) }
    /// A number of seconds.
    public static func seconds(_ seconds: Double) -> Self { Self(seconds) }
    /// A number of milliseconds.
    public static func milliseconds(_ milliseconds: Int) -> Self {
      Self(Double(milliseconds) / 1e3)
    }
    /// A number of microseconds.
    public static func microseconds(_ microseconds: Int) -> Self {
      Self(Double(microseconds) / 1e6)
    }
    /// A number of nanoseconds.
    public static func nanoseconds(_ nanoseconds: Int) -> Self { Self(Double(nanoseconds) / 1e9) }

    /// Whether one time is shorter than another.
    public static func < (lhs: Self, rhs: Self) -> Bool { lhs.timeInterval < rhs.timeInterval }
    /// Both times together.
    public static func + (lhs: Self, rhs: Self) -> Self {
      Self(lhs.timeInterval + rhs.timeInterval)
    }
    /// One time without another.
    public static func - (lhs: Self, rhs: Self) -> Self {
      Self(lhs.timeInterval - rhs.timeInterval)
    }
    /// The product of the seconds, as Combine has it.
    public static func * (lhs: Self, rhs: Self) -> Self {
      Self(lhs.timeInterval * rhs.timeInterval)
    }
    /// The product of the seconds, as Combine has it.
    public static func *= (lhs: inout Self, rhs: Self) { lhs = lhs * rhs }
  }
}

extension RunLoop: Scheduler {
  /// A moment of a run loop.
  public typealias SchedulerTimeType = DateSchedulerTime

  /// A run loop knows no options.
  public struct SchedulerOptions {}

  /// The current moment.
  public var now: SchedulerTimeType { SchedulerTimeType(Date()) }

  /// A run loop is as exact as it can be.
  public var minimumTolerance: SchedulerTimeType.Stride { .zero }

  /// The queue that the main thread drains whether or not the main run loop runs.
  private var queue: DispatchQueue? { self === RunLoop.main ? .main : nil }

  /// Does work as soon as the run loop comes to it.
  public func schedule(options _: SchedulerOptions?, _ action: @escaping () -> Void) {
    if let queue { return queue.schedule(action) }
    let action = UncheckedSendable(action)
    perform { action.value() }
  }

  /// Does work at a moment, or as soon as the run loop comes to it.
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

  /// Does work at a moment and at an interval after it, until that is cancelled.
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
  /// A moment of an operation queue.
  public typealias SchedulerTimeType = DateSchedulerTime

  /// An operation queue knows no options.
  public struct SchedulerOptions {}

  /// The current moment.
  public var now: SchedulerTimeType { SchedulerTimeType(Date()) }

  /// An operation queue is as exact as it can be.
  public var minimumTolerance: SchedulerTimeType.Stride { .zero }

  /// Does work as soon as the queue comes to it.
  public func schedule(options _: SchedulerOptions?, _ action: @escaping () -> Void) {
    let action = UncheckedSendable(action)
    addOperation { action.value() }
  }

  /// Does work at a moment, or as soon as the queue comes to it.
  public func schedule(
    after date: SchedulerTimeType,
    tolerance _: SchedulerTimeType.Stride,
    options _: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    DispatchQueue.global().schedule(after: date.dispatchTime) { self.schedule(action) }
  }

  /// Does work at a moment and at an interval after it, until that is cancelled.
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
