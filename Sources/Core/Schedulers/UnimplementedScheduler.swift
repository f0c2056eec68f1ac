public import Dispatch
public import Foundation

#if canImport(Combine)
public import Combine
#endif

/// The scheduler of a test that has not set one: it says so when it is used, and does the work at once.
///
/// ```swift
/// let store = TestStore(initialState: .init()) { Search() } withDependencies: {
///   $0.mainQueue = .unimplemented   // nothing in this test may wait
/// }
/// ```
public struct UnimplementedScheduler<SchedulerTimeType: Strideable, SchedulerOptions>: Scheduler
where SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible {
  private let base: ImmediateScheduler<SchedulerTimeType, SchedulerOptions>
  private let name: String

  /// Makes a scheduler.
  ///
  /// - Parameters:
  ///   - name: What the issues call it.
  ///   - now: Its moment.
  public init(_ name: String = "", now: SchedulerTimeType) {
    base = ImmediateScheduler(now: now)
    self.name = name.isEmpty ? "Scheduler" : name
  }

  /// The moment of the scheduler, and an issue.
  public var now: SchedulerTimeType {
    report("now")
    return base.now
  }

  /// The smallest tolerance, and an issue.
  public var minimumTolerance: SchedulerTimeType.Stride {
    report("minimumTolerance")
    return base.minimumTolerance
  }

  /// Does work at once, with an issue.
  public func schedule(options: SchedulerOptions?, _ action: () -> Void) {
    report("schedule")
    base.schedule(options: options, action)
  }

  /// Does work at once, with an issue.
  public func schedule(
    after date: SchedulerTimeType,
    tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?,
    _ action: () -> Void
  ) {
    report("schedule")
    base.schedule(after: date, tolerance: tolerance, options: options, action)
  }

  /// Does work at once, one time, with an issue.
  public func schedule(
    after date: SchedulerTimeType,
    interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?,
    _ action: () -> Void
  ) -> any Cancellable {
    report("schedule")
    return base.schedule(
      after: date,
      interval: interval,
      tolerance: tolerance,
      options: options,
      action
    )
  }

  private func report(_ member: String) {
    reportIssue(Messages.unimplemented("\(name).\(member)"))
  }
}

extension UnimplementedScheduler: Sendable where SchedulerTimeType: Sendable {}

/// An unimplemented scheduler with the moments and options of another one: `UnimplementedSchedulerOf<DispatchQueue>`.
public typealias UnimplementedSchedulerOf<S: Scheduler> = UnimplementedScheduler<
  S.SchedulerTimeType, S.SchedulerOptions
>

extension DispatchQueue {
  /// A scheduler that reports an issue whenever it is used.
  public static var unimplemented: UnimplementedSchedulerOf<DispatchQueue> {
    unimplemented("DispatchQueue")
  }

  /// A scheduler with a name that reports an issue whenever it is used.
  public static func unimplemented(_ name: String) -> UnimplementedSchedulerOf<DispatchQueue> {
    UnimplementedScheduler(name, now: immediate.now)
  }
}

extension RunLoop {
  /// A scheduler that reports an issue whenever it is used.
  public static var unimplemented: UnimplementedSchedulerOf<RunLoop> { unimplemented("RunLoop") }

  /// A scheduler with a name that reports an issue whenever it is used.
  public static func unimplemented(_ name: String) -> UnimplementedSchedulerOf<RunLoop> {
    UnimplementedScheduler(name, now: immediate.now)
  }
}

extension OperationQueue {
  /// A scheduler that reports an issue whenever it is used.
  public static var unimplemented: UnimplementedSchedulerOf<OperationQueue> {
    unimplemented("OperationQueue")
  }

  /// A scheduler with a name that reports an issue whenever it is used.
  public static func unimplemented(_ name: String) -> UnimplementedSchedulerOf<OperationQueue> {
    UnimplementedScheduler(name, now: immediate.now)
  }
}

extension AnyScheduler
where
  SchedulerTimeType == DispatchQueue.SchedulerTimeType,
  SchedulerOptions == DispatchQueue.SchedulerOptions
{
  /// A scheduler that reports an issue whenever it is used.
  public static var unimplemented: Self { DispatchQueue.unimplemented.eraseToAnyScheduler() }

  /// A scheduler with a name that reports an issue whenever it is used.
  public static func unimplemented(_ name: String) -> Self {
    DispatchQueue.unimplemented(name).eraseToAnyScheduler()
  }
}

extension AnyScheduler
where
  SchedulerTimeType == RunLoop.SchedulerTimeType,
  SchedulerOptions == RunLoop.SchedulerOptions
{
  /// A scheduler that reports an issue whenever it is used.
  public static var unimplemented: Self { RunLoop.unimplemented.eraseToAnyScheduler() }

  /// A scheduler with a name that reports an issue whenever it is used.
  public static func unimplemented(_ name: String) -> Self {
    RunLoop.unimplemented(name).eraseToAnyScheduler()
  }
}

extension AnyScheduler
where
  SchedulerTimeType == OperationQueue.SchedulerTimeType,
  SchedulerOptions == OperationQueue.SchedulerOptions
{
  /// A scheduler that reports an issue whenever it is used.
  public static var unimplemented: Self { OperationQueue.unimplemented.eraseToAnyScheduler() }

  /// A scheduler with a name that reports an issue whenever it is used.
  public static func unimplemented(_ name: String) -> Self {
    OperationQueue.unimplemented(name).eraseToAnyScheduler()
  }
}
