package import ActionLog

/// A keeper that gives a state decoded from a log the identity of the state that it replaces.
///
/// The new state is a changed copy of the old one and has its observers. A store that publishes the state notifies the
/// observers of the properties that differ.
///
/// ```swift
/// let decoder = LogDecoder(json, after: earlier, keeper: ObservedIdentities())
/// let state = try decoder.value(over: state)
/// ```
package struct ObservedIdentities: IdentityKeeper {
  package init() {}

  package func keepIdentity<Value: LogValue>(
    of template: Value,
    in value: Value,
    changed names: [String]
  ) -> Value {
    func open<State: ObservableState>(_: State.Type) -> Any? {
      // Constants have no observers. A state with a different constant is a different state.
      guard let members = ObservedMembers<State>.known, names.allSatisfy(members.names.contains),
        let template = template as? State, var value = value as? State
      else { return nil }
      members.registrar.copy(from: template, to: &value)
      value._$willModify()
      return value
    }
    guard let type = Value.self as? any ObservableState.Type else { return value }
    return open(type) as? Value ?? value
  }
}
