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
    changesOnly isWithin: (Set<String>) -> Bool
  ) -> Value {
    // Constants have no observers. A state with a different constant is a different state.
    guard let type = ObservedType.of(Value.self), isWithin(type.names),
      var registrar = type.registrar.value(in: template)
    else { return value }
    registrar._$willModify()
    var value = value
    type.registrar.set(registrar, in: &value)
    return value
  }
}
