/// Sets a `let` that was given a value where it is declared, which no initialiser can set again.
///
/// Generated code calls this for a value that has just been made and that nothing else has seen, and only where the declaration
/// calls something, such as `UUID()`: what every value has alike, a literal, an optimiser may have put in the place of the
/// member. To its caller this is a function that may give `root` any other value, for it is neither inlined nor specialised.
/// A member that is not stored inside the value itself keeps what it has.
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

/// Sets a member whose property wrapper has made its own initial value.
public func _$assign<Root, Value>(
  _ keyPath: WritableKeyPath<Root, Value>,
  of root: inout Root,
  with value: Value
) {
  root[keyPath: keyPath] = value
}

/// Leaves a member as it is whose property wrapper cannot be set.
@_disfavoredOverload
public func _$assign<Root, Value>(
  _ keyPath: KeyPath<Root, Value>,
  of root: inout Root,
  with value: Value
) {}
