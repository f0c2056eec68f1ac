/// Tells whether two states are one value.
///
/// Asked for once and kept: finding out about a conformance takes long.
class StateIdentity<State> {
  /// What tells it of a type; nil for one whose values have no identity.
  static func make() -> StateIdentity? {
    func make<Observed: ObservableState>(_: Observed.Type) -> Any { ObservedIdentity<Observed>() }
    return (State.self as? any ObservableState.Type).flatMap { make($0) as? StateIdentity }
  }

  /// Whether a state is the one that it takes the place of, so that the observers of its properties have heard of all changes.
  ///
  /// Of a changed copy they hear now.
  ///
  /// - Parameters:
  ///   - new: The state.
  ///   - old: The state before.
  ///   - beginning: When the change began: observers were there before.
  /// - Returns: Whether those who observe the state as a whole need not hear of it.
  func hasTold(
    _ new: borrowing State,
    replacing old: borrowing State,
    since beginning: UInt64
  ) -> Bool {
    false
  }
}

private final class ObservedIdentity<State: ObservableState>: StateIdentity<State> {
  override func hasTold(
    _ new: borrowing State,
    replacing old: borrowing State,
    since beginning: UInt64
  ) -> Bool {
    let (newID, oldID) = (new._$id, old._$id)
    guard newID == oldID else { return false }
    guard newID.isChangedCopy(of: oldID, since: beginning) else { return true }
    return ChangedCopy.tellMembers(of: copy new, replacing: copy old)
  }
}
