/// The detection of states that replace an older copy of themselves, and the notification of their observers.
///
/// A changed copy has the observers of the original, which were not notified of all differences.
enum ChangedCopy {
  /// Returns whether a value is or contains a changed copy of the state at the same position of the old value.
  ///
  /// - Parameters:
  ///   - new: The new value, of any type.
  ///   - old: The old value, with the same states.
  ///   - beginning: The change counter when the change in place began; zero if unknown.
  /// - Returns: Whether the value contains a changed copy that differs from the old state.
  static func isPart(of new: Any, replacing old: Any, since beginning: UInt64) -> Bool {
    let isPart: Bool
    if let new = new as? any ObservableState, let old = old as? any ObservableState {
      isPart = new._$id.isChangedCopy(of: old._$id, since: beginning)
    } else if let new = new as? any Collection {
      isPart = isElement(of: new, replacing: old, since: beginning)
    } else {
      isPart = false
    }
    return isPart && DumpEquality.equated(old, new) != true
  }

  private static func isElement<States: Collection>(
    of new: States,
    replacing old: Any,
    since beginning: UInt64
  ) -> Bool {
    guard let old = old as? States else { return false }
    return zip(new, old).contains { isPart(of: $0, replacing: $1, since: beginning) }
  }

  /// Notifies the observers of each property that differs.
  ///
  /// - Returns: Whether it succeeded; `false` if the type has no table of its properties.
  static func notifyMembers<State: ObservableState>(of new: State, replacing old: State) -> Bool {
    // Equal states need no notification, even if their properties compare as different.
    if DumpEquality.equated(old, new) == true { return true }
    return notifyMembers(ObservedMembers.known, of: new, replacing: old)
  }

  /// Notifies the observers of each property that differs between two states, which are not equal.
  private static func notifyMembers<State: ObservableState>(
    _ members: ObservedMembers<State>?,
    of new: State,
    replacing old: State
  ) -> Bool {
    if let members {
      members.notify(of: new, replacing: old)
      return true
    }
    // An enum case with a state as its payload.
    guard let payload = enumCase(of: new)?.payload as? any ObservableState else { return false }
    return notifyMembers(of: payload, replacingPayload: enumCase(of: old)?.payload)
  }

  private static func notifyMembers<State: ObservableState>(
    of new: State,
    replacingPayload old: Any?
  ) -> Bool {
    (old as? State).map { notifyMembers(of: new, replacing: $0) } ?? false
  }

  /// Notifies the observers of a property that holds a state, or a list of states: if they are the same ones, those of their own
  /// properties.
  ///
  /// - Returns: Whether the observers of the property itself need no notification.
  static func notifySameState(_ new: Any, replacing old: Any) -> Bool {
    if let new = new as? any StateHolder { return new.notifySameStates(replacing: old) }
    func open<State: ObservableState>(_ new: State) -> Bool {
      guard let old = old as? State, old._$id == new._$id else { return false }
      return notifyMembers(of: new, replacing: old)
    }
    return (new as? any ObservableState).map { open($0) } ?? false
  }

  /// Notifies the observers of each state in a list that differs.
  ///
  /// - Returns: Whether all states could. The others have the observers of the property that holds the list.
  fileprivate static func notifyStates<States: Sequence>(
    _ new: States,
    replacing old: States
  ) -> Bool
  where States.Element: ObservableState {
    let members = ObservedMembers<States.Element>.known
    var haveAll = true
    for (new, old) in zip(new, old) where DumpEquality.equated(old, new) != true {
      haveAll = notifyMembers(members, of: new, replacing: old) && haveAll
    }
    return haveAll
  }
}

/// A collection of states that have observers of their own.
private protocol StateHolder {
  /// Notifies the observers of each state that differs.
  ///
  /// - Returns: Whether the observers of the list itself need no notification: it holds the same states in the same order.
  func notifySameStates(replacing old: Any) -> Bool
}

extension Array: StateHolder where Element: ObservableState {
  fileprivate func notifySameStates(replacing old: Any) -> Bool {
    guard let old = old as? Self, _$isIdentityEqual(self, old) else { return false }
    return ChangedCopy.notifyStates(self, replacing: old)
  }
}

extension IdentifiedArray: StateHolder where Element: ObservableState {
  fileprivate func notifySameStates(replacing old: Any) -> Bool {
    guard let old = old as? Self, _$isIdentityEqual(self, old) else { return false }
    return ChangedCopy.notifyStates(self, replacing: old)
  }
}

extension StackState: StateHolder where Element: ObservableState {
  fileprivate func notifySameStates(replacing old: Any) -> Bool {
    guard let old = old as? Self, _$isIdentityEqual(self, old) else { return false }
    return ChangedCopy.notifyStates(self, replacing: old)
  }
}

/// A test whether two states have the same identity.
///
/// A store creates this object once and keeps it, because a conformance lookup is slow.
class StateIdentity<State> {
  /// Returns the implementation for the state type; `nil` if its values have no identity.
  static func make() -> StateIdentity? {
    func make<Observed: ObservableState>(_: Observed.Type) -> Any { ObservedIdentity<Observed>() }
    return (State.self as? any ObservableState.Type).flatMap { make($0) as? StateIdentity }
  }

  /// Returns whether the observers of a state's properties know all changes since the state that it replaces.
  ///
  /// If the state is a changed copy, this function notifies its observers first.
  ///
  /// - Parameters:
  ///   - new: The new state.
  ///   - old: The state that it replaces.
  ///   - beginning: The change counter when the change began. All current observers existed before it.
  /// - Returns: Whether the observers of the complete state need no notification.
  func hasNotified(
    _ new: borrowing State,
    replacing old: borrowing State,
    since beginning: UInt64
  ) -> Bool {
    false
  }
}

private final class ObservedIdentity<State: ObservableState>: StateIdentity<State> {
  override func hasNotified(
    _ new: borrowing State,
    replacing old: borrowing State,
    since beginning: UInt64
  ) -> Bool {
    let (newID, oldID) = (new._$id, old._$id)
    guard newID == oldID else { return false }
    guard newID.isChangedCopy(of: oldID, since: beginning) else { return true }
    return ChangedCopy.notifyMembers(of: copy new, replacing: copy old)
  }
}
