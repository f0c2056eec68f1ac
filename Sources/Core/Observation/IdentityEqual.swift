/// Whether a state stayed the same value, so that changes notify its own observers and not those of the property.
public func _$isIdentityEqual<Value: ObservableState>(_ lhs: Value, _ rhs: Value) -> Bool {
  lhs._$id == rhs._$id
}

/// Whether an optional state stayed the same value.
public func _$isIdentityEqual<Value: ObservableState>(_ lhs: Value?, _ rhs: Value?) -> Bool {
  lhs?._$id == rhs?._$id
}

/// Whether a collection holds the same states in the same order.
public func _$isIdentityEqual<Values: Collection>(_ lhs: Values, _ rhs: Values) -> Bool
where Values.Element: ObservableState {
  lhs.count == rhs.count && zip(lhs, rhs).allSatisfy { $0._$id == $1._$id }
}

/// Whether an array holds the same states in the same order.
///
/// It is asked for each change of a row, so rows are looked at where they lie, with their type known.
@inlinable
public func _$isIdentityEqual<Value: ObservableState>(_ lhs: [Value], _ rhs: [Value]) -> Bool {
  let left = lhs.span
  let right = rhs.span
  guard left.count == right.count else { return false }
  if left.isIdentical(to: right) { return true }
  for index in left.indices where left[index]._$id != right[index]._$id { return false }
  return true
}

/// Whether an array of values of any type holds the same states in the same order.
@inlinable
public func _$isIdentityEqual<Value>(_ lhs: [Value], _ rhs: [Value]) -> Bool {
  // Asked of the type, because asking each value makes a box for it.
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

/// Strings have no identity.
public func _$isIdentityEqual(_ lhs: String, _ rhs: String) -> Bool {
  false
}

/// Whether values of any type are states that stayed the same; plain values have no identity.
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

/// Notes that a value is about to be changed in place; most values ignore it.
public func _$willModify<Value>(_ value: inout Value) {}

/// Notes that a state is about to be changed in place.
public func _$willModify<Value: ObservableState>(_ value: inout Value) {
  value._$willModify()
}

/// Whether an identified array holds the same states in the same order.
///
/// Storage that copies share is skipped.
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

/// Whether a stack holds the same states under the same ids.
public func _$isIdentityEqual<Value: ObservableState>(
  _ lhs: StackState<Value>,
  _ rhs: StackState<Value>
) -> Bool {
  lhs.ids == rhs.ids && zip(lhs, rhs).allSatisfy { $0._$id == $1._$id }
}

/// Whether a box presents the same state.
public func _$isIdentityEqual<Value: ObservableState>(
  _ lhs: PresentationState<Value>,
  _ rhs: PresentationState<Value>
) -> Bool {
  lhs.wrappedValue?._$id == rhs.wrappedValue?._$id
}

/// Whether a box presents the same state, or nothing still.
public func _$isIdentityEqual<Value>(
  _ lhs: PresentationState<Value>,
  _ rhs: PresentationState<Value>
) -> Bool {
  _$isIdentityEqual(lhs.wrappedValue, rhs.wrappedValue)
}

/// Whether setting a property to a new value is a change: always, if values cannot be compared.
public func _$shouldNotifyObservers<Value>(_ old: Value, _ new: Value) -> Bool { true }

/// Whether setting a property to a new value is a change.
public func _$shouldNotifyObservers<Value: Equatable>(_ old: Value, _ new: Value) -> Bool {
  old != new
}

/// Whether setting a property to another object is a change.
public func _$shouldNotifyObservers<Value: AnyObject>(_ old: Value, _ new: Value) -> Bool {
  old !== new
}

/// Whether setting a property to another object is a change.
public func _$shouldNotifyObservers<Value: AnyObject & Equatable>(
  _ old: Value,
  _ new: Value
) -> Bool {
  old != new
}
