/// Returns whether two values are the same state, possibly changed.
///
/// If so, a change notifies the observers of the state's own properties, and not those of the property that contains
/// the state.
public func _$isIdentityEqual<Value: ObservableState>(_ lhs: Value, _ rhs: Value) -> Bool {
  lhs._$id == rhs._$id
}

/// Returns whether two optionals contain the same state, possibly changed, or are both `nil`.
public func _$isIdentityEqual<Value: ObservableState>(_ lhs: Value?, _ rhs: Value?) -> Bool {
  lhs?._$id == rhs?._$id
}

/// Returns whether two collections contain the same states in the same order.
public func _$isIdentityEqual<Values: Collection>(_ lhs: Values, _ rhs: Values) -> Bool
where Values.Element: ObservableState {
  lhs.count == rhs.count && zip(lhs, rhs).allSatisfy { isSameElement($0, $1) }
}

/// Returns whether two elements of a list are the same state, or have no identity and are equal.
@inlinable
func isSameElement<Value: ObservableState>(_ lhs: Value, _ rhs: Value) -> Bool {
  lhs._$id == rhs._$id || isEqualWithoutIdentity(lhs, rhs)
}

/// Returns whether two states have no identity and are equal.
///
/// An enum value whose payload is not a state has no identity: each read of its id makes another one. Without this
/// comparison, a change to any element of a list with such a value would notify the observers of the list.
@usableFromInline
func isEqualWithoutIdentity<Value>(_ lhs: Value, _ rhs: Value) -> Bool {
  guard let state = lhs as? any ObservableState, state._$id != state._$id else { return false }
  return DumpEquality.equated(lhs, rhs) ?? false
}

/// Returns whether two arrays contain the same states in the same order.
///
/// This function runs for each change to a row. It is inlinable, and it compares the rows in place because their type
/// is known.
@inlinable
public func _$isIdentityEqual<Value: ObservableState>(_ lhs: [Value], _ rhs: [Value]) -> Bool {
  let left = lhs.span
  let right = rhs.span
  guard left.count == right.count else { return false }
  if left.isIdentical(to: right) { return true }
  for index in left.indices where !isSameElement(left[index], right[index]) { return false }
  return true
}

/// Returns whether two arrays with elements of any type contain the same states in the same order.
@inlinable
public func _$isIdentityEqual<Value>(_ lhs: [Value], _ rhs: [Value]) -> Bool {
  // Checks the element type once, because checking each value would box it.
  guard !_isPOD(Value.self), let type = Value.self as? any ObservableState.Type else {
    return false
  }
  return isIdentityEqual(lhs, rhs, type)
}

@usableFromInline
func isIdentityEqual<Value, State: ObservableState>(
  _ lhs: [Value],
  _ rhs: [Value],
  _ type: State.Type
) -> Bool {
  guard let lhs = lhs as? [State], let rhs = rhs as? [State] else { return false }
  return _$isIdentityEqual(lhs, rhs)
}

/// Returns `false`, because strings have no identity.
public func _$isIdentityEqual(_ lhs: String, _ rhs: String) -> Bool {
  false
}

/// Returns whether two values of any type are the same states, possibly changed.
///
/// The result is `false` for values that aren't states, because they have no identity.
public func _$isIdentityEqual<Value>(_ lhs: Value, _ rhs: Value) -> Bool {
  guard !_isPOD(Value.self) else { return false }
  if let lhs = lhs as? any ObservableState, let rhs = rhs as? any ObservableState {
    return lhs._$id == rhs._$id
  }
  if let lhs = lhs as? any Collection {
    return isIdentityEqual(lhs, rhs)
  }
  return false
}

private func isIdentityEqual<Values: Collection>(_ lhs: Values, _ rhs: Any) -> Bool {
  guard Values.Element.self is any ObservableState.Type, let rhs = rhs as? Values else {
    return false
  }
  return lhs.count == rhs.count
    && zip(lhs, rhs).allSatisfy { _$isIdentityEqual($0, $1) || isEqualWithoutIdentity($0, $1) }
}

/// Does nothing, because the value isn't a state and has no change number.
public func _$willModify<Value>(_ value: inout Value) {}

/// Assigns a new change number to a state before it is changed in place.
public func _$willModify<Value: ObservableState>(_ value: inout Value) {
  value._$willModify()
}

/// Returns whether two identified arrays contain the same states in the same order.
///
/// Storage that both arrays share is skipped.
@inlinable
public func _$isIdentityEqual<ID, Value: ObservableState>(
  _ lhs: IdentifiedArray<ID, Value>,
  _ rhs: IdentifiedArray<ID, Value>
) -> Bool {
  lhs.ids == rhs.ids
    && lhs.storage.allRuns(with: rhs.storage) { lhs, rhs in
      lhs.indices.allSatisfy { isSameElement(lhs[$0], rhs[$0]) }
    }
}

/// Returns whether two stacks contain the same states with the same ids in the same order.
public func _$isIdentityEqual<Value: ObservableState>(
  _ lhs: StackState<Value>,
  _ rhs: StackState<Value>
) -> Bool {
  lhs.ids == rhs.ids && zip(lhs, rhs).allSatisfy { isSameElement($0, $1) }
}

/// Returns whether two presentations contain the same state, possibly changed, or are both empty.
public func _$isIdentityEqual<Value: ObservableState>(
  _ lhs: PresentationState<Value>,
  _ rhs: PresentationState<Value>
) -> Bool {
  lhs.wrappedValue?._$id == rhs.wrappedValue?._$id
}

/// Returns whether two presentations of any type contain the same state, possibly changed.
public func _$isIdentityEqual<Value>(
  _ lhs: PresentationState<Value>,
  _ rhs: PresentationState<Value>
) -> Bool {
  _$isIdentityEqual(lhs.wrappedValue, rhs.wrappedValue)
}

/// Returns `true`, because values that can't be compared must always notify observers.
public func _$shouldNotifyObservers<Value>(_ old: Value, _ new: Value) -> Bool { true }

/// Returns whether the new value of a property differs from the old value.
public func _$shouldNotifyObservers<Value: Equatable>(_ old: Value, _ new: Value) -> Bool {
  old != new
}

/// Returns whether the new value of a property is a different object than the old value.
public func _$shouldNotifyObservers<Value: AnyObject>(_ old: Value, _ new: Value) -> Bool {
  old !== new
}

/// Returns whether the new value of a property is an object that isn't equal to the old value.
public func _$shouldNotifyObservers<Value: AnyObject & Equatable>(
  _ old: Value,
  _ new: Value
) -> Bool {
  old != new
}
