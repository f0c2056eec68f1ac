/// An id under which effects are canceled: a value, its static type, and its feature's path.
///
/// Ids are compared by type and `==`. Ids of different types never match, even if their descriptions and hash values
/// are equal. A cancellation reaches only the feature at its path and the features presented below it.
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

/// One element of the path from the root feature to a presented or pushed feature.
///
/// Consists of the property and the identity of the property's value.
package struct NavigationID: Hashable, Sendable {
  /// The property that holds the feature's state, usually a key path.
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
