/// A hashable value that equals only values of the same static type.
package struct CancelKey: Hashable, Sendable {
  package let base: any Hashable & Sendable

  package init<ID: Hashable & Sendable>(_ id: ID) {
    // A type-erased id is compared by its underlying value.
    if ID.self == AnyHashable.self, let erased = (id as Any) as? AnyHashable {
      self = CancelKey(erased: erased)
    } else {
      self.base = (id as? CancelKey)?.base ?? id
    }
  }

  /// Creates a key from the underlying value of a type-erased id.
  package init(erased id: AnyHashable) {
    func key<Base: Hashable>(_ base: Base) -> CancelKey { CancelKey(unchecked: base) }
    self = (id.base as? any Hashable).map { key($0) } ?? key(id)
  }

  /// Creates a key from a value that need not be `Sendable`.
  package init<ID: Hashable>(unchecked id: ID) {
    // `Sendable` has no witness table, so both existentials have the same layout.
    self.base = unsafeBitCast(id as any Hashable, to: (any Hashable & Sendable).self)
  }

  package static func == (lhs: CancelKey, rhs: CancelKey) -> Bool {
    func equals<ID: Hashable>(_ id: ID) -> Bool { (rhs.base as? ID) == id }
    return type(of: lhs.base) == type(of: rhs.base) && equals(lhs.base)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(type(of: base)))
    base.hash(into: &hasher)
  }
}
