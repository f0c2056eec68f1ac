public import Dispatch
public import Foundation
import Observation

/// The former name of `Reducer`.
@available(*, deprecated, renamed: "Reducer")
public typealias ReducerProtocol = Reducer

/// The former name of `ReducerOf`.
@available(*, deprecated, renamed: "ReducerOf")
public typealias ReducerProtocolOf<R: Reducer> = Reducer<R.State, R.Action>

/// The former name of `Effect`.
@available(*, deprecated, renamed: "Effect")
public typealias EffectTask<Action> = Effect<Action>

/// The former name of `Effect`, from the time when effects were publishers that could fail.
@available(*, deprecated, message: "Use \"Effect\", which never fails.")
public typealias EffectPublisher<Action, Failure: Error> = Effect<Action>

/// The former name of `AnyCasePath`.
@available(*, deprecated, renamed: "AnyCasePath")
public typealias CasePath<Root, Value> = AnyCasePath<Root, Value>

/// The former name of `BindingState`.
@available(*, deprecated, renamed: "BindingState")
public typealias BindableState<Value> = BindingState<Value>

/// An alternative name for `DependencyReducer`, used in existing code.
public typealias _DependencyKeyWritingReducer<Base: Reducer> = DependencyReducer<Base>

/// Calls the function `withObservationTracking`, which is available on every platform of this package.
@available(*, deprecated, renamed: "withObservationTracking")
public func withPerceptionTracking<T>(
  _ apply: () -> T,
  onChange: @autoclosure () -> @Sendable () -> Void
) -> T {
  withObservationTracking(apply, onChange: onChange())
}

extension ReducerBuilder {
  /// Erases the type of the complete reducer, so that the property `body` can have the type `Reduce`.
  @_disfavoredOverload
  @available(
    *,
    deprecated,
    message: "Declare the body as \"some Reducer<State, Action>\"."
  )
  public static func buildFinalResult<R: Reducer<State, Action>>(
    _ reducer: R
  ) -> Reduce<State, Action> {
    Reduce(reducer)
  }
}

/// The result builder for a reducer's `body`, under its former name.
@available(*, deprecated, message: "Use \"ReducerBuilder<State, Action>\".")
public typealias ReducerBuilderOf<R: Reducer> = ReducerBuilder<R.State, R.Action>

extension Reducer {
  /// Prints each action and the state changes that the action causes.
  @available(*, deprecated, renamed: "_printChanges")
  public func debug() -> _PrintChangesReducer<Self> {
    self._printChanges()
  }
}

extension DependencyValues {
  /// Runs an operation with changed dependencies, under the former name of `withDependencies(_:operation:)`.
  @available(*, deprecated, message: "Use \"withDependencies { } operation: { }\".")
  public static func withValues<R>(
    _ update: (inout DependencyValues) throws -> Void,
    operation: () throws -> R
  ) rethrows -> R {
    try withDependencies(update, operation: operation)
  }

  /// Runs an asynchronous operation with changed dependencies, under the former name of
  /// `withDependencies(_:operation:)`.
  @available(*, deprecated, message: "Use \"withDependencies { } operation: { }\".")
  public static func withValues<R>(
    isolation: isolated (any Actor)? = #isolation,
    _ update: (inout DependencyValues) async throws -> Void,
    operation: () async throws -> R
  ) async rethrows -> R {
    try await withDependencies(update, operation: operation)
  }

  /// Runs an operation with one dependency replaced.
  @available(*, deprecated, message: "Use \"withDependencies { } operation: { }\".")
  public static func withValue<Value, R>(
    _ keyPath: WritableKeyPath<DependencyValues, Value>,
    _ value: Value,
    operation: () throws -> R
  ) rethrows -> R {
    try withDependencies({ $0[keyPath: keyPath] = value }, operation: operation)
  }

  /// Runs an asynchronous operation with one dependency replaced.
  @available(*, deprecated, message: "Use \"withDependencies { } operation: { }\".")
  public static func withValue<Value, R>(
    isolation: isolated (any Actor)? = #isolation,
    _ keyPath: WritableKeyPath<DependencyValues, Value>,
    _ value: Value,
    operation: () async throws -> R
  ) async rethrows -> R {
    try await withDependencies({ $0[keyPath: keyPath] = value }, operation: operation)
  }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The former name of `unimplemented(_:placeholder:)`.
@available(*, deprecated, renamed: "unimplemented")
@_disfavoredOverload
public func XCTUnimplemented<each Argument, Result>(
  _ name: @autoclosure @escaping @Sendable () -> String = "",
  placeholder: @autoclosure @escaping @Sendable () -> Result,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column,
  function: StaticString = #function
) -> @Sendable (repeat each Argument) -> Result {
  unimplemented(
    name(),
    placeholder: placeholder(),
    fileID: fileID,
    filePath: filePath,
    line: line,
    column: column,
    function: function
  )
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The former name of `unimplemented(_:)`.
@available(*, deprecated, renamed: "unimplemented")
@_disfavoredOverload
public func XCTUnimplemented<each Argument>(
  _ name: @autoclosure @escaping @Sendable () -> String = "",
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column,
  function: StaticString = #function
) -> @Sendable (repeat each Argument) -> Void {
  unimplemented(
    name(),
    fileID: fileID,
    filePath: filePath,
    line: line,
    column: column,
    function: function
  )
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The former name of `unimplemented(_:)`.
@available(*, deprecated, renamed: "unimplemented")
public func XCTUnimplemented<each Argument, Result>(
  _ name: @autoclosure @escaping @Sendable () -> String = "",
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column,
  function: StaticString = #function
) -> @Sendable (repeat each Argument) throws -> Result {
  unimplemented(
    name(),
    fileID: fileID,
    filePath: filePath,
    line: line,
    column: column,
    function: function
  )
}

extension AsyncStream {
  /// Returns a stream and the continuation that adds elements to it.
  ///
  /// - Parameters:
  ///   - elementType: The type of the elements.
  ///   - limit: The policy for buffering elements until they are consumed.
  /// - Returns: The stream and its continuation.
  @available(*, deprecated, renamed: "makeStream(of:bufferingPolicy:)")
  public static func streamWithContinuation(
    _ elementType: Element.Type = Element.self,
    bufferingPolicy limit: Continuation.BufferingPolicy = .unbounded
  ) -> (stream: Self, continuation: Continuation) {
    makeStream(of: elementType, bufferingPolicy: limit)
  }
}

extension AsyncThrowingStream where Failure == any Error {
  /// Returns a throwing stream and the continuation that adds elements to it.
  ///
  /// - Parameters:
  ///   - elementType: The type of the elements.
  ///   - limit: The policy for buffering elements until they are consumed.
  /// - Returns: The stream and its continuation.
  @available(*, deprecated, renamed: "makeStream(of:throwing:bufferingPolicy:)")
  public static func streamWithContinuation(
    _ elementType: Element.Type = Element.self,
    bufferingPolicy limit: Continuation.BufferingPolicy = .unbounded
  ) -> (stream: Self, continuation: Continuation) {
    makeStream(of: elementType, throwing: (any Error).self, bufferingPolicy: limit)
  }
}

/// An actor that protects a value.
///
/// In contrast, `LockIsolated` protects a value without suspending the caller.
///
/// ```swift
/// let names = ActorIsolated<[String]>([])
/// await names.withValue { $0.append("Blob") }
/// await names.value  // ["Blob"]
/// ```
@available(*, deprecated, message: "Use \"LockIsolated\".")
public final actor ActorIsolated<Value> {
  /// The protected value.
  public var value: Value

  /// Creates an actor that protects a value.
  public init(_ value: @autoclosure @Sendable () throws -> Value) rethrows {
    self.value = try value()
  }

  /// Gives an operation exclusive access to the value.
  ///
  /// - Parameter operation: A closure that reads or modifies the value.
  /// - Returns: The result of `operation`.
  public func withValue<Result>(
    _ operation: (inout Value) throws -> sending Result
  ) rethrows -> sending Result {
    try operation(&value)
  }

  /// Replaces the value.
  public func setValue(_ value: @autoclosure @Sendable () throws -> Value) rethrows {
    self.value = try value()
  }
}

/// The former name of `UnimplementedScheduler`.
@available(*, deprecated, renamed: "UnimplementedScheduler")
public typealias FailingScheduler = UnimplementedScheduler

extension DispatchQueue {
  /// The former name of `test`.
  @available(*, deprecated, renamed: "test")
  public static var testScheduler: TestSchedulerOf<DispatchQueue> { test }

  /// The former name of `immediate`.
  @available(*, deprecated, renamed: "immediate")
  public static var immediateScheduler: ImmediateSchedulerOf<DispatchQueue> { immediate }

  /// The former name of `unimplemented`.
  @available(*, deprecated, renamed: "unimplemented")
  public static var failing: UnimplementedSchedulerOf<DispatchQueue> { unimplemented }
}

extension RunLoop {
  /// The former name of `test`.
  @available(*, deprecated, renamed: "test")
  public static var testScheduler: TestSchedulerOf<RunLoop> { test }

  /// The former name of `unimplemented`.
  @available(*, deprecated, renamed: "unimplemented")
  public static var failing: UnimplementedSchedulerOf<RunLoop> { unimplemented }
}

extension AnyScheduler
where
  SchedulerTimeType == DispatchQueue.SchedulerTimeType,
  SchedulerOptions == DispatchQueue.SchedulerOptions
{
  /// The former name of `unimplemented`.
  @available(*, deprecated, renamed: "unimplemented")
  public static var failing: Self { .unimplemented }
}

extension AnyScheduler
where
  SchedulerTimeType == RunLoop.SchedulerTimeType,
  SchedulerOptions == RunLoop.SchedulerOptions
{
  /// The former name of `unimplemented`.
  @available(*, deprecated, renamed: "unimplemented")
  public static var failing: Self { .unimplemented }
}
