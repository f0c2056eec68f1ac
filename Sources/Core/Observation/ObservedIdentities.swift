package import ActionLog
import Synchronization

/// Gives a state that is read from a log the identity of the state that it replaces.
///
/// The new state has the observers of the old one, and is a changed copy of it: a store that publishes it notifies the observers of what
/// differs, and no others.
///
/// ```swift
/// let decoder = LogDecoder(json, after: earlier, keeper: ObservedIdentities())
/// let state = try decoder.value(over: state)
/// ```
package struct ObservedIdentities: IdentityKeeper {
  /// A keeper.
  package init() {}

  package func keepIdentity<Value: LogValue>(
    of template: Value,
    in value: Value,
    changed names: [String]
  ) -> Value {
    func open<State: ObservableState & LogMembers>(_: State.Type) -> Any? {
      // A constant has no observers: a state with another one is another state.
      let members = Set(State._$logMembers.map(\.name))
      guard names.allSatisfy(members.contains), let template = template as? State,
        var value = value as? State,
        let member = RegistrarMembers.member(of: State.self)
      else { return nil }
      member.copy(from: template, to: &value)
      value._$willModify()
      return value
    }
    guard let type = Value.self as? any (ObservableState & LogMembers).Type else { return value }
    return open(type) as? Value ?? value
  }
}

/// The registrars that `@ObservableState` has put into structs, found once for each type.
private enum RegistrarMembers {
  private static let known = Mutex<[ObjectIdentifier: StoredMember<ObservationStateRegistrar>?]>(
    [:]
  )

  /// The registrar of a type; `nil` for an enum, which has the identity of its payload.
  static func member(of type: Any.Type) -> StoredMember<ObservationStateRegistrar>? {
    let id = ObjectIdentifier(type)
    if let known = known.withLock({ $0[id] }) { return known }
    let member = StoredMember<ObservationStateRegistrar>("_$observationRegistrar", of: type)
    known.withLock { $0[id] = .some(member) }
    return member
  }
}
