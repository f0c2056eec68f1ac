internal import ActionLog

/// The identities of the shared values in a state, with the part of the shared value that occurs at each path.
///
/// Two states with equal values at all paths may still behave differently after a change, unless the paths refer to the
/// same shared values. The identities are listed in encoding order and without paths, so a comparison is valid only for
/// states with equal JSON.
package struct SharedValueIdentities: Equatable {
  private enum ReferenceRoot: Equatable {
    /// A shared value with a key.
    case key(SharedReferences.ID)
    /// A shared value without a key, numbered by its first occurrence in the state.
    case own(Int)
  }

  private enum ReferencePart: Equatable {
    case named([SharedPathComponent])
    /// A part without a name, identified by the object that represents its reference.
    ///
    /// The compared states retain this object.
    case unnamed(ObjectIdentifier)
  }

  private struct ReferenceLocation: Equatable {
    let root: ReferenceRoot
    let part: ReferencePart
  }

  private let places: [ReferenceLocation]
  /// Whether the complete shared values, and not only the parts in the state, can contain objects or closures.
  package let mayHoldObjects: Bool

  /// Collects the identities while a state is encoded.
  ///
  /// - Parameters:
  ///   - state: The type of the state.
  ///   - references: The references that belong to keys.
  ///   - write: A closure that encodes the state.
  package init<State>(
    of state: State.Type,
    in references: SharedReferences,
    whileWriting write: () -> Void
  ) {
    // A state type without references contains no shared values.
    guard !TypeCapabilities.of(state).isPlain else {
      places = []
      mayHoldObjects = false
      write()
      return
    }
    let marking = SharedValueCollector(isVisible: false)
    SharedValueCollector.$current.withValue(marking, operation: write)
    mayHoldObjects = marking.references.contains { $0.root.mayHoldObjects }
    let keys = references.keys
    var own: [ObjectIdentifier] = []
    places = marking.references.map { reference in
      let part: ReferencePart =
        reference.parts.map { .named($0) } ?? .unnamed(ObjectIdentifier(reference))
      let root = ObjectIdentifier(reference.root)
      if let key = keys[root] { return ReferenceLocation(root: .key(key), part: part) }
      if !own.contains(root) { own.append(root) }
      return ReferenceLocation(root: .own(own.firstIndex(of: root) ?? 0), part: part)
    }
  }
}
