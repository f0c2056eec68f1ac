#if !canImport(Combine)
public import Dispatch

extension DispatchQueue: Scheduler {
  /// A point in time on a dispatch queue.
  ///
  /// ```swift
  /// let start = DispatchQueue.main.now
  /// let end = start.advanced(by: .milliseconds(300))
  /// start.distance(to: end).magnitude      // 300000000, in nanoseconds
  /// start.distance(to: end).timeInterval   // nanoseconds(300000000)
  /// start.dispatchTime < end.dispatchTime  // true
  /// ```
  public struct SchedulerTimeType: Strideable, Hashable, Sendable {
    /// The time as a `DispatchTime`.
    public var dispatchTime: DispatchTime

    /// Creates a time from a `DispatchTime`.
    public init(_ time: DispatchTime) {
      dispatchTime = time
    }

    /// Returns the interval to another time, which is negative if that time is earlier.
    public func distance(to other: SchedulerTimeType) -> Stride {
      let (end, start) = (other.dispatchTime, dispatchTime)
      return end < start
        ? .nanoseconds(-Int(clamping: start.uptimeNanoseconds - end.uptimeNanoseconds))
        : .nanoseconds(Int(clamping: end.uptimeNanoseconds - start.uptimeNanoseconds))
    }

    /// Returns the time that follows this one after an interval.
    public func advanced(by interval: Stride) -> SchedulerTimeType {
      SchedulerTimeType(dispatchTime + interval.timeInterval)
    }

    /// Hashes the time in nanoseconds.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(dispatchTime.uptimeNanoseconds)
    }

    /// An interval between two times on a dispatch queue.
    ///
    /// Number literals are in seconds.
    ///
    /// ```swift
    /// await scheduler.advance(by: .microseconds(500))
    /// await scheduler.advance(by: .nanoseconds(1))
    /// await scheduler.advance(by: 1.5)  // seconds
    /// ```
    public struct Stride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric,
      ExpressibleByFloatLiteral, Hashable, Sendable
    {
      /// The length of the interval in nanoseconds.
      public var magnitude: Int

      private init(nanoseconds: Int) {
        magnitude = nanoseconds
      }

      /// Creates an interval from a `DispatchTimeInterval`.
      public init(_ interval: DispatchTimeInterval) {
        magnitude =
          switch interval {
          case .seconds(let seconds): Self.seconds(seconds).magnitude
          case .milliseconds(let milliseconds): Self.milliseconds(milliseconds).magnitude
          case .microseconds(let microseconds): Self.microseconds(microseconds).magnitude
          case .nanoseconds(let nanoseconds): nanoseconds
          default: .max
          }
      }

      /// Creates an interval from an integer literal, in seconds.
      public init(integerLiteral seconds: Int) { self = .seconds(seconds) }
      /// Creates an interval from a floating-point literal, in seconds.
      public init(floatLiteral seconds: Double) { self = .seconds(seconds) }
      /// Creates an interval from a number of seconds, or returns `nil` if the number doesn't fit in an `Int`.
      public init?(exactly source: some BinaryInteger) {
        guard let seconds = Int(exactly: source) else { return nil }
        self = .seconds(seconds)
      }

      /// The interval as a `DispatchTimeInterval`.
      public var timeInterval: DispatchTimeInterval { .nanoseconds(magnitude) }

      /// Returns an interval with the given length in seconds.
      ///
      /// Numbers of seconds that don't fit in an `Int` of nanoseconds are clamped.
      public static func seconds(_ seconds: Int) -> Self { Self(seconds, times: 1_000_000_000) }
      /// Returns an interval with the given length in seconds.
      ///
      /// Numbers of seconds that don't fit in an `Int` of nanoseconds are clamped.
      public static func seconds(_ seconds: Double) -> Self {
        Self(nanoseconds: Int(exactly: (seconds * 1e9).rounded()) ?? (seconds < 0 ? .min : .max))
      }
      /// Returns an interval with the given length in milliseconds.
      public static func milliseconds(_ milliseconds: Int) -> Self {
        Self(milliseconds, times: 1_000_000)
      }
      /// Returns an interval with the given length in microseconds.
      public static func microseconds(_ microseconds: Int) -> Self {
        Self(microseconds, times: 1_000)
      }
      /// Returns an interval with the given length in nanoseconds.
      public static func nanoseconds(_ nanoseconds: Int) -> Self {
        Self(nanoseconds: nanoseconds)
      }

      private init(_ count: Int, times unit: Int) {
        let (product, isTooLong) = count.multipliedReportingOverflow(by: unit)
        magnitude = isTooLong ? (count < 0 ? .min : .max) : product
      }

      /// Returns whether the first interval is shorter than the second.
      public static func < (lhs: Self, rhs: Self) -> Bool { lhs.magnitude < rhs.magnitude }
      /// Returns the sum of two intervals.
      public static func + (lhs: Self, rhs: Self) -> Self {
        Self(nanoseconds: lhs.magnitude + rhs.magnitude)
      }
      /// Returns the difference between two intervals.
      public static func - (lhs: Self, rhs: Self) -> Self {
        Self(nanoseconds: lhs.magnitude - rhs.magnitude)
      }
      /// Multiplies the nanoseconds of two intervals, as Combine does.
      public static func * (lhs: Self, rhs: Self) -> Self {
        Self(nanoseconds: lhs.magnitude * rhs.magnitude)
      }
      /// Multiplies the nanoseconds of two intervals, as Combine does.
      public static func *= (lhs: inout Self, rhs: Self) { lhs = lhs * rhs }
    }
  }

  /// The options for actions that are scheduled on a dispatch queue.
  ///
  /// ```swift
  /// let options = DispatchQueue.SchedulerOptions(qos: .utility, flags: .barrier, group: group)
  /// queue.schedule(options: options) { index.rebuild() }
  /// ```
  public struct SchedulerOptions {
    /// The quality of service with which the queue performs the action.
    public var qos: DispatchQoS
    /// The flags of the action's work item, such as `.barrier`.
    public var flags: DispatchWorkItemFlags
    /// The group to which the action belongs; `nil` for no group.
    public var group: DispatchGroup?

    /// Creates options for actions that are scheduled on a dispatch queue.
    public init(
      qos: DispatchQoS = .unspecified,
      flags: DispatchWorkItemFlags = [],
      group: DispatchGroup? = nil
    ) {
      self.qos = qos
      self.flags = flags
      self.group = group
    }
  }

  /// The current time of the dispatch queue.
  public var now: SchedulerTimeType { SchedulerTimeType(.now()) }

  /// The smallest tolerance that a dispatch queue supports: zero.
  public var minimumTolerance: SchedulerTimeType.Stride { .zero }

  /// Performs an action as soon as the queue is free.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    let action = UncheckedSendable(action)
    async(
      group: options?.group,
      qos: options?.qos ?? .unspecified,
      flags: options?.flags ?? []
    ) { action.value() }
  }

  /// Performs an action at the given time, or as soon as the queue is free after that time.
  public func schedule(
    after date: SchedulerTimeType,
    tolerance _: SchedulerTimeType.Stride,
    options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    let action = UncheckedSendable(action)
    asyncAfter(
      deadline: date.dispatchTime,
      qos: options?.qos ?? .unspecified,
      flags: options?.flags ?? []
    ) { action.value() }
  }

  /// Performs an action at the given time and then at regular intervals, until the returned object is canceled.
  public func schedule(
    after date: SchedulerTimeType,
    interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    let action = UncheckedSendable(action)
    let timer = DispatchSource.makeTimerSource(queue: self)
    timer.setEventHandler(qos: options?.qos ?? .unspecified, flags: options?.flags ?? []) {
      action.value()
    }
    timer.schedule(
      deadline: date.dispatchTime,
      repeating: interval.timeInterval,
      leeway: tolerance.timeInterval
    )
    timer.resume()
    return AnyCancellable { timer.cancel() }
  }
}
#endif
