/// A reducer that is an enum of features; `@Reducer` writes the conformance.
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

  /// The store of the feature in whose case a store's state stands.
  @MainActor
  static func scope(_ store: Store<State, Action>) -> CaseScope
}

extension CaseReducer {
  /// The reducers of all features together.
  public var body: Body { Self.body }
}

/// The state of an enum of features, which knows the reducer that it belongs to.
public protocol CaseReducerState: SendableMetatype {
  /// The enum of features.
  associatedtype StateReducer: CaseReducer where StateReducer.State == Self
}

/// The stores of an enum of features.
public protocol _CaseScopeProtocol: SendableMetatype {}

extension Store
where State: CaseReducerState, State.StateReducer.Action == Action {
  /// The store of the feature in whose case the state stands.
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
