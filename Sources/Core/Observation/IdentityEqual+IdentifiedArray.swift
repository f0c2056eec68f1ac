/// Whether an identified array holds the same states in the same order.
///
/// What copies share is not looked at.
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
