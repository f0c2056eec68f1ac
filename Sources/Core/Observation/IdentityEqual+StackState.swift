/// Whether a stack holds the same states under the same ids.
public func _$isIdentityEqual<Value: ObservableState>(
  _ lhs: StackState<Value>,
  _ rhs: StackState<Value>
) -> Bool {
  lhs.ids == rhs.ids && zip(lhs, rhs).allSatisfy { $0._$id == $1._$id }
}
