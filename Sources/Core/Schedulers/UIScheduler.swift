public import Dispatch

#if canImport(Combine)
public import Combine
#endif

/// A scheduler that does work at once on the main queue, and hands over to that queue from anywhere else.
public struct UIScheduler: Scheduler, Sendable {
  /// A moment of the main queue.
  public typealias SchedulerTimeType = DispatchQueue.SchedulerTimeType
  /// There are no options.
  public typealias SchedulerOptions = Never

  /// The scheduler.
  public static let shared = UIScheduler()

  private let mark = UncheckedSendable(DispatchSpecificKey<Bool>())

  private init() {
    DispatchQueue.main.setSpecific(key: mark.value, value: true)
  }

  /// The current moment.
  public var now: SchedulerTimeType { DispatchQueue.main.now }

  /// How exact the main queue can be.
  public var minimumTolerance: SchedulerTimeType.Stride { DispatchQueue.main.minimumTolerance }

  /// Does work at once on the main queue, else as soon as that comes to it.
  public func schedule(options _: SchedulerOptions? = nil, _ action: @escaping () -> Void) {
    if DispatchQueue.getSpecific(key: mark.value) == true {
      action()
    } else {
      DispatchQueue.main.schedule(action)
    }
  }

  /// Does work on the main queue at a moment.
  public func schedule(
    after date: SchedulerTimeType,
    tolerance: SchedulerTimeType.Stride,
    options _: SchedulerOptions? = nil,
    _ action: @escaping () -> Void
  ) {
    DispatchQueue.main.schedule(after: date, tolerance: tolerance, action)
  }

  /// Does work on the main queue at a moment and at an interval after it, until that is cancelled.
  public func schedule(
    after date: SchedulerTimeType,
    interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride,
    options _: SchedulerOptions? = nil,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    DispatchQueue.main.schedule(after: date, interval: interval, tolerance: tolerance, action)
  }
}
