// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Combine, reduced to the parts that the project uses. Each comment names the page that describes the declaration.

// developer.apple.com/documentation/combine/cancellable
public protocol Cancellable {
  // developer.apple.com/documentation/combine/cancellable/cancel()
  func cancel()
}

// developer.apple.com/documentation/combine/anycancellable
public final class AnyCancellable: Cancellable {
  // developer.apple.com/documentation/combine/anycancellable/init(_:)
  public init(_: @escaping () -> Void) {}
  // developer.apple.com/documentation/combine/anycancellable/cancel()
  public func cancel() {}
}

// developer.apple.com/documentation/combine/publisher
public protocol Publisher<Output, Failure> {
  associatedtype Output
  associatedtype Failure: Error
}

// developer.apple.com/documentation/combine/subscribers
public enum Subscribers {
  // developer.apple.com/documentation/combine/subscribers/completion
  public enum Completion<Failure: Error> {
    case finished
    case failure(Failure)
  }
}

// developer.apple.com/documentation/combine/anypublisher
public struct AnyPublisher<Output, Failure: Error>: Publisher {}

extension Publisher {
  // developer.apple.com/documentation/combine/publisher/erasetoanypublisher()
  public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { fatalError() }

  // developer.apple.com/documentation/combine/publisher/sink(receivecompletion:receivevalue:)
  public func sink(
    receiveCompletion _: @escaping (Subscribers.Completion<Failure>) -> Void,
    receiveValue _: @escaping (Output) -> Void
  ) -> AnyCancellable { fatalError() }
}

// developer.apple.com/documentation/combine/schedulertimeintervalconvertible
public protocol SchedulerTimeIntervalConvertible {
  // developer.apple.com/documentation/combine/schedulertimeintervalconvertible/seconds(_:)
  static func seconds(_ s: Int) -> Self
  // developer.apple.com/documentation/combine/schedulertimeintervalconvertible/seconds(_:)
  static func seconds(_ s: Double) -> Self
}

// developer.apple.com/documentation/combine/scheduler
public protocol Scheduler<SchedulerTimeType> {
  associatedtype SchedulerTimeType: Strideable
  where SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible
  associatedtype SchedulerOptions
  // developer.apple.com/documentation/combine/scheduler/now
  var now: SchedulerTimeType { get }
  // developer.apple.com/documentation/combine/scheduler/minimumtolerance
  var minimumTolerance: SchedulerTimeType.Stride { get }
  // developer.apple.com/documentation/combine/scheduler/schedule(options:_:)
  func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void)
  // developer.apple.com/documentation/combine/scheduler/schedule(after:tolerance:options:_:)
  func schedule(
    after date: SchedulerTimeType,
    tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?,
    _ action: @escaping () -> Void
  )
  // developer.apple.com/documentation/combine/scheduler/schedule(after:interval:tolerance:options:_:)
  func schedule(
    after date: SchedulerTimeType,
    interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) -> any Cancellable
}

extension Scheduler {
  // developer.apple.com/documentation/combine/scheduler/schedule(_:)
  public func schedule(_: @escaping () -> Void) {}
  // developer.apple.com/documentation/combine/scheduler/schedule(after:tolerance:_:)
  public func schedule(
    after _: SchedulerTimeType,
    tolerance _: SchedulerTimeType.Stride,
    _: @escaping () -> Void
  ) {}
  // developer.apple.com/documentation/combine/scheduler/schedule(after:interval:tolerance:_:)
  public func schedule(
    after _: SchedulerTimeType,
    interval _: SchedulerTimeType.Stride,
    tolerance _: SchedulerTimeType.Stride,
    _: @escaping () -> Void
  ) -> any Cancellable { fatalError() }
}
