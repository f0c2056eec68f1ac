internal import ActionLog

/// What each place of a shared value in a state stands for: which value it is, and which part of that.
///
/// Two states in which the places hold the same values go different ways when one of these changes, unless they stand for the same.
/// The places are in the order in which they are written, so they can be compared only where the states are written alike.
package struct SharedStanding: Equatable {
  private enum ReferenceRoot: Equatable {
    /// The value of a key.
    case key(SharedReferences.ID)
    /// Another value, by its first place in the state.
    case own(Int)
  }

  private enum ReferencePart: Equatable {
    case named([SharedPart])
    /// One that has no name, by its reference: the states that hold it are alive.
    case unnamed(ObjectIdentifier)
  }

  private struct ReferenceLocation: Equatable {
    let root: ReferenceRoot
    let part: ReferencePart
  }

  private let places: [ReferenceLocation]
  /// Whether the shared values, all of them and not only the parts in the state, can hold objects or closures.
  package let mayHoldObjects: Bool

  /// Looks at a state while it is written.
  ///
  /// - Parameters:
  ///   - state: The type of the state.
  ///   - references: The references of keys.
  ///   - write: Writes the state.
  package init<State>(
    of state: State.Type,
    in references: SharedReferences,
    whileWriting write: () -> Void
  ) {
    // A type without references holds no shared value.
    guard !TypeCapabilities.of(state).isPlain else {
      places = []
      mayHoldObjects = false
      write()
      return
    }
    let marking = SharedMarking(isVisible: false)
    SharedMarking.$current.withValue(marking, operation: write)
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
