public import Dispatch
public import Foundation

#if canImport(Combine)
public import Combine
#endif

/// The default scheduler of tests, which reports an issue at each use.
///
/// The scheduler performs actions immediately.
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

  /// Creates a scheduler that reports an issue at each use.
  ///
  /// - Parameters:
  ///   - name: The name of the scheduler in issues.
  ///   - now: The time that the scheduler always returns.
  public init(_ name: String = "", now: SchedulerTimeType) {
    base = ImmediateScheduler(now: now)
    self.name = name.isEmpty ? "Scheduler" : name
  }

  /// The time of the scheduler, which never changes.
  ///
  /// Each read reports an issue.
  public var now: SchedulerTimeType {
    report("now")
    return base.now
  }

  /// The smallest tolerance: zero, because actions are never delayed.
  ///
  /// Each read reports an issue.
  public var minimumTolerance: SchedulerTimeType.Stride {
    report("minimumTolerance")
    return base.minimumTolerance
  }

  /// Performs an action immediately and reports an issue.
  public func schedule(options: SchedulerOptions?, _ action: () -> Void) {
    report("schedule")
    base.schedule(options: options, action)
  }

  /// Performs an action immediately, ignores the given time, and reports an issue.
  public func schedule(
    after date: SchedulerTimeType,
    tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?,
    _ action: () -> Void
  ) {
    report("schedule")
    base.schedule(after: date, tolerance: tolerance, options: options, action)
  }

  /// Performs a repeating action once, immediately, and reports an issue.
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

/// An unimplemented scheduler with the time and options of another scheduler.
public typealias UnimplementedSchedulerOf<S: Scheduler> = UnimplementedScheduler<
  S.SchedulerTimeType, S.SchedulerOptions
>

extension DispatchQueue {
  /// A scheduler that replaces a dispatch queue and reports an issue at each use.
  public static var unimplemented: UnimplementedSchedulerOf<DispatchQueue> {
    unimplemented("DispatchQueue")
  }

  /// Returns a scheduler that replaces a dispatch queue and reports an issue with the given name at each use.
  public static func unimplemented(_ name: String) -> UnimplementedSchedulerOf<DispatchQueue> {
    UnimplementedScheduler(name, now: immediate.now)
  }
}

extension RunLoop {
  /// A scheduler that replaces a run loop and reports an issue at each use.
  public static var unimplemented: UnimplementedSchedulerOf<RunLoop> { unimplemented("RunLoop") }

  /// Returns a scheduler that replaces a run loop and reports an issue with the given name at each use.
  public static func unimplemented(_ name: String) -> UnimplementedSchedulerOf<RunLoop> {
    UnimplementedScheduler(name, now: immediate.now)
  }
}

extension OperationQueue {
  /// A scheduler that replaces an operation queue and reports an issue at each use.
  public static var unimplemented: UnimplementedSchedulerOf<OperationQueue> {
    unimplemented("OperationQueue")
  }

  /// Returns a scheduler that replaces an operation queue and reports an issue with the given name at each use.
  public static func unimplemented(_ name: String) -> UnimplementedSchedulerOf<OperationQueue> {
    UnimplementedScheduler(name, now: immediate.now)
  }
}

extension AnyScheduler
where
  SchedulerTimeType == DispatchQueue.SchedulerTimeType,
  SchedulerOptions == DispatchQueue.SchedulerOptions
{
  /// A scheduler that replaces a dispatch queue and reports an issue at each use.
  public static var unimplemented: Self { DispatchQueue.unimplemented.eraseToAnyScheduler() }

  /// Returns a scheduler that replaces a dispatch queue and reports an issue with the given name at each use.
  public static func unimplemented(_ name: String) -> Self {
    DispatchQueue.unimplemented(name).eraseToAnyScheduler()
  }
}

extension AnyScheduler
where
  SchedulerTimeType == RunLoop.SchedulerTimeType,
  SchedulerOptions == RunLoop.SchedulerOptions
{
  /// A scheduler that replaces a run loop and reports an issue at each use.
  public static var unimplemented: Self { RunLoop.unimplemented.eraseToAnyScheduler() }

  /// Returns a scheduler that replaces a run loop and reports an issue with the given name at each use.
  public static func unimplemented(_ name: String) -> Self {
    RunLoop.unimplemented(name).eraseToAnyScheduler()
  }
}

extension AnyScheduler
where
  SchedulerTimeType == OperationQueue.SchedulerTimeType,
  SchedulerOptions == OperationQueue.SchedulerOptions
{
  /// A scheduler that replaces an operation queue and reports an issue at each use.
  public static var unimplemented: Self { OperationQueue.unimplemented.eraseToAnyScheduler() }

  /// Returns a scheduler that replaces an operation queue and reports an issue with the given name at each use.
  public static func unimplemented(_ name: String) -> Self {
    OperationQueue.unimplemented(name).eraseToAnyScheduler()
  }
}
