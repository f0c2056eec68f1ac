import ActionLog
import Synchronization

/// The observable properties of a state type.
///
/// ```swift
/// ObservedMembers<Feature.State>.known?.notify(of: new, replacing: old)
/// ```
final class ObservedMembers<State: ObservableState>: Sendable {
  private let registrar: StoredMember<ObservationStateRegistrar>
  private let members: [ObservedMember<State>]

  fileprivate init(_ registrar: StoredMember<ObservationStateRegistrar>) where State: LogMembers {
    self.registrar = registrar
    members = State._$logMembers.map { ObservedMember.make($0.keyPath) }
  }

  /// The observable properties of the state type, found once for each type.
  ///
  /// The value is `nil` for an enum, and for a type without a table of its members.
  static var known: ObservedMembers? { ObservedType.of(State.self)?.members as? ObservedMembers }

  /// Notifies the observers of each property that differs between two states.
  func notify(of new: State, replacing old: State) {
    guard let registrar = registrar.value(in: new) else { return }
    for member in members { member.notify(of: new, replacing: old, registrar) }
  }
}

/// A description of an observable struct, for code that knows only the struct's metatype.
struct ObservedType: Sendable {
  /// The registrar that `@ObservableState` puts into the struct.
  let registrar: StoredMember<ObservationStateRegistrar>
  /// The names of the observable properties in a log.
  let names: Set<String>
  /// The `ObservedMembers` of the type.
  fileprivate let members: any Sendable

  private init?<State: ObservableState & LogMembers>(_ type: State.Type) {
    // An enum has no registrar, because its identity is the identity of its payload.
    guard
      let registrar = StoredMember<ObservationStateRegistrar>("_$observationRegistrar", of: type)
    else { return nil }
    self.registrar = registrar
    names = Set(State._$logMembers.map(\.name))
    members = ObservedMembers<State>(registrar)
  }

  private static let known = Mutex<[ObjectIdentifier: ObservedType?]>([:])

  /// Returns the description of a type, which is made once for each type.
  ///
  /// - Returns: The description; `nil` for a type that is not an observable struct with a table of its members.
  static func of(_ type: Any.Type) -> ObservedType? {
    let id = ObjectIdentifier(type)
    if let known = known.withLock({ $0[id] }) { return known }
    func make<State: ObservableState & LogMembers>(_ type: State.Type) -> ObservedType? {
      ObservedType(type)
    }
    // The table of members is code of the app, so it must be read outside of the lock.
    let made = (type as? any (ObservableState & LogMembers).Type).flatMap { make($0) }
    known.withLock { $0[id] = .some(made) }
    return made
  }
}

/// An observable property, with the type of its value erased.
private class ObservedMember<State: ObservableState>: @unchecked Sendable {
  static func make(_ keyPath: PartialKeyPath<State>) -> ObservedMember {
    func make<Value>(_: Value.Type) -> ObservedMember {
      (keyPath as? KeyPath<State, Value>).map { TypedMember($0) } ?? ObservedMember()
    }
    return _openExistential(type(of: keyPath).valueType, do: make)
  }

  /// Notifies the observers of the property if its values in two states differ.
  func notify(of new: State, replacing old: State, _ registrar: ObservationStateRegistrar) {}
}

private final class TypedMember<State: ObservableState, Value>: ObservedMember<State>,
  @unchecked Sendable
{
  private let keyPath: SendableKeyPath<KeyPath<State, Value>>
  private let equality = EqualityTest<Value>.make()

  init(_ keyPath: KeyPath<State, Value>) { self.keyPath = SendableKeyPath(keyPath) }

  override func notify(
    of new: State,
    replacing old: State,
    _ registrar: ObservationStateRegistrar
  ) {
    let (before, after) = (old[keyPath: keyPath.path], new[keyPath: keyPath.path])
    if equality.equated(before, after) == true
      || ChangedCopyNotifier.notifySameState(after, replacing: before)
    {
      return
    }
    registrar.notify(new, keyPath: keyPath.path)
  }
}
