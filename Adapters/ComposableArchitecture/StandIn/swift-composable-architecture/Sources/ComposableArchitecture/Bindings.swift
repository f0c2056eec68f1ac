/// A key path that can go anywhere.
public typealias _SendableWritableKeyPath<Root, Value> = any WritableKeyPath<Root, Value> & Sendable
/// A key path that can go anywhere.
public typealias _SendablePartialKeyPath<Root> = any PartialKeyPath<Root> & Sendable

/// A change of a property by a view.
public struct BindingAction<Root>: Equatable, Sendable {
  /// The property.
  public let keyPath: _SendablePartialKeyPath<Root>
  let set: @Sendable (inout Root) -> Void
  let value: any Sendable
  let valueIsEqualTo: @Sendable (Any) -> Bool

  /// Compares properties and values.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.keyPath == rhs.keyPath && lhs.valueIsEqualTo(rhs.value)
  }

  /// A change of a property.
  public static func set<Value: Equatable & Sendable>(
    _ keyPath: _SendableWritableKeyPath<Root, Value>,
    _ value: Value
  ) -> Self where Root: ObservableState { change(keyPath, value) }

  // Where the state need not be observed, so that nothing captures its conformance.
  private static func change<Value: Equatable & Sendable>(
    _ keyPath: _SendableWritableKeyPath<Root, Value>,
    _ value: Value
  ) -> Self {
    Self(
      keyPath: keyPath,
      set: { $0[keyPath: keyPath] = value },
      value: value,
      valueIsEqualTo: { $0 as? Value == value }
    )
  }
}

/// Actions among which are changes of properties.
public protocol BindableAction<State> {
  /// The state of the properties.
  associatedtype State
  /// A change of a property.
  static func binding(_ action: BindingAction<State>) -> Self
  /// The change, if it is one.
  var binding: BindingAction<State>? { get }
}

extension BindableAction where Self: CasePathable {
  /// The change, if it is one.
  public var binding: BindingAction<State>? {
    guard let child = Mirror(reflecting: self).children.first, child.label == "binding" else {
      return nil
    }
    return child.value as? BindingAction<State>
  }
}

/// Changes properties.
public struct BindingReducer<State, Action: BindableAction<State>>: Reducer {
  /// Changes properties.
  public init() {}

  /// Changes a property.
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    action.binding?.set(&state)
    return .none
  }
}
