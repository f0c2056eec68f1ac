/// Tells whether two states are one value.
///
/// Asked for once and kept: finding out about a conformance takes long.
class StateIdentity<State> {
  /// What tells it of a type; nil for one whose values have no identity.
  static func make() -> StateIdentity? {
    func make<Observed: ObservableState>(_: Observed.Type) -> Any { ObservedIdentity<Observed>() }
    return (State.self as? any ObservableState.Type).flatMap { make($0) as? StateIdentity }
  }

  /// Whether they are one value, which tells the observers of its properties itself.
  func isSame(_: borrowing State, _: borrowing State) -> Bool { false }
}

private final class ObservedIdentity<State: ObservableState>: StateIdentity<State> {
  override func isSame(_ lhs: borrowing State, _ rhs: borrowing State) -> Bool {
    lhs._$id == rhs._$id
  }
}
