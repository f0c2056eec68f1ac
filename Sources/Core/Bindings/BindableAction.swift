/// An action that can set properties of the state.
///
/// ```swift
/// enum Action: BindableAction {
///   case binding(BindingAction<State>)
/// }
/// ```
public protocol BindableAction<State> {
  /// The state whose properties are set.
  associatedtype State

  /// Makes an action of a change.
  static func binding(_ action: BindingAction<State>) -> Self

  /// The change, if the action is one.
  var binding: BindingAction<State>? { get }
}

extension BindableAction {
  /// The payload of the case `binding`.
  public var binding: BindingAction<State>? {
    enumCase(of: self).flatMap { $0.label == "binding" ? $0.payload as? BindingAction<State> : nil }
  }

  /// Sets a property.
  ///
  /// - Parameters:
  ///   - keyPath: The property.
  ///   - value: What it is set to.
  /// - Returns: The action.
  public static func set<Value: Equatable & Sendable>(
    _ keyPath: WritableKeyPath<State, Value>,
    _ value: Value
  ) -> Self {
    .binding(.set(keyPath, value))
  }
}
