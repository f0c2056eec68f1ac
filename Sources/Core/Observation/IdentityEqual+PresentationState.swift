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
