/// Whether an identified array holds the same states in the same order.
public func _$isIdentityEqual<ID, Value: ObservableState>(
  _ lhs: IdentifiedArray<ID, Value>,
  _ rhs: IdentifiedArray<ID, Value>
) -> Bool {
  lhs.ids == rhs.ids && zip(lhs, rhs).allSatisfy { $0._$id == $1._$id }
}
