/// Sets a `let` property whose initial value no initializer can replace.
///
/// Generated code calls this function only for a new value that has no other reference, and only if the initial value
/// is an expression with a call, such as `UUID()`. If the initial value is a literal, an optimizer can use the literal
/// instead of reading the property. The function is neither inlined nor specialized, so the optimizer must assume that
/// the function can change any part of `root`. A property that is not stored inline keeps its value.
@inline(never)
@_semantics("optimize.sil.specialize.generic.never")
public func _$overwrite<Root, Value>(
  _ keyPath: KeyPath<Root, Value>,
  of root: inout Root,
  with value: Value
) {
  guard let offset = MemoryLayout<Root>.offset(of: keyPath) else { return }
  withUnsafeMutableBytes(of: &root) { bytes in
    guard let base = bytes.baseAddress else { return }
    (base + offset).assumingMemoryBound(to: Value.self).pointee = value
  }
}

/// Sets a member whose property wrapper created its own initial value.
public func _$assign<Root, Value>(
  _ keyPath: WritableKeyPath<Root, Value>,
  of root: inout Root,
  with value: Value
) {
  root[keyPath: keyPath] = value
}

/// Leaves a member unchanged, because its property wrapper can't be set.
@_disfavoredOverload
public func _$assign<Root, Value>(
  _ keyPath: KeyPath<Root, Value>,
  of root: inout Root,
  with value: Value
) {}
