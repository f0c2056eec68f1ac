/// Whether an identified array holds the same states in the same order.
@inlinable
public func _$isIdentityEqual<ID, Value: ObservableState>(
  _ lhs: IdentifiedArray<ID, Value>,
  _ rhs: IdentifiedArray<ID, Value>
) -> Bool {
  lhs.ids == rhs.ids && _$isIdentityEqual(lhs.elements, rhs.elements)
}
