public import Dispatch
public import Foundation

#if canImport(Combine)
public import Combine
#endif

/// A scheduler that performs each action immediately, and each repeating action only once.
///
/// ```swift
/// let store = TestStore(initialState: .init()) { Search() } withDependencies: {
///   $0.mainQueue = .immediate
/// }
/// ```
public struct ImmediateScheduler<SchedulerTimeType: Strideable, SchedulerOptions>: Scheduler
where SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible {
  /// The time of the scheduler, which never changes.
  public let now: SchedulerTimeType

  /// The smallest tolerance: zero, because actions are never delayed.
  public var minimumTolerance: SchedulerTimeType.Stride { .zero }

  /// Creates a scheduler whose time is always the given one.
  public init(now: SchedulerTimeType) {
    self.now = now
  }

  /// Performs an action immediately.
  public func schedule(options _: SchedulerOptions?, _ action: () -> Void) {
    action()
  }

  /// Performs an action immediately and ignores the given time.
  public func schedule(
    after _: SchedulerTimeType,
    tolerance _: SchedulerTimeType.Stride,
    options _: SchedulerOptions?,
    _ action: () -> Void
  ) {
    action()
  }

  /// Performs a repeating action once, immediately.
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

/// An immediate scheduler with the time and options of another scheduler: `ImmediateSchedulerOf<DispatchQueue>`.
public typealias ImmediateSchedulerOf<S: Scheduler> = ImmediateScheduler<
  S.SchedulerTimeType, S.SchedulerOptions
>

extension DispatchQueue {
  /// An immediate scheduler that can replace a dispatch queue.
  public static var immediate: ImmediateSchedulerOf<DispatchQueue> {
    // The time must not be zero, because `DispatchTime` interprets zero as the current time.
    ImmediateScheduler(now: SchedulerTimeType(DispatchTime(uptimeNanoseconds: 1)))
  }
}

extension RunLoop {
  /// An immediate scheduler that can replace a run loop.
  public static var immediate: ImmediateSchedulerOf<RunLoop> {
    ImmediateScheduler(now: SchedulerTimeType(Date(timeIntervalSince1970: 0)))
  }
}

extension OperationQueue {
  /// An immediate scheduler that can replace an operation queue.
  public static var immediate: ImmediateSchedulerOf<OperationQueue> {
    ImmediateScheduler(now: SchedulerTimeType(Date(timeIntervalSince1970: 0)))
  }
}

extension AnyScheduler
where
  SchedulerTimeType == DispatchQueue.SchedulerTimeType,
  SchedulerOptions == DispatchQueue.SchedulerOptions
{
  /// A type-erased immediate scheduler that can replace a dispatch queue.
  public static var immediate: Self { DispatchQueue.immediate.eraseToAnyScheduler() }
}

extension AnyScheduler
where
  SchedulerTimeType == RunLoop.SchedulerTimeType,
  SchedulerOptions == RunLoop.SchedulerOptions
{
  /// A type-erased immediate scheduler that can replace a run loop.
  public static var immediate: Self { RunLoop.immediate.eraseToAnyScheduler() }
}

extension AnyScheduler
where
  SchedulerTimeType == OperationQueue.SchedulerTimeType,
  SchedulerOptions == OperationQueue.SchedulerOptions
{
  /// A type-erased immediate scheduler that can replace an operation queue.
  public static var immediate: Self { OperationQueue.immediate.eraseToAnyScheduler() }
}

/// A scheduler that performs actions on the main queue, and immediately if the caller runs there.
///
/// Calls on other queues dispatch the action to the main queue.
///
/// ```swift
/// UIScheduler.shared.schedule { print("on the main queue") }
/// ```
public struct UIScheduler: Scheduler, Sendable {
  /// The type for points in time on the main queue.
  public typealias SchedulerTimeType = DispatchQueue.SchedulerTimeType
  /// The type of the options, which has no values because the scheduler has no options.
  public typealias SchedulerOptions = Never

  /// The only instance of the scheduler.
  public static let shared = UIScheduler()

  private let mark = UncheckedSendable(DispatchSpecificKey<Bool>())

  private init() {
    DispatchQueue.main.setSpecific(key: mark.value, value: true)
  }

  /// The current time of the main queue.
  public var now: SchedulerTimeType { DispatchQueue.main.now }

  /// The smallest tolerance that the main queue supports.
  public var minimumTolerance: SchedulerTimeType.Stride { DispatchQueue.main.minimumTolerance }

  /// Performs an action on the main queue, immediately if the caller runs there.
  public func schedule(options _: SchedulerOptions? = nil, _ action: @escaping () -> Void) {
    if DispatchQueue.getSpecific(key: mark.value) == true {
      action()
    } else {
      DispatchQueue.main.schedule(action)
    }
  }

  /// Performs an action on the main queue at the given time.
  public func schedule(
    after date: SchedulerTimeType,
    tolerance: SchedulerTimeType.Stride,
    options _: SchedulerOptions? = nil,
    _ action: @escaping () -> Void
  ) {
    DispatchQueue.main.schedule(after: date, tolerance: tolerance, action)
  }

  /// Performs an action on the main queue at the given time and then at regular intervals.
  ///
  /// The repetition ends when the returned object is canceled.
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
