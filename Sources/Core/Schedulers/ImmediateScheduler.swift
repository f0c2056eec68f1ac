public import Dispatch
public import Foundation

#if canImport(Combine)
public import Combine
#endif

/// A scheduler that performs all work immediately, and repeating work only once.
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

  /// The smallest tolerance: zero.
  public var minimumTolerance: SchedulerTimeType.Stride { .zero }

  /// Creates a scheduler with a given time.
  public init(now: SchedulerTimeType) {
    self.now = now
  }

  /// Performs work immediately.
  public func schedule(options _: SchedulerOptions?, _ action: () -> Void) {
    action()
  }

  /// Performs work immediately, regardless of its time.
  public func schedule(
    after _: SchedulerTimeType,
    tolerance _: SchedulerTimeType.Stride,
    options _: SchedulerOptions?,
    _ action: () -> Void
  ) {
    action()
  }

  /// Performs work once, immediately.
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

/// An immediate scheduler with the time and options of another one: `ImmediateSchedulerOf<DispatchQueue>`.
public typealias ImmediateSchedulerOf<S: Scheduler> = ImmediateScheduler<
  S.SchedulerTimeType, S.SchedulerOptions
>

extension DispatchQueue {
  /// An immediate scheduler that replaces a dispatch queue.
  public static var immediate: ImmediateSchedulerOf<DispatchQueue> {
    // `DispatchTime` interprets zero as the current time.
    ImmediateScheduler(now: SchedulerTimeType(DispatchTime(uptimeNanoseconds: 1)))
  }
}

extension RunLoop {
  /// An immediate scheduler that replaces a run loop.
  public static var immediate: ImmediateSchedulerOf<RunLoop> {
    ImmediateScheduler(now: SchedulerTimeType(Date(timeIntervalSince1970: 0)))
  }
}

extension OperationQueue {
  /// An immediate scheduler that replaces an operation queue.
  public static var immediate: ImmediateSchedulerOf<OperationQueue> {
    ImmediateScheduler(now: SchedulerTimeType(Date(timeIntervalSince1970: 0)))
  }
}

extension AnyScheduler
where
  SchedulerTimeType == DispatchQueue.SchedulerTimeType,
  SchedulerOptions == DispatchQueue.SchedulerOptions
{
  /// A scheduler that performs all work immediately.
  public static var immediate: Self { DispatchQueue.immediate.eraseToAnyScheduler() }
}

extension AnyScheduler
where
  SchedulerTimeType == RunLoop.SchedulerTimeType,
  SchedulerOptions == RunLoop.SchedulerOptions
{
  /// A scheduler that performs all work immediately.
  public static var immediate: Self { RunLoop.immediate.eraseToAnyScheduler() }
}

extension AnyScheduler
where
  SchedulerTimeType == OperationQueue.SchedulerTimeType,
  SchedulerOptions == OperationQueue.SchedulerOptions
{
  /// A scheduler that performs all work immediately.
  public static var immediate: Self { OperationQueue.immediate.eraseToAnyScheduler() }
}

/// A scheduler that performs work immediately on the main queue.
///
/// From other queues, it dispatches to the main queue.
///
/// ```swift
/// UIScheduler.shared.schedule { print("at once on the main queue, else there as soon as it can") }
/// ```
public struct UIScheduler: Scheduler, Sendable {
  /// A time on the main queue.
  public typealias SchedulerTimeType = DispatchQueue.SchedulerTimeType
  /// The options of the scheduler, which has none.
  public typealias SchedulerOptions = Never

  /// The shared instance.
  public static let shared = UIScheduler()

  private let mark = UncheckedSendable(DispatchSpecificKey<Bool>())

  private init() {
    DispatchQueue.main.setSpecific(key: mark.value, value: true)
  }

  /// The current time of the scheduler.
  public var now: SchedulerTimeType { DispatchQueue.main.now }

  /// The smallest tolerance that the main queue supports.
  public var minimumTolerance: SchedulerTimeType.Stride { DispatchQueue.main.minimumTolerance }

  /// Performs work immediately on the main queue.
  ///
  /// From other queues, dispatches it to the main queue.
  public func schedule(options _: SchedulerOptions? = nil, _ action: @escaping () -> Void) {
    if DispatchQueue.getSpecific(key: mark.value) == true {
      action()
    } else {
      DispatchQueue.main.schedule(action)
    }
  }

  /// Performs work on the main queue at a time.
  public func schedule(
    after date: SchedulerTimeType,
    tolerance: SchedulerTimeType.Stride,
    options _: SchedulerOptions? = nil,
    _ action: @escaping () -> Void
  ) {
    DispatchQueue.main.schedule(after: date, tolerance: tolerance, action)
  }

  /// Performs work on the main queue at a time and then at regular intervals, until the result is cancelled.
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
