// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The conformances to `Scheduler` that Dispatch and Foundation have on Apple's platforms. Each comment names the page
// that describes the declaration.

public import Combine
public import Dispatch
public import Foundation

extension DispatchQueue: Scheduler {
  // developer.apple.com/documentation/dispatch/dispatchqueue/schedulertimetype
  public struct SchedulerTimeType: Strideable, Hashable, Sendable {
    // developer.apple.com/documentation/dispatch/dispatchqueue/schedulertimetype/dispatchtime
    public var dispatchTime: DispatchTime
    // developer.apple.com/documentation/dispatch/dispatchqueue/schedulertimetype/init(_:)
    public init(_ time: DispatchTime) { dispatchTime = time }
    public func distance(to _: SchedulerTimeType) -> Stride { .zero }
    public func advanced(by _: Stride) -> SchedulerTimeType { self }
    public func hash(into _: inout Hasher) {}

    // developer.apple.com/documentation/dispatch/dispatchqueue/schedulertimetype/stride
    public struct Stride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric, Sendable {
      public var magnitude: Int { 0 }
      public init(integerLiteral _: Int) {}
      public init?(exactly _: some BinaryInteger) {}
      public static func seconds(_: Int) -> Self { 0 }
      public static func seconds(_: Double) -> Self { 0 }
      public static func < (_: Self, _: Self) -> Bool { false }
      public static func + (_: Self, _: Self) -> Self { 0 }
      public static func - (_: Self, _: Self) -> Self { 0 }
      public static func * (_: Self, _: Self) -> Self { 0 }
      public static func *= (_: inout Self, _: Self) {}
    }
  }

  // developer.apple.com/documentation/dispatch/dispatchqueue/scheduleroptions
  public struct SchedulerOptions {}

  public var now: SchedulerTimeType { SchedulerTimeType(.now()) }
  public var minimumTolerance: SchedulerTimeType.Stride { .zero }
  public func schedule(options _: SchedulerOptions?, _: @escaping () -> Void) {}
  public func schedule(
    after _: SchedulerTimeType,
    tolerance _: SchedulerTimeType.Stride,
    options _: SchedulerOptions?,
    _: @escaping () -> Void
  ) {}
  public func schedule(
    after _: SchedulerTimeType,
    interval _: SchedulerTimeType.Stride,
    tolerance _: SchedulerTimeType.Stride,
    options _: SchedulerOptions?,
    _: @escaping () -> Void
  ) -> any Cancellable { fatalError() }
}

extension RunLoop: Scheduler {
  // developer.apple.com/documentation/foundation/runloop/schedulertimetype
  public struct SchedulerTimeType: Strideable, Hashable, Sendable {
    // developer.apple.com/documentation/foundation/runloop/schedulertimetype/date
    public var date: Date
    // developer.apple.com/documentation/foundation/runloop/schedulertimetype/init(_:)
    public init(_ date: Date) { self.date = date }
    public func distance(to _: SchedulerTimeType) -> Stride { .zero }
    public func advanced(by _: Stride) -> SchedulerTimeType { self }

    // developer.apple.com/documentation/foundation/runloop/schedulertimetype/stride
    public struct Stride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric, Sendable {
      public var magnitude: TimeInterval { 0 }
      public init(integerLiteral _: TimeInterval) {}
      public init?(exactly _: some BinaryInteger) {}
      public static func seconds(_: Int) -> Self { 0 }
      public static func seconds(_: Double) -> Self { 0 }
      public static func < (_: Self, _: Self) -> Bool { false }
      public static func + (_: Self, _: Self) -> Self { 0 }
      public static func - (_: Self, _: Self) -> Self { 0 }
      public static func * (_: Self, _: Self) -> Self { 0 }
      public static func *= (_: inout Self, _: Self) {}
    }
  }

  // developer.apple.com/documentation/foundation/runloop/scheduleroptions
  public struct SchedulerOptions {}

  public var now: SchedulerTimeType { SchedulerTimeType(Date()) }
  public var minimumTolerance: SchedulerTimeType.Stride { .zero }
  public func schedule(options _: SchedulerOptions?, _: @escaping () -> Void) {}
  public func schedule(
    after _: SchedulerTimeType,
    tolerance _: SchedulerTimeType.Stride,
    options _: SchedulerOptions?,
    _: @escaping () -> Void
  ) {}
  public func schedule(
    after _: SchedulerTimeType,
    interval _: SchedulerTimeType.Stride,
    tolerance _: SchedulerTimeType.Stride,
    options _: SchedulerOptions?,
    _: @escaping () -> Void
  ) -> any Cancellable { fatalError() }
}

extension OperationQueue: Scheduler {
  // developer.apple.com/documentation/foundation/operationqueue/schedulertimetype
  public struct SchedulerTimeType: Strideable, Hashable, Sendable {
    // developer.apple.com/documentation/foundation/operationqueue/schedulertimetype/init(_:)
    public init(_: Date) {}
    public func distance(to _: SchedulerTimeType) -> Stride { .zero }
    public func advanced(by _: Stride) -> SchedulerTimeType { self }

    // developer.apple.com/documentation/foundation/operationqueue/schedulertimetype/stride
    public struct Stride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric, Sendable {
      public var magnitude: TimeInterval { 0 }
      public init(integerLiteral _: TimeInterval) {}
      public init?(exactly _: some BinaryInteger) {}
      public static func seconds(_: Int) -> Self { 0 }
      public static func seconds(_: Double) -> Self { 0 }
      public static func < (_: Self, _: Self) -> Bool { false }
      public static func + (_: Self, _: Self) -> Self { 0 }
      public static func - (_: Self, _: Self) -> Self { 0 }
      public static func * (_: Self, _: Self) -> Self { 0 }
      public static func *= (_: inout Self, _: Self) {}
    }
  }

  // developer.apple.com/documentation/foundation/operationqueue/scheduleroptions
  public struct SchedulerOptions {}

  public var now: SchedulerTimeType { SchedulerTimeType(Date()) }
  public var minimumTolerance: SchedulerTimeType.Stride { .zero }
  public func schedule(options _: SchedulerOptions?, _: @escaping () -> Void) {}
  public func schedule(
    after _: SchedulerTimeType,
    tolerance _: SchedulerTimeType.Stride,
    options _: SchedulerOptions?,
    _: @escaping () -> Void
  ) {}
  public func schedule(
    after _: SchedulerTimeType,
    interval _: SchedulerTimeType.Stride,
    tolerance _: SchedulerTimeType.Stride,
    options _: SchedulerOptions?,
    _: @escaping () -> Void
  ) -> any Cancellable { fatalError() }
}
