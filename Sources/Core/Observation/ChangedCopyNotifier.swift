/// The detection of states that replace an older copy of themselves, and the notification of their observers.
///
/// Such a changed copy has the observers of the original state. Some of these observers might have missed changes.
enum ChangedCopyNotifier {
  /// Returns whether a value is a changed copy of an old state, or a list that contains a changed copy.
  ///
  /// - Parameters:
  ///   - new: The new value, of any type.
  ///   - old: The old value, which contains states with the same identities.
  ///   - beginning: The number of the last change before the change in place began; zero if it isn't known.
  /// - Returns: Whether the value differs from the old one and is or contains a changed copy.
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

  /// Notifies the observers of each property that differs between two states.
  ///
  /// - Returns: Whether the observers of the complete state need no notification. The result is `false` if the type has
  ///   no table of its properties, so that differing properties can't be found.
  static func notifyMembers<State: ObservableState>(of new: State, replacing old: State) -> Bool {
    // Equal states need no notification, even if some of their properties compare as different.
    if DumpEquality.equated(old, new) == true { return true }
    return notifyMembers(ObservedMembers.known, of: new, replacing: old)
  }

  /// Notifies the observers of each property that differs between two states that aren't equal.
  ///
  /// - Returns: Whether the properties are known, directly or for the payload of an enum.
  fileprivate static func notifyMembers<State: ObservableState>(
    _ members: ObservedMembers<State>?,
    of new: State,
    replacing old: State
  ) -> Bool {
    if let members {
      members.notify(of: new, replacing: old)
      return true
    }
    // The state may be an enum whose payload is a state.
    guard let payload = enumCase(of: new)?.payload as? any ObservableState else { return false }
    return notifyMembers(of: payload, replacingPayload: enumCase(of: old)?.payload)
  }

  private static func notifyMembers<State: ObservableState>(
    of new: State,
    replacingPayload old: Any?
  ) -> Bool {
    (old as? State).map { notifyMembers(of: new, replacing: $0) } ?? false
  }

  /// Notifies the observers of the changed properties inside a value, if the value is the same state as the old one.
  ///
  /// A list of the same states in the same order counts as the same state.
  ///
  /// - Returns: Whether the observers of the property itself need no notification.
  static func notifySameState(_ new: Any, replacing old: Any) -> Bool {
    if let new = new as? any ObservableStateCollection {
      return new.notifySameStates(replacing: old)
    }
    func open<State: ObservableState>(_ new: State) -> Bool {
      guard let old = old as? State, old._$id == new._$id else { return false }
      return notifyMembers(of: new, replacing: old)
    }
    return (new as? any ObservableState).map { open($0) } ?? false
  }
}

/// A collection of states, each of which has its own observers.
private protocol ObservableStateCollection {
  associatedtype Element: ObservableState

  /// Returns whether two collections have the same ids, and a condition holds for all pairs of states at equal indices.
  ///
  /// - Parameters:
  ///   - other: The other collection.
  ///   - condition: The condition, which receives contiguous runs of states. Runs that both collections share may be
  ///     skipped.
  /// - Returns: Whether the ids are the same, and the condition holds.
  func allRuns(
    with other: Self,
    satisfy condition: (Span<Element>, Span<Element>) -> Bool
  ) -> Bool
}

extension ObservableStateCollection {
  /// Notifies the observers of each state that differs from the one in an old collection.
  ///
  /// - Returns: Whether the observers of the collection itself need no notification, because it contains the same
  ///   states in the same order, and all states could notify their observers.
  fileprivate func notifySameStates(replacing old: Any) -> Bool {
    guard let old = old as? Self else { return false }
    let hasSameStates = allRuns(with: old) { new, old in
      new.indices.allSatisfy { new[$0]._$id == old[$0]._$id }
    }
    guard hasSameStates else { return false }
    let (members, equality) = (ObservedMembers<Element>.known, EqualityTest<Element>.make())
    var haveAll = true
    _ = allRuns(with: old) { new, old in
      for index in new.indices where equality.equated(old[index], new[index]) != true {
        let hasNotified = ChangedCopyNotifier.notifyMembers(
          members,
          of: new[index],
          replacing: old[index]
        )
        haveAll = haveAll && hasNotified
      }
      return true
    }
    return haveAll
  }
}

extension Array: ObservableStateCollection where Element: ObservableState {
  fileprivate func allRuns(
    with other: Self,
    satisfy condition: (Span<Element>, Span<Element>) -> Bool
  ) -> Bool {
    count == other.count && condition(span, other.span)
  }
}

extension IdentifiedArray: ObservableStateCollection where Element: ObservableState {
  fileprivate func allRuns(
    with other: Self,
    satisfy condition: (Span<Element>, Span<Element>) -> Bool
  ) -> Bool {
    ids == other.ids && storage.allRuns(with: other.storage, satisfy: condition)
  }
}

extension StackState: ObservableStateCollection where Element: ObservableState {
  fileprivate func allRuns(
    with other: Self,
    satisfy condition: (Span<Element>, Span<Element>) -> Bool
  ) -> Bool {
    ids == other.ids && elements.allRuns(with: other.elements, satisfy: condition)
  }
}

/// A comparison of two states by identity, which also notifies the observers of the properties of a changed copy.
///
/// A store or a shared value creates this object once and keeps it, because a conformance lookup is slow.
class StateIdentityComparison<State> {
  /// Returns the comparison for the state type, or `nil` if states of this type have no identity.
  static func make() -> StateIdentityComparison? {
    func make<Observed: ObservableState>(_: Observed.Type) -> Any {
      ObservableStateIdentityComparison<Observed>()
    }
    return (State.self as? any ObservableState.Type).flatMap {
      make($0) as? StateIdentityComparison
    }
  }

  /// Returns whether the observers of a state's properties have been notified of all differences from an old state.
  ///
  /// If the new state is a changed copy of the old one, this function first notifies these observers.
  ///
  /// - Parameters:
  ///   - new: The new state.
  ///   - old: The state that the new state replaces.
  ///   - beginning: The number of the last change before the current change began; zero if it isn't known. Later
  ///     changes have already notified all observers.
  /// - Returns: Whether the observers of the complete state need no notification.
  func hasNotified(
    _ new: borrowing State,
    replacing old: borrowing State,
    since beginning: UInt64
  ) -> Bool {
    false
  }
}

private final class ObservableStateIdentityComparison<State: ObservableState>:
  StateIdentityComparison<State>
{
  override func hasNotified(
    _ new: borrowing State,
    replacing old: borrowing State,
    since beginning: UInt64
  ) -> Bool {
    let (newID, oldID) = (new._$id, old._$id)
    guard newID == oldID else { return false }
    guard newID.isChangedCopy(of: oldID, since: beginning) else { return true }
    return ChangedCopyNotifier.notifyMembers(of: copy new, replacing: copy old)
  }
}
