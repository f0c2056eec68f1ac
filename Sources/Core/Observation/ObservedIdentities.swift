package import ActionLog

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
    func open<State: ObservableState>(_: State.Type) -> Any? {
      // A constant has no observers: a state with another one is another state.
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
