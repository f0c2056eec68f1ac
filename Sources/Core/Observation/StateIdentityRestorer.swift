package import ActionLog

/// An identity restorer that gives each decoded state the identity of the state that it replaces.
///
/// The decoded state is a changed copy of the old state and has the same observers. A store that publishes the decoded
/// state notifies the observers of the properties that differ.
///
/// ```swift
/// let decoder = LogDecoder(json, after: earlier, keeper: StateIdentityRestorer())
/// let state = try decoder.value(over: state)
/// ```
package struct StateIdentityRestorer: IdentityRestorer {
  package init() {}

  package func keepIdentity<Value: LogValue>(
    of template: Value,
    in value: Value,
    changesOnly isWithin: (Set<String>) -> Bool
  ) -> Value {
    // Properties such as constants have no observers, so a state in which such a property differs gets a new identity.
    guard let type = ObservedType.of(Value.self), isWithin(type.names),
      var registrar = type.registrar.value(in: template)
    else { return value }
    registrar._$willModify()
    var value = value
    type.registrar.set(registrar, in: &value)
    return value
  }
}
