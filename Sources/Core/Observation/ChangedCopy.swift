/// A state that takes the place of one that it is a changed copy of.
///
/// Both have the same observers, which have not heard of all that differs.
enum ChangedCopy {
  /// Whether a value of any type is, or holds, a changed copy of what stands at the same place of the value before.
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

  /// Tells the observers of each property that differs.
  ///
  /// - Returns: Whether that can be done. It cannot when the properties are not known, for the type says nothing of them.
  static func tellMembers<State: ObservableState>(of new: State, replacing old: State) -> Bool {
    // What is equal is no change, whatever properties say.
    if DumpEquality.equated(old, new) == true { return true }
    func open<Members: ObservableState & LogMembers>(_: Members.Type) -> Bool {
      guard let old = old as? Members, let new = new as? Members,
        let registrar = registrar(of: new)
      else { return false }
      for member in Members._$logMembers { tell(member, of: new, replacing: old, registrar) }
      return true
    }
    if let type = State.self as? any (ObservableState & LogMembers).Type { return open(type) }
    // A case with a state.
    guard let payload = enumCase(of: new)?.payload as? any ObservableState else { return false }
    return tellMembers(of: payload, replacingPayload: enumCase(of: old)?.payload)
  }

  private static func tellMembers<State: ObservableState>(
    of new: State,
    replacingPayload old: Any?
  ) -> Bool {
    (old as? State).map { tellMembers(of: new, replacing: $0) } ?? false
  }

  private static func tell<State: ObservableState>(
    _ member: LogMember<State>,
    of new: State,
    replacing old: State,
    _ registrar: ObservationStateRegistrar
  ) {
    func open<Value>(_: Value.Type) {
      guard let keyPath = member.keyPath as? KeyPath<State, Value> else { return }
      let (old, value) = (old[keyPath: keyPath], new[keyPath: keyPath])
      if DumpEquality.equated(old, value) == true || tellSameState(value, replacing: old) { return }
      registrar.tell(new, keyPath: keyPath)
    }
    _openExistential(type(of: member.keyPath).valueType, do: open)
  }

  /// Tells the observers of a property that holds a state: if that is the same one, those of its own properties.
  private static func tellSameState(_ new: Any, replacing old: Any) -> Bool {
    func open<State: ObservableState>(_ new: State) -> Bool {
      guard let old = old as? State, old._$id == new._$id else { return false }
      return tellMembers(of: new, replacing: old)
    }
    return (new as? any ObservableState).map { open($0) } ?? false
  }

  /// The registrar that `@ObservableState` has put into a state.
  private static func registrar(of state: some ObservableState) -> ObservationStateRegistrar? {
    Mirror(reflecting: state).children.first { $0.label == "_$observationRegistrar" }?.value
      as? ObservationStateRegistrar
  }
}
