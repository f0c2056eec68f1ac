/// An id under which effects are cancelled: a value, its static type and the path of its feature.
///
/// Ids are compared by type and `==`. Ids of different types never match, even if they print and hash alike. A
/// cancellation reaches only the feature at its path and the features presented below it.
package struct CancelID: Hashable, Sendable {
  package let key: CancelKey
  package let path: [NavigationID]

  package init<ID: Hashable & Sendable>(_ id: ID, path: [NavigationID]) {
    self.init(key: CancelKey(id), path: path)
  }

  package init(key: CancelKey, path: [NavigationID]) {
    self.key = key
    self.path = path
  }
}

/// A hashable value that equals only values of the same static type.
package struct CancelKey: Hashable, Sendable {
  package let base: any Hashable & Sendable

  package init<ID: Hashable & Sendable>(_ id: ID) {
    // Type-erased ids are compared by the value inside.
    if ID.self == AnyHashable.self, let erased = (id as Any) as? AnyHashable {
      self = CancelKey(erased: erased)
    } else {
      self.base = (id as? CancelKey)?.base ?? id
    }
  }

  /// Creates a key from the value inside a type-erased id.
  package init(erased id: AnyHashable) {
    func key<Base: Hashable>(_ base: Base) -> CancelKey { CancelKey(unchecked: base) }
    self = (id.base as? any Hashable).map { key($0) } ?? key(id)
  }

  /// Creates a key from a value that may not be `Sendable`.
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

/// One element of the path from the root feature to a presented or pushed feature.
///
/// It consists of the property and the identity of the property's value.
package struct NavigationID: Hashable, Sendable {
  /// The property, usually a key path.
  package let place: CancelKey?
  /// The identity of the property's value: a stack element's id, an `Identifiable` id, or a case.
  package let identity: CancelKey?

  package init(place: CancelKey?, identity: CancelKey?) {
    self.place = place
    self.identity = identity
  }

  /// Hashes only the identity, because a feature has few properties and hashing a key path is slow.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(identity)
  }
}
