package import ComposableArchitecture

/// A reducer that prints changes.
///
/// In debug builds, it adds an effect to every action.
///
/// The recorder omits this effect, because the app does not depend on it.
package protocol ChangePrinting<State, Action> {
  associatedtype State
  associatedtype Action

  /// The type of the reducer whose changes are printed.
  static var printedType: Any.Type { get }

  /// Changes the state without printing.
  func reduceUnprinted(into state: inout State, action: Action) -> Effect<Action>

  /// Prints the changes that another function makes.
  func printing(
    _ reduce: @escaping (inout State, Action) -> Effect<Action>
  ) -> (inout State, Action) -> Effect<Action>
}

extension _PrintChangesReducer: ChangePrinting {
  package typealias State = Base.State
  package typealias Action = Base.Action

  package static var printedType: Any.Type { Base.self }

  package func reduceUnprinted(
    into state: inout Base.State,
    action: Base.Action
  ) -> Effect<Base.Action> {
    guard let base = member("base", Base.self) else { return _reduce(into: &state, action: action) }
    return base._reduce(into: &state, action: action)
  }

  package func printing(
    _ reduce: @escaping (inout Base.State, Base.Action) -> Effect<Base.Action>
  ) -> (inout Base.State, Base.Action) -> Effect<Base.Action> {
    let printed = Reduce(reduce)
      ._printChanges(member("printer", _ReducerPrinter<Base.State, Base.Action>.self))
    return { printed._reduce(into: &$0, action: $1) }
  }

  /// Returns a member by reflection, because the library keeps it private.
  private func member<Value>(_ name: String, _: Value.Type) -> Value? {
    Mirror(reflecting: self).children.first { $0.label == name }?.value as? Value
  }
}
