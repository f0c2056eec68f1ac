/// State that goes away with any of its actions, such as an alert; it has no reducer.
public protocol _EphemeralState<Action> {
  /// What its buttons send.
  associatedtype Action

  /// The type of what its buttons send.
  static var actionType: Any.Type { get }
}

extension _EphemeralState {
  /// The type of what its buttons send.
  public static var actionType: Any.Type { Action.self }
}
