/// A sendable writable key path.
public typealias _SendableWritableKeyPath<Root, Value> = any WritableKeyPath<Root, Value> & Sendable
/// A sendable partial key path.
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

  /// Creates a change of a property.
  public static func set<Value: Equatable & Sendable>(
    _ keyPath: _SendableWritableKeyPath<Root, Value>,
    _ value: Value
  ) -> Self where Root: ObservableState { change(keyPath, value) }

  // Does not require an observed state, so that no closure captures its conformance.
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

/// Actions that include changes of properties.
public protocol BindableAction<State> {
  /// The state with the properties.
  associatedtype State
  /// Creates an action from a change of a property.
  static func binding(_ action: BindingAction<State>) -> Self
  /// The change if the action is one; otherwise `nil`.
  var binding: BindingAction<State>? { get }
}

extension BindableAction where Self: CasePathable {
  /// The change if the action is one; otherwise `nil`.
  public var binding: BindingAction<State>? {
    guard let child = Mirror(reflecting: self).children.first, child.label == "binding" else {
      return nil
    }
    return child.value as? BindingAction<State>
  }
}

/// A reducer that applies changes of properties.
public struct BindingReducer<State, Action: BindableAction<State>>: Reducer {
  /// Creates a reducer for changes of properties.
  public init() {}

  /// Applies a change to its property.
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    action.binding?.set(&state)
    return .none
  }
}
