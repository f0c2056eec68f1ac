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
