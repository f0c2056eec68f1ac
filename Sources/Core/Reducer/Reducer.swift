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
  /// What the feature knows.
  associatedtype State
  /// What can happen to the feature.
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
