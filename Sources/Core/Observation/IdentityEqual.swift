/// Returns whether a state kept its identity.
///
/// If so, changes notify the state's own observers and not those of the property.
public func _$isIdentityEqual<Value: ObservableState>(_ lhs: Value, _ rhs: Value) -> Bool {
  lhs._$id == rhs._$id
}

/// Returns whether an optional state kept its identity.
public func _$isIdentityEqual<Value: ObservableState>(_ lhs: Value?, _ rhs: Value?) -> Bool {
  lhs?._$id == rhs?._$id
}

/// Returns whether two collections hold the same states in the same order.
public func _$isIdentityEqual<Values: Collection>(_ lhs: Values, _ rhs: Values) -> Bool
where Values.Element: ObservableState {
  lhs.count == rhs.count && zip(lhs, rhs).allSatisfy { $0._$id == $1._$id }
}

/// Returns whether two arrays hold the same states in the same order.
///
/// Each change of a row calls this function. It is inlinable and compares the rows in place, because their type is
/// known.
@inlinable
public func _$isIdentityEqual<Value: ObservableState>(_ lhs: [Value], _ rhs: [Value]) -> Bool {
  let left = lhs.span
  let right = rhs.span
  guard left.count == right.count else { return false }
  if left.isIdentical(to: right) { return true }
  for index in left.indices where left[index]._$id != right[index]._$id { return false }
  return true
}

/// Returns whether two arrays with elements of any type hold the same states in the same order.
@inlinable
public func _$isIdentityEqual<Value>(_ lhs: [Value], _ rhs: [Value]) -> Bool {
  // Checks the element type once. A check of each value would box it.
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

/// Returns whether two values of any type are states with the same identity; `false` for plain values, which have none.
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
  return lhs.count == rhs.count && zip(lhs, rhs).allSatisfy { _$isIdentityEqual($0, $1) }
}

/// Prepares a value for a change in place.
///
/// Does nothing for values without identity.
public func _$willModify<Value>(_ value: inout Value) {}

/// Assigns a new change number to a state that is about to be changed in place.
public func _$willModify<Value: ObservableState>(_ value: inout Value) {
  value._$willModify()
}

/// Returns whether two identified arrays hold the same states in the same order.
///
/// Skips storage that both arrays share.
@inlinable
public func _$isIdentityEqual<ID, Value: ObservableState>(
  _ lhs: IdentifiedArray<ID, Value>,
  _ rhs: IdentifiedArray<ID, Value>
) -> Bool {
  lhs.ids == rhs.ids
    && lhs.storage.allRuns(with: rhs.storage) { lhs, rhs in
      lhs.indices.allSatisfy { lhs[$0]._$id == rhs[$0]._$id }
    }
}

/// Returns whether two stacks hold the same states with the same ids.
public func _$isIdentityEqual<Value: ObservableState>(
  _ lhs: StackState<Value>,
  _ rhs: StackState<Value>
) -> Bool {
  lhs.ids == rhs.ids && zip(lhs, rhs).allSatisfy { $0._$id == $1._$id }
}

/// Returns whether two presentations contain the same state, or are both empty.
public func _$isIdentityEqual<Value: ObservableState>(
  _ lhs: PresentationState<Value>,
  _ rhs: PresentationState<Value>
) -> Bool {
  lhs.wrappedValue?._$id == rhs.wrappedValue?._$id
}

/// Returns whether two presentations of any type contain the same state, or are both empty.
public func _$isIdentityEqual<Value>(
  _ lhs: PresentationState<Value>,
  _ rhs: PresentationState<Value>
) -> Bool {
  _$isIdentityEqual(lhs.wrappedValue, rhs.wrappedValue)
}

/// Returns `true`, because values that aren't comparable must always notify observers.
public func _$shouldNotifyObservers<Value>(_ old: Value, _ new: Value) -> Bool { true }

/// Returns whether a property's new value differs from the old one.
public func _$shouldNotifyObservers<Value: Equatable>(_ old: Value, _ new: Value) -> Bool {
  old != new
}

/// Returns whether a property's new value is another object.
public func _$shouldNotifyObservers<Value: AnyObject>(_ old: Value, _ new: Value) -> Bool {
  old !== new
}

/// Returns whether a property's new value is an object that differs from the old one, by `==`.
public func _$shouldNotifyObservers<Value: AnyObject & Equatable>(
  _ old: Value,
  _ new: Value
) -> Bool {
  old != new
}
