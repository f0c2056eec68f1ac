/// What effects are cancelled by: a value with its static type, at a place in the tree of features.
///
/// Values of different types never meet, even when they print and hash alike, and a cancellation
/// reaches only its own place and what is presented or pushed below it.
package struct CancelID: Hashable, Sendable {
  package let key: CancelKey
  package let path: [NavigationID]

  package init<ID: Hashable & Sendable>(_ id: ID, path: [NavigationID]) {
    self.init(key: CancelKey(id), path: path)
  }

  init(key: CancelKey, path: [NavigationID]) {
    self.key = key
    self.path = path
  }

  /// An id at the place where the running reducer or effect stands.
  init<ID: Hashable & Sendable>(here id: ID) {
    self.init(id, path: DependencyValues._current.navigationPath)
  }
}

/// A hashable value that is equal only to values of its own static type.
package struct CancelKey: Hashable, Sendable {
  package let base: any Hashable & Sendable

  package init<ID: Hashable & Sendable>(_ id: ID) {
    // Ids that were erased before are told apart by what is in them.
    if ID.self == AnyHashable.self, let erased = (id as Any) as? AnyHashable {
      self = CancelKey(erased: erased)
    } else {
      self.base = (id as? CancelKey)?.base ?? id
    }
  }

  /// Takes what is inside of a value whose type has been erased.
  init(erased id: AnyHashable) {
    func key<Base: Hashable>(_ base: Base) -> CancelKey { CancelKey(unchecked: base) }
    self = (id.base as? any Hashable).map { key($0) } ?? key(id)
  }

  /// Takes a value of which nobody knows whether it is `Sendable`.
  init<ID: Hashable>(unchecked id: ID) {
    // `Sendable` is known to the compiler alone, so both types are laid out alike.
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

/// One step on the way from the root feature to one that is presented or pushed: which property,
/// and which of the values that it can hold.
package struct NavigationID: Hashable, Sendable {
  /// What leads to the feature, usually a key path.
  package let place: CancelKey?
  /// Which value stands there: a stack element's id, an `Identifiable` id, a case.
  package let identity: CancelKey?

  package init(place: CancelKey?, identity: CancelKey?) {
    self.place = place
    self.identity = identity
  }

  /// Hashes the identity, for places are few, and key paths take long to hash.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(identity)
  }
}
