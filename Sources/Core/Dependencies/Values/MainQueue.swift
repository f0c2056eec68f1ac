public import Dispatch
public import Foundation

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
  /// The main queue, for features whose time comes from a scheduler; those of today take it from a clock.
  ///
  /// In a test it is unimplemented. Set `DispatchQueue.test.eraseToAnyScheduler()` or `.immediate`.
  public var mainQueue: AnySchedulerOf<DispatchQueue> {
    get { self[MainQueueKey.self] }
    set { self[MainQueueKey.self] = newValue.reading }
  }

  /// The main run loop, for features whose time comes from a scheduler; those of today take it from a clock.
  ///
  /// In a test it is unimplemented. Set `RunLoop.test.eraseToAnyScheduler()` or `.immediate`.
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
