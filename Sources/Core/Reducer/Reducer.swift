/// The logic of a feature, which changes the state in response to an action and returns an effect.
///
/// A feature has a `body` that composes other reducers:
///
/// ```swift
/// struct Counter: Reducer {
///   struct State { var count = 0 }
///   enum Action { case increment }
///   var body: some ReducerOf<Self> {
///     Reduce { state, action in
///       state.count += 1
///       return .none
///     }
///   }
/// }
/// ```
///
/// A reducer that doesn't compose other reducers implements `reduce(into:action:)` instead of `body`.
public protocol Reducer<State, Action>: SendableMetatype {
  /// The type of the feature's state.
  associatedtype State
  /// The type of the feature's actions.
  associatedtype Action
  /// The type of `body`, or `Never` for a reducer that implements `reduce(into:action:)`.
  associatedtype Body

  /// Changes the state in response to an action, and returns an effect.
  ///
  /// A feature implements this function or `body`. Don't call them: compose reducers, and send actions to a store.
  @available(iOS, deprecated: 9999, message: "Compose reducers; send actions to a store.")
  @available(macOS, deprecated: 9999, message: "Compose reducers; send actions to a store.")
  @available(tvOS, deprecated: 9999, message: "Compose reducers; send actions to a store.")
  @available(watchOS, deprecated: 9999, message: "Compose reducers; send actions to a store.")
  func reduce(into state: inout State, action: Action) -> Effect<Action>

  /// Changes the state in response to an action, by the function or the `body` that the reducer implements.
  ///
  /// Composed reducers call this function.
  func _reduce(into state: inout State, action: Action) -> Effect<Action>

  /// The composition of reducers that implements this one.
  @ReducerBuilder<State, Action>
  var body: Body { get }
}

/// A reducer with another reducer's state and actions: `some ReducerOf<Self>`.
public typealias ReducerOf<R: Reducer> = Reducer<R.State, R.Action>

extension Reducer where Body == Never {
  /// A property that must not be read, because the reducer implements `reduce(into:action:)` instead.
  ///
  /// Reading the property is a fatal error.
  public var body: Body {
    fatalError("\(Self.self) has no body. It has \"reduce(into:action:)\" in its place.")
  }

  /// Changes the state in response to an action by calling `reduce(into:action:)`.
  @inlinable
  public func _reduce(into state: inout State, action: Action) -> Effect<Action> {
    reduce(into: &state, action: action)
  }
}

extension Reducer where Body: Reducer, Body.State == State, Body.Action == Action {
  /// Changes the state in response to an action by running `body`.
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    let route = ScopeRoute.enter(.call)
    defer { route?.leave() }
    return body._reduce(into: &state, action: action)
  }

  /// Changes the state in response to an action by running `body`.
  @inlinable
  public func _reduce(into state: inout State, action: Action) -> Effect<Action> {
    body._reduce(into: &state, action: action)
  }
}

/// A reducer that calls a closure to change the state and return an effect.
///
/// ```swift
/// Reduce { state, action in
///   switch action {
///   case .increment:
///     state.count += 1
///     return .none
///   }
/// }
/// ```
public struct Reduce<State, Action>: Reducer {
  @usableFromInline let function: (inout State, Action) -> Effect<Action>

  /// Creates a reducer that calls a closure to change the state and return an effect.
  @inlinable
  public init(_ reduce: @escaping (_ state: inout State, _ action: Action) -> Effect<Action>) {
    self.function = reduce
  }

  /// Creates a reducer that hides the type of another reducer.
  @inlinable
  public init(_ reducer: some Reducer<State, Action>) {
    self.function = { reducer._reduce(into: &$0, action: $1) }
  }

  /// Calls the closure with the state and the action.
  @inlinable
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    function(&state, action)
  }
}

/// A reducer that leaves the state unchanged and returns no effect.
///
/// ```swift
/// let store = Store(initialState: Feature.State()) { EmptyReducer<Feature.State, Feature.Action>() }
/// ```
public struct EmptyReducer<State, Action>: Reducer, Sendable {
  /// Creates a reducer that ignores all actions.
  @inlinable
  public init() {}

  /// Returns `.none` and leaves the state unchanged.
  @inlinable
  public func reduce(into _: inout State, action _: Action) -> Effect<Action> {
    .none
  }
}

/// A reducer that groups several reducers, so that an operator applies to all of them.
///
/// ```swift
/// CombineReducers {
///   ReducerA()
///   ReducerB()
/// }
/// .dependency(\.date, .constant(now))
/// ```
public struct CombineReducers<State, Action, Reducers: Reducer<State, Action>>: Reducer {
  @usableFromInline let reducers: Reducers

  /// Creates a group of the reducers that a builder lists.
  @inlinable
  public init(@ReducerBuilder<State, Action> _ build: () -> Reducers) {
    self.reducers = build()
  }

  /// Runs the reducers in order and merges their effects.
  @inlinable
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    reducers._reduce(into: &state, action: action)
  }
}

extension Optional: Reducer where Wrapped: Reducer {
  /// Runs the wrapped reducer, or returns `.none` if the optional is `nil`.
  @inlinable
  public func reduce(
    into state: inout Wrapped.State,
    action: Wrapped.Action
  ) -> Effect<Wrapped.Action> {
    self?._reduce(into: &state, action: action) ?? .none
  }
}

/// A reducer that is an enum of features, whose conformance `@Reducer` generates.
///
/// ```swift
/// @Reducer
/// enum Destination {
///   case detail(Detail)
/// }
/// let state: Destination.State = .detail(Detail.State())
/// ```
public protocol CaseReducer<State, Action>: Reducer
where State: CaseReducerState, Body: Reducer, Body.State == State, Body.Action == Action {
  /// An enum with one case for the state of each feature.
  associatedtype State
  /// An enum with one case for the actions of each feature.
  associatedtype Action
  /// The type of the reducer that combines the features.
  associatedtype Body
  /// An enum with one case for the store of each feature.
  associatedtype CaseScope

  /// The reducer that combines the features.
  @ReducerBuilder<State, Action>
  static var body: Body { get }

  /// Returns the store of the feature whose state a store currently has, wrapped in the case for that feature.
  @MainActor
  static func scope(_ store: Store<State, Action>) -> CaseScope
}

extension CaseReducer {
  /// The reducer that combines the features.
  public var body: Body { Self.body }
}

/// The state of an enum of features, from which generic code finds the reducer type.
///
/// ```swift
/// @MainActor func show(_ store: StoreOf<Destination>) {  // the state is a `CaseReducerState`
///   switch store.case {
///   case .detail(let store): show(store)
///   }
/// }
/// ```
public protocol CaseReducerState: SendableMetatype {
  /// The enum of features whose state this is.
  associatedtype StateReducer: CaseReducer where StateReducer.State == Self
}

/// An enum with one case for the store of each feature in an enum of features.
public protocol _CaseScopeProtocol: SendableMetatype {}

extension Store
where State: CaseReducerState, State.StateReducer.Action == Action {
  /// The store of the feature whose state this store currently has, wrapped in the case for that feature.
  ///
  /// ```swift
  /// switch store.case {
  /// case .detail(let store): DetailView(store: store)
  /// case .settings(let store): SettingsView(store: store)
  /// }
  /// ```
  public var `case`: State.StateReducer.CaseScope {
    State.StateReducer.scope(self)
  }
}
