/// The path from the store of an enum of features to the store of one of its cases.
///
/// `@Reducer` generates a path for each case. The expression `$store.scope(\.$destination, action: \.destination).edit`
/// looks up a path by name.
public struct CaseScopePath<State, Action, ChildState, ChildAction> {
  let state: KeyPath<State, ChildState?>
  let action: CaseKeyPath<Action, ChildAction>

  /// Creates a path from the parts that lead to the state and the actions of the case.
  ///
  /// - Parameters:
  ///   - state: The key path from the enum of states to the payload of the case.
  ///   - action: The case key path from the enum of actions to the actions of the case.
  public init(_ state: KeyPath<State, ChildState?>, _ action: CaseKeyPath<Action, ChildAction>) {
    self.state = state
    self.action = action
  }
}

/// An enum with one case for the store of each feature, whose cases can be presented individually.
public protocol _$PresentedCases: _CaseScopeProtocol {
  /// A type with one property of type `CaseScopePath` for each case.
  associatedtype _$Paths

  /// The paths to the stores of the cases.
  static var _$paths: _$Paths { get }
}

extension PresentationState {
  /// A member of the presented state; `nil` if no state is presented.
  subscript<Member>(part keyPath: KeyPath<State, Member?>) -> Member? {
    wrappedValue?[keyPath: keyPath]
  }
}

extension Case {
  /// The case of the actions of one feature in a presented enum, including the dismissal.
  subscript<Action, Member>(
    presented keyPath: CaseKeyPath<Action, Member>
  ) -> Case<PresentationAction<Member>> where Value == PresentationAction<Action> {
    appending(PresentationAction<Action>.path(through: AnyCasePath(keyPath)))
  }
}

extension KeyPath {
  /// Returns the key path to the payload of a case, given this key path to a presented enum of features.
  func appending<State, Action, ChildState, ChildAction>(
    _ path: CaseScopePath<State, Action, ChildState, ChildAction>
  ) -> KeyPath<Root, ChildState?> where Value == PresentationState<State> {
    appending(path: \PresentationState<State>.[part: path.state])
  }

  /// Returns the key path to the actions of a case, given this key path to the actions of a presented enum of features.
  func appending<Whole, State, Action, ChildState, ChildAction>(
    _ path: CaseScopePath<State, Action, ChildState, ChildAction>
  ) -> CaseKeyPath<Whole, PresentationAction<ChildAction>>
  where Root == Case<Whole>, Value == Case<PresentationAction<Action>> {
    appending(path: \Case<PresentationAction<Action>>.[presented: path.action])
  }
}
