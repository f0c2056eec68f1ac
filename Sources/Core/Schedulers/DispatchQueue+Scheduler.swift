#if !canImport(Combine)
public import Dispatch

extension DispatchQueue: Scheduler {
  /// A moment of a queue.
  ///
  /// ```swift
  /// let start = DispatchQueue.main.now
  /// let end = start.advanced(by: .milliseconds(300))
  /// start.distance(to: end).magnitude      // 300000000, in nanoseconds
  /// start.distance(to: end).timeInterval   // nanoseconds(300000000)
  /// start.dispatchTime < end.dispatchTime  // true
  /// ```
  public struct SchedulerTimeType: Strideable, Hashable, Sendable {
    /// The moment as Dispatch knows it.
    public var dispatchTime: DispatchTime

    /// Makes a moment.
    public init(_ time: DispatchTime) {
      dispatchTime = time
    }

    /// The time until another moment; negative when that lies before this one.
    public func distance(to other: SchedulerTimeType) -> Stride {
      let (end, start) = (other.dispatchTime, dispatchTime)
      return end < start
        ? .nanoseconds(-Int(clamping: start.uptimeNanoseconds - end.uptimeNanoseconds))
        : .nanoseconds(Int(clamping: end.uptimeNanoseconds - start.uptimeNanoseconds))
    }

    /// The moment that lies a time later.
    public func advanced(by interval: Stride) -> SchedulerTimeType {
      SchedulerTimeType(dispatchTime + interval.timeInterval)
    }

    /// Hashes the moment.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(dispatchTime.uptimeNanoseconds)
    }

    /// A time between two moments; a literal counts seconds.
    ///
    /// ```swift
    /// await scheduler.advance(by: .microseconds(500))
    /// await scheduler.advance(by: .nanoseconds(1))
    /// await scheduler.advance(by: 1.5)  // seconds
    /// ```
    public struct Stride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric,
      ExpressibleByFloatLiteral, Hashable, Sendable
    {
      /// The nanoseconds.
      public var magnitude: Int

      private init(nanoseconds: Int) {
        magnitude = nanoseconds
      }

      /// Takes over a time that Dispatch knows.
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

      /// A number of seconds.
      public init(integerLiteral seconds: Int) { self = .seconds(seconds) }
      /// A number of seconds.
      public init(floatLiteral seconds: Double) { self = .seconds(seconds) }
      /// A number of seconds, if they can be counted.
      public init?(exactly source: some BinaryInteger) {
        guard let seconds = Int(exactly: source) else { return nil }
        self = .seconds(seconds)
      }

      /// The time as Dispatch knows it.
      public var timeInterval: DispatchTimeInterval { .nanoseconds(magnitude) }

      /// A number of seconds; more than can be counted are as many as can.
      public static func seconds(_ seconds: Int) -> Self { Self(seconds, times: 1_000_000_000) }
      /// A number of seconds; more than can be counted are as many as can.
      public static func seconds(_ seconds: Double) -> Self {
        Self(nanoseconds: Int(exactly: (seconds * 1e9).rounded()) ?? (seconds < 0 ? .min : .max))
      }
      /// A number of milliseconds.
      public static func milliseconds(_ milliseconds: Int) -> Self {
        Self(milliseconds, times: 1_000_000)
      }
      /// A number of microseconds.
      public static func microseconds(_ microseconds: Int) -> Self {
        Self(microseconds, times: 1_000)
      }
      /// A number of nanoseconds.
      public static func nanoseconds(_ nanoseconds: Int) -> Self {
        Self(nanoseconds: nanoseconds)
      }

      private init(_ count: Int, times unit: Int) {
        let (product, isTooLong) = count.multipliedReportingOverflow(by: unit)
        magnitude = isTooLong ? (count < 0 ? .min : .max) : product
      }

      /// Whether one time is shorter than another.
      public static func < (lhs: Self, rhs: Self) -> Bool { lhs.magnitude < rhs.magnitude }
      /// Both times together.
      public static func + (lhs: Self, rhs: Self) -> Self {
        Self(nanoseconds: lhs.magnitude + rhs.magnitude)
      }
      /// One time without another.
      public static func - (lhs: Self, rhs: Self) -> Self {
        Self(nanoseconds: lhs.magnitude - rhs.magnitude)
      }
      /// The product of the nanoseconds, as Combine has it.
      public static func * (lhs: Self, rhs: Self) -> Self {
        Self(nanoseconds: lhs.magnitude * rhs.magnitude)
      }
      /// The product of the nanoseconds, as Combine has it.
      public static func *= (lhs: inout Self, rhs: Self) { lhs = lhs * rhs }
    }
  }

  /// Options for work on a queue.
  ///
  /// ```swift
  /// let options = DispatchQueue.SchedulerOptions(qos: .utility, flags: .barrier, group: group)
  /// queue.schedule(options: options) { index.rebuild() }
  /// ```
  public struct SchedulerOptions {
    /// The urgency of the work.
    public var qos: DispatchQoS
    /// How the work is run.
    public var flags: DispatchWorkItemFlags
    /// The group that the work belongs to.
    public var group: DispatchGroup?

    /// Makes options.
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

  /// The current moment.
  public var now: SchedulerTimeType { SchedulerTimeType(.now()) }

  /// A queue is as exact as it can be.
  public var minimumTolerance: SchedulerTimeType.Stride { .zero }

  /// Does work as soon as the queue comes to it.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    let action = UncheckedSendable(action)
    async(
      group: options?.group,
      qos: options?.qos ?? .unspecified,
      flags: options?.flags ?? []
    ) { action.value() }
  }

  /// Does work at a moment, or as soon as the queue comes to it.
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

  /// Does work at a moment and at an interval after it, until that is cancelled.
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
