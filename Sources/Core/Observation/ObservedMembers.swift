import ActionLog
import Synchronization

/// The observed properties of a type of state.
///
/// ```swift
/// ObservedMembers<Feature.State>.known?.notify(of: new, replacing: old)
/// ```
final class ObservedMembers<State: ObservableState>: Sendable {
  /// The registrar that `@ObservableState` puts into a struct.
  let registrar: StoredMember<ObservationStateRegistrar>
  /// The names of the properties in a log.
  let names: Set<String>
  private let members: [ObservedMember<State>]

  private init?() where State: LogMembers {
    // An enum has no registrar: its identity is the identity of its payload.
    guard
      let registrar = StoredMember<ObservationStateRegistrar>(
        "_$observationRegistrar",
        of: State.self
      )
    else { return nil }
    let members = State._$logMembers
    self.registrar = registrar
    self.names = Set(members.map(\.name))
    self.members = members.map { ObservedMember.make($0.keyPath) }
  }

  /// The properties of the type, found once for each type; `nil` for an enum and for a type without a table of its members.
  static var known: ObservedMembers? {
    let id = ObjectIdentifier(State.self)
    if let known = knownMembers.withLock({ $0[id] }) { return known.members as? ObservedMembers }
    func make<Known: ObservableState & LogMembers>(_: Known.Type) -> (any Sendable)? {
      ObservedMembers<Known>()
    }
    // Outside of the lock, because the table of members is code of the app.
    let made = (State.self as? any (ObservableState & LogMembers).Type).flatMap { make($0) }
    knownMembers.withLock { $0[id] = KnownMembers(members: made) }
    return made as? ObservedMembers
  }

  /// Notifies the observers of each property that differs.
  func notify(of new: State, replacing old: State) {
    guard let registrar = registrar.value(in: new) else { return }
    for member in members { member.notify(of: new, replacing: old, registrar) }
  }
}

/// The observed properties of one type, with the type erased.
private struct KnownMembers: Sendable {
  /// `ObservedMembers`; `nil` for a type that has none.
  let members: (any Sendable)?
}

private let knownMembers = Mutex<[ObjectIdentifier: KnownMembers]>([:])

/// An observed property, with its type erased.
private class ObservedMember<State: ObservableState>: @unchecked Sendable {
  static func make(_ keyPath: PartialKeyPath<State>) -> ObservedMember {
    func make<Value>(_: Value.Type) -> ObservedMember {
      (keyPath as? KeyPath<State, Value>).map { TypedMember($0) } ?? ObservedMember()
    }
    return _openExistential(type(of: keyPath).valueType, do: make)
  }

  /// Notifies the observers of the property if it differs.
  func notify(of new: State, replacing old: State, _ registrar: ObservationStateRegistrar) {}
}

private final class TypedMember<State: ObservableState, Value>: ObservedMember<State>,
  @unchecked Sendable
{
  private let keyPath: SendableKeyPath<KeyPath<State, Value>>

  init(_ keyPath: KeyPath<State, Value>) { self.keyPath = SendableKeyPath(keyPath) }

  override func notify(
    of new: State,
    replacing old: State,
    _ registrar: ObservationStateRegistrar
  ) {
    let (before, after) = (old[keyPath: keyPath.path], new[keyPath: keyPath.path])
    if DumpEquality.equated(before, after) == true
      || ChangedCopy.notifySameState(after, replacing: before)
    {
      return
    }
    registrar.notify(new, keyPath: keyPath.path)
  }
}
