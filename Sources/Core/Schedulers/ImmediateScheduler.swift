public import Dispatch
public import Foundation

#if canImport(Combine)
public import Combine
#endif

/// A scheduler that does all work at once, and work that repeats one time.
///
/// ```swift
/// let store = TestStore(initialState: .init()) { Search() } withDependencies: {
///   $0.mainQueue = .immediate
/// }
/// ```
public struct ImmediateScheduler<SchedulerTimeType: Strideable, SchedulerOptions>: Scheduler
where SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible {
  /// The moment of the scheduler, always the same.
  public let now: SchedulerTimeType

  /// An immediate scheduler is exact.
  public var minimumTolerance: SchedulerTimeType.Stride { .zero }

  /// Makes a scheduler at a moment.
  public init(now: SchedulerTimeType) {
    self.now = now
  }

  /// Does work at once.
  public func schedule(options _: SchedulerOptions?, _ action: () -> Void) {
    action()
  }

  /// Does work at once.
  public func schedule(
    after _: SchedulerTimeType,
    tolerance _: SchedulerTimeType.Stride,
    options _: SchedulerOptions?,
    _ action: () -> Void
  ) {
    action()
  }

  /// Does work at once, one time.
  public func schedule(
    after _: SchedulerTimeType,
    interval _: SchedulerTimeType.Stride,
    tolerance _: SchedulerTimeType.Stride,
    options _: SchedulerOptions?,
    _ action: () -> Void
  ) -> any Cancellable {
    action()
    return AnyCancellable {}
  }
}

extension ImmediateScheduler: Sendable where SchedulerTimeType: Sendable {}

/// An immediate scheduler with the moments and options of another one: `ImmediateSchedulerOf<DispatchQueue>`.
public typealias ImmediateSchedulerOf<S: Scheduler> = ImmediateScheduler<
  S.SchedulerTimeType, S.SchedulerOptions
>

extension DispatchQueue {
  /// A scheduler that does at once what a queue does in an app.
  public static var immediate: ImmediateSchedulerOf<DispatchQueue> {
    // Zero would mean the current moment.
    ImmediateScheduler(now: SchedulerTimeType(DispatchTime(uptimeNanoseconds: 1)))
  }
}

extension RunLoop {
  /// A scheduler that does at once what a run loop does in an app.
  public static var immediate: ImmediateSchedulerOf<RunLoop> {
    ImmediateScheduler(now: SchedulerTimeType(Date(timeIntervalSince1970: 0)))
  }
}

extension OperationQueue {
  /// A scheduler that does at once what an operation queue does in an app.
  public static var immediate: ImmediateSchedulerOf<OperationQueue> {
    ImmediateScheduler(now: SchedulerTimeType(Date(timeIntervalSince1970: 0)))
  }
}

extension AnyScheduler
where
  SchedulerTimeType == DispatchQueue.SchedulerTimeType,
  SchedulerOptions == DispatchQueue.SchedulerOptions
{
  /// A scheduler that does all work at once.
  public static var immediate: Self { DispatchQueue.immediate.eraseToAnyScheduler() }
}

extension AnyScheduler
where
  SchedulerTimeType == RunLoop.SchedulerTimeType,
  SchedulerOptions == RunLoop.SchedulerOptions
{
  /// A scheduler that does all work at once.
  public static var immediate: Self { RunLoop.immediate.eraseToAnyScheduler() }
}

extension AnyScheduler
where
  SchedulerTimeType == OperationQueue.SchedulerTimeType,
  SchedulerOptions == OperationQueue.SchedulerOptions
{
  /// A scheduler that does all work at once.
  public static var immediate: Self { OperationQueue.immediate.eraseToAnyScheduler() }
}

/// A scheduler that does work at once on the main queue, and hands over to that queue from anywhere else.
///
/// ```swift
/// UIScheduler.shared.schedule { print("at once on the main queue, else there as soon as it can") }
/// ```
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

  /// The smallest tolerance of the main queue.
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
