/// The logic of a feature.
public protocol Reducer<State, Action> {
  /// The state of the feature.
  associatedtype State
  /// The actions of the feature.
  associatedtype Action
  /// The type of the body.
  associatedtype Body

  /// Reduces an action.
  func reduce(into state: inout State, action: Action) -> Effect<Action>
  /// Reduces an action.
  ///
  /// Reducers call this method for each other.
  func _reduce(into state: inout State, action: Action) -> Effect<Action>

  /// The reducers that this one combines.
  @ReducerBuilder<State, Action> var body: Body { get }
}

/// A reducer with the state and actions of another one.
public typealias ReducerOf<R: Reducer> = Reducer<R.State, R.Action>

extension Reducer where Body == Never {
  /// Not available for this reducer.
  public var body: Body { fatalError("\(Self.self) has no body.") }

  /// Reduces an action.
  public func _reduce(into state: inout State, action: Action) -> Effect<Action> {
    reduce(into: &state, action: action)
  }
}

extension Reducer where Body: Reducer, Body.State == State, Body.Action == Action {
  /// Reduces an action.
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    body._reduce(into: &state, action: action)
  }

  /// Reduces an action.
  public func _reduce(into state: inout State, action: Action) -> Effect<Action> {
    body._reduce(into: &state, action: action)
  }
}

/// A reducer with a closure.
public struct Reduce<State, Action>: Reducer {
  private let function: (inout State, Action) -> Effect<Action>

  /// Creates a reducer from a closure.
  public init(_ reduce: @escaping (inout State, Action) -> Effect<Action>) { function = reduce }

  /// Creates a reducer that forwards to another one.
  public init(_ reducer: some Reducer<State, Action>) {
    function = { reducer._reduce(into: &$0, action: $1) }
  }

  /// Reduces an action.
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    function(&state, action)
  }
}

/// A reducer that does nothing.
public struct EmptyReducer<State, Action>: Reducer {
  /// Creates the reducer.
  public init() {}

  /// Returns no effect.
  public func reduce(into _: inout State, action _: Action) -> Effect<Action> { .none }
}

/// Combines reducers.
@resultBuilder
public enum ReducerBuilder<State, Action> {
  /// Builds an empty reducer.
  public static func buildBlock() -> some Reducer<State, Action> {
    EmptyReducer<State, Action>()
  }
  /// Builds a single reducer.
  public static func buildBlock<R: Reducer<State, Action>>(_ reducer: R) -> R { reducer }
  /// Returns the reducer unchanged.
  public static func buildExpression<R: Reducer<State, Action>>(_ reducer: R) -> R { reducer }
  /// Returns the first reducer.
  public static func buildPartialBlock<R: Reducer<State, Action>>(first: R) -> R { first }
  /// Appends a reducer.
  public static func buildPartialBlock<R0: Reducer<State, Action>, R1: Reducer<State, Action>>(
    accumulated: R0,
    next: R1
  ) -> _Sequence<R0, R1> { _Sequence(first: accumulated, second: next) }

  /// A reducer that runs two reducers in sequence.
  public struct _Sequence<R0: Reducer, R1: Reducer>: Reducer
  where R0.State == R1.State, R0.Action == R1.Action {
    let first: R0
    let second: R1

    /// Reduces an action with both reducers.
    public func reduce(into state: inout R0.State, action: R0.Action) -> Effect<R0.Action> {
      first._reduce(into: &state, action: action)
        .merge(with: second._reduce(into: &state, action: action))
    }
  }
}

/// Runs a reducer on a part of the state.
public struct Scope<ParentState, ParentAction, Child: Reducer>: Reducer {
  private let state: WritableKeyPath<ParentState, Child.State>
  private let action: AnyCasePath<ParentAction, Child.Action>
  private let child: Child

  /// Creates a reducer for the part at a key path.
  public init<ChildState, ChildAction>(
    state: WritableKeyPath<ParentState, ChildState>,
    action: CaseKeyPath<ParentAction, ChildAction>,
    @ReducerBuilder<ChildState, ChildAction> child: () -> Child
  ) where Child.State == ChildState, Child.Action == ChildAction {
    self.state = state
    self.action = AnyCasePath(action)
    self.child = child()
  }

  /// Reduces an action of the part.
  public func reduce(
    into state: inout ParentState,
    action: ParentAction
  ) -> Effect<ParentAction> {
    guard let childAction = self.action.extract(from: action) else { return .none }
    let path = self.action
    return child._reduce(into: &state[keyPath: self.state], action: childAction)
      .map { path.embed($0) }
  }
}

extension Reducer {
  /// Runs a reducer on a case of the state, in the form that the macro for enums of features generates.
  public func _$ifCaseLet<CaseState, CaseAction, Child: Reducer<CaseState, CaseAction>>(
    _ statePath: AnyCasePath<State, CaseState>,
    action actionPath: AnyCasePath<Action, CaseAction>,
    named _: String,
    @ReducerBuilder<CaseState, CaseAction> then child: () -> Child
  ) -> some Reducer<State, Action> {
    let child = child()
    return Reduce<State, Action> { state, action in
      var effect = Effect<Action>.none
      if let childAction = actionPath.extract(from: action),
        var childState = statePath.extract(from: state)
      {
        effect = child._reduce(into: &childState, action: childAction)
          .map { actionPath.embed($0) }
        state = statePath.embed(childState)
      }
      return effect.merge(with: self._reduce(into: &state, action: action))
    }
  }

  /// Runs a reducer on the elements of an array.
  public func forEach<ID, ElementState, ElementAction, Child: Reducer<ElementState, ElementAction>>(
    _ elements: WritableKeyPath<State, IdentifiedArray<ID, ElementState>>,
    action: CaseKeyPath<Action, IdentifiedAction<ID, ElementAction>>,
    @ReducerBuilder<ElementState, ElementAction> element child: () -> Child,
    fileID: StaticString = #fileID,
    line: UInt = #line
  ) -> some Reducer<State, Action> {
    let actionPath = AnyCasePath(action)
    let child = child()
    return Reduce<State, Action> { state, action in
      var effect = Effect<Action>.none
      if case .element(let id, let elementAction)? = actionPath.extract(from: action) {
        if var element = state[keyPath: elements][id: id] {
          effect = child._reduce(into: &element, action: elementAction)
            .map { actionPath.embed(.element(id: id, action: $0)) }
          state[keyPath: elements][id: id] = element
        } else {
          reportIssue(
            "forEach received an action for a missing element.",
            fileID: fileID,
            line: line
          )
        }
      }
      return effect.merge(with: self._reduce(into: &state, action: action))
    }
  }

  /// Replaces a dependency in the reducer.
  public func dependency<Value: Sendable>(
    _ keyPath: WritableKeyPath<DependencyValues, Value>,
    _ value: Value
  ) -> some Reducer<State, Action> {
    Reduce<State, Action> { state, action in
      withDependencies {
        $0[keyPath: keyPath] = value
      } operation: {
        self._reduce(into: &state, action: action)
      }
    }
  }
}

/// An enum of features.
public protocol CaseReducer<State, Action>: Reducer
where State: CaseReducerState, Body: Reducer, Body.State == State, Body.Action == Action {
  /// The state of the enum.
  associatedtype State = State
  /// The actions of the enum.
  associatedtype Action = Action
  /// The type of the body.
  associatedtype Body = Body
  /// The stores of the cases.
  associatedtype CaseScope: _CaseScopeProtocol
  /// The reducers of the features.
  @ReducerBuilder<State, Action> static var body: Body { get }
  /// Returns the store of the current case.
  @MainActor static func scope(_ store: Store<State, Action>) -> CaseScope
}

extension CaseReducer {
  /// The reducers of the features.
  public var body: Body { Self.body }
}

/// The stores of the cases of a feature.
public protocol _CaseScopeProtocol {}

/// The stores of cases that views present separately.
///
/// Macros name this type and the next one. The stand-in does not use the code that they generate for views.
public protocol _$PresentedCases: _CaseScopeProtocol {
  /// A property for each case.
  associatedtype _$Paths
  /// The paths to the stores of the cases.
  static var _$paths: _$Paths { get }
}

/// The path from the store of an enum of features to that of one of its cases.
public struct CaseScopePath<State, Action, ChildState, ChildAction> {
  /// Creates a path from its two parts.
  public init(_: KeyPath<State, ChildState?>, _: CaseKeyPath<Action, ChildAction>) {}
}

/// The state of an enum of features.
public protocol CaseReducerState {
  /// The enum of the features.
  associatedtype StateReducer: CaseReducer where StateReducer.State == Self
}
