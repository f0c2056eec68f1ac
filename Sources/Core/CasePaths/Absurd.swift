/// Makes anything of a value that cannot be, so that a case with the payload `Never` has a case path as well.
public func _$absurd<Value>(_ never: Never) -> Value {}
