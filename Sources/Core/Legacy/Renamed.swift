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

/// The former name of `Effect`, when it was a publisher that could fail.
@available(*, deprecated, message: "Use \"Effect\", which never fails.")
public typealias EffectPublisher<Action, Failure: Error> = Effect<Action>

/// The former name of `AnyCasePath`.
@available(*, deprecated, renamed: "AnyCasePath")
public typealias CasePath<Root, Value> = AnyCasePath<Root, Value>

/// The former name of `BindingState`.
@available(*, deprecated, renamed: "BindingState")
public typealias BindableState<Value> = BindingState<Value>

/// The former name of `DependencyReducer`.
public typealias _DependencyKeyWritingReducer<Base: Reducer> = DependencyReducer<Base>

/// The back-port of `withObservationTracking`, which every platform of this package has.
@available(*, deprecated, renamed: "withObservationTracking")
public func withPerceptionTracking<T>(
  _ apply: () -> T,
  onChange: @autoclosure () -> @Sendable () -> Void
) -> T {
  withObservationTracking(apply, onChange: onChange())
}
