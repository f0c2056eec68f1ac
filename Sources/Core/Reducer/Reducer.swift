/// A feature's logic: how an action changes the state, and what is to be done after it.
///
/// A feature has a `body` that is built of other reducers:
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
/// A reducer that is no composition has `reduce(into:action:)` in place of `body`.
public protocol Reducer<State, Action>: SendableMetatype {
  /// The state of the feature.
  associatedtype State
  /// The actions of the feature.
  associatedtype Action
  /// The type of `body`, `Never` for a reducer that has none.
  associatedtype Body

  /// Changes the state by an action.
  ///
  /// Features have it or a `body`. Call neither: compose reducers, and send actions to a store.
  @available(iOS, deprecated: 9999, message: "Compose reducers; send actions to a store.")
  @available(macOS, deprecated: 9999, message: "Compose reducers; send actions to a store.")
  @available(tvOS, deprecated: 9999, message: "Compose reducers; send actions to a store.")
  @available(watchOS, deprecated: 9999, message: "Compose reducers; send actions to a store.")
  func reduce(into state: inout State, action: Action) -> Effect<Action>

  /// Changes the state by an action; what reducers call of one another.
  func _reduce(into state: inout State, action: Action) -> Effect<Action>

  /// The reducers that this one is built of.
  @ReducerBuilder<State, Action>
  var body: Body { get }
}

/// A reducer of another one's state and actions: `some ReducerOf<Self>`.
public typealias ReducerOf<R: Reducer> = Reducer<R.State, R.Action>

extension Reducer where Body == Never {
  /// A reducer without a body has none to give.
  public var body: Body {
    fatalError("\(Self.self) has no body. It has \"reduce(into:action:)\" in its place.")
  }

  /// Changes the state by an action.
  public func _reduce(into state: inout State, action: Action) -> Effect<Action> {
    reduce(into: &state, action: action)
  }
}

extension Reducer where Body: Reducer, Body.State == State, Body.Action == Action {
  /// Changes the state by an action, as the body does.
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    let route = ScopeRoute.enter(.call)
    defer { route?.leave() }
    return body._reduce(into: &state, action: action)
  }

  /// Changes the state by an action, as the body does.
  public func _reduce(into state: inout State, action: Action) -> Effect<Action> {
    body._reduce(into: &state, action: action)
  }
}

/// A reducer made of a closure.
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

  /// Makes a reducer of a closure.
  public init(_ reduce: @escaping (_ state: inout State, _ action: Action) -> Effect<Action>) {
    self.function = reduce
  }

  /// Hides the type of a reducer.
  public init(_ reducer: some Reducer<State, Action>) {
    self.function = { reducer._reduce(into: &$0, action: $1) }
  }

  /// Calls the closure.
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    function(&state, action)
  }
}

/// A reducer that does nothing.
///
/// ```swift
/// let store = Store(initialState: Feature.State()) { EmptyReducer<Feature.State, Feature.Action>() }
/// ```
public struct EmptyReducer<State, Action>: Reducer, Sendable {
  /// Makes the reducer.
  public init() {}

  /// Leaves the state as it is.
  public func reduce(into _: inout State, action _: Action) -> Effect<Action> {
    .none
  }
}

/// Several reducers as one, so that an operator can be applied to all of them.
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

  /// Builds the reducers.
  public init(@ReducerBuilder<State, Action> _ build: () -> Reducers) {
    self.reducers = build()
  }

  /// Runs the reducers in order.
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    reducers._reduce(into: &state, action: action)
  }
}

extension Optional: Reducer where Wrapped: Reducer {
  /// Runs the reducer if there is one.
  public func reduce(
    into state: inout Wrapped.State,
    action: Wrapped.Action
  ) -> Effect<Wrapped.Action> {
    self?._reduce(into: &state, action: action) ?? .none
  }
}

/// A reducer that is an enum of features; `@Reducer` writes the conformance.
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
  /// The states of the features, one case each.
  associatedtype State
  /// The actions of the features, one case each.
  associatedtype Action
  /// The reducers of all features together.
  associatedtype Body
  /// The stores of the features, one case each.
  associatedtype CaseScope

  /// The reducers of all features together.
  @ReducerBuilder<State, Action>
  static var body: Body { get }

  /// The store of the feature whose case a store's state has.
  @MainActor
  static func scope(_ store: Store<State, Action>) -> CaseScope
}

extension CaseReducer {
  /// The reducers of all features together.
  public var body: Body { Self.body }
}

/// The state of an enum of features, which knows the reducer that it belongs to.
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

/// The stores of an enum of features.
public protocol _CaseScopeProtocol: SendableMetatype {}

extension Store
where State: CaseReducerState, State.StateReducer.Action == Action {
  /// The store of the feature whose case the state has.
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
