/// The logic of a feature: how an action changes the state, and which effect follows.
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
/// A reducer that composes no others implements `reduce(into:action:)` instead of `body`.
public protocol Reducer<State, Action>: SendableMetatype {
  /// The state of the feature.
  associatedtype State
  /// The actions of the feature.
  associatedtype Action
  /// The type of `body`, or `Never` for a reducer without one.
  associatedtype Body

  /// Changes the state in response to an action, and returns an effect.
  ///
  /// A feature implements this function or `body`. Don't call either: compose reducers, and send actions to a store.
  @available(iOS, deprecated: 9999, message: "Compose reducers; send actions to a store.")
  @available(macOS, deprecated: 9999, message: "Compose reducers; send actions to a store.")
  @available(tvOS, deprecated: 9999, message: "Compose reducers; send actions to a store.")
  @available(watchOS, deprecated: 9999, message: "Compose reducers; send actions to a store.")
  func reduce(into state: inout State, action: Action) -> Effect<Action>

  /// Changes the state in response to an action.
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
  /// Reading this property is a fatal error, because the reducer implements `reduce(into:action:)` instead.
  public var body: Body {
    fatalError("\(Self.self) has no body. It has \"reduce(into:action:)\" in its place.")
  }

  /// Changes the state in response to an action, with `reduce(into:action:)`.
  public func _reduce(into state: inout State, action: Action) -> Effect<Action> {
    reduce(into: &state, action: action)
  }
}

extension Reducer where Body: Reducer, Body.State == State, Body.Action == Action {
  /// Changes the state in response to an action, with `body`.
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    let route = ScopeRoute.enter(.call)
    defer { route?.leave() }
    return body._reduce(into: &state, action: action)
  }

  /// Changes the state in response to an action, with `body`.
  public func _reduce(into state: inout State, action: Action) -> Effect<Action> {
    body._reduce(into: &state, action: action)
  }
}

/// A reducer that calls a closure.
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
  private let function: (inout State, Action) -> Effect<Action>

  /// Creates a reducer that calls a closure.
  public init(_ reduce: @escaping (_ state: inout State, _ action: Action) -> Effect<Action>) {
    self.function = reduce
  }

  /// Creates a reducer that erases the type of another one.
  public init(_ reducer: some Reducer<State, Action>) {
    self.function = { reducer._reduce(into: &$0, action: $1) }
  }

  /// Calls the closure.
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    function(&state, action)
  }
}

/// A reducer that changes no state and returns no effect.
///
/// ```swift
/// let store = Store(initialState: Feature.State()) { EmptyReducer<Feature.State, Feature.Action>() }
/// ```
public struct EmptyReducer<State, Action>: Reducer, Sendable {
  /// Creates an empty reducer.
  public init() {}

  /// Returns `.none` and leaves the state unchanged.
  public func reduce(into _: inout State, action _: Action) -> Effect<Action> {
    .none
  }
}

/// A group of reducers, which an operator can change together.
///
/// ```swift
/// CombineReducers {
///   ReducerA()
///   ReducerB()
/// }
/// .dependency(\.date, .constant(now))
/// ```
public struct CombineReducers<State, Action, Reducers: Reducer<State, Action>>: Reducer {
  private let reducers: Reducers

  /// Creates a group of reducers.
  public init(@ReducerBuilder<State, Action> _ build: () -> Reducers) {
    self.reducers = build()
  }

  /// Runs the reducers in order.
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    reducers._reduce(into: &state, action: action)
  }
}

extension Optional: Reducer where Wrapped: Reducer {
  /// Runs the wrapped reducer, if any.
  public func reduce(
    into state: inout Wrapped.State,
    action: Wrapped.Action
  ) -> Effect<Wrapped.Action> {
    self?._reduce(into: &state, action: action) ?? .none
  }
}

/// A reducer that is an enum of features; `@Reducer` generates the conformance.
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
  /// An enum of the features' states.
  associatedtype State
  /// An enum of the features' actions.
  associatedtype Action
  /// The type of the features' combined reducers.
  associatedtype Body
  /// An enum of the features' stores.
  associatedtype CaseScope

  /// The features' combined reducers.
  @ReducerBuilder<State, Action>
  static var body: Body { get }

  /// Returns the store of the feature that a store's state currently contains.
  @MainActor
  static func scope(_ store: Store<State, Action>) -> CaseScope
}

extension CaseReducer {
  /// The features' combined reducers.
  public var body: Body { Self.body }
}

/// The state of an enum of features, with the type of its reducer.
///
/// ```swift
/// @MainActor func show(_ store: StoreOf<Destination>) {  // its state is a CaseReducerState
///   switch store.case {
///   case .detail(let store): show(store)
///   }
/// }
/// ```
public protocol CaseReducerState: SendableMetatype {
  /// The enum of features.
  associatedtype StateReducer: CaseReducer where StateReducer.State == Self
}

/// An enum of features' stores.
public protocol _CaseScopeProtocol: SendableMetatype {}

extension Store
where State: CaseReducerState, State.StateReducer.Action == Action {
  /// The store of the feature that the state currently contains.
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
