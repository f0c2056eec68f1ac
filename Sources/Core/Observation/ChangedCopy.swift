/// A state that replaces the one that it is a changed copy of.
///
/// Both have the same observers, which were not notified of all differences.
enum ChangedCopy {
  /// Whether a value of any type is, or holds, a changed copy of the state at the same position of the value before.
  ///
  /// - Parameters:
  ///   - new: The value.
  ///   - old: The value before, with the same states.
  ///   - beginning: When a change in place began, zero where nothing is known of that.
  /// - Returns: Whether it does.
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
  /// - Returns: Whether that can be done. It cannot if the type has no table of its properties.
  static func notifyMembers<State: ObservableState>(of new: State, replacing old: State) -> Bool {
    // Equal states are no change, whatever their properties say.
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
    // A case with a state.
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

/// A value that holds states, each of which has observers of its own.
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

/// Finds out whether two states are the same value.
///
/// Asked for once and kept: finding out about a conformance takes long.
class StateIdentity<State> {
  /// The implementation for a type; nil if its values have no identity.
  static func make() -> StateIdentity? {
    func make<Observed: ObservableState>(_: Observed.Type) -> Any { ObservedIdentity<Observed>() }
    return (State.self as? any ObservableState.Type).flatMap { make($0) as? StateIdentity }
  }

  /// Whether a state has the identity of the one that it replaces, so that the observers of its properties know all changes.
  ///
  /// For a changed copy, this notifies them now.
  ///
  /// - Parameters:
  ///   - new: The state.
  ///   - old: The state before.
  ///   - beginning: When the change began: observers were there before.
  /// - Returns: Whether observers of the whole state need no notification.
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
