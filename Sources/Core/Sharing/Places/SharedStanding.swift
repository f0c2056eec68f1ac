internal import ActionLog

/// What each place of a shared value in a state stands for: which value it is, and which part of that.
///
/// Two states in which the places hold the same values go different ways when one of these changes, unless they stand for the same.
package struct SharedStanding: Equatable {
  private enum Root: Equatable {
    /// The value of a key.
    case key(SharedReferences.ID)
    /// Another value, by its first place in the state.
    case own(Int)
  }

  private struct Place: Equatable {
    let at: JSON.Pointer
    let root: Root
    let parts: [SharedPart]
  }

  private let places: [Place]

  /// Looks at a state.
  ///
  /// - Parameters:
  ///   - state: The state.
  ///   - references: The references of keys.
  package init<State>(of state: State, in references: SharedReferences) {
    // A type without references holds no shared value.
    guard !TypeCapabilities.of(State.self).isPlain else {
      places = []
      return
    }
    let keys = references.keys
    var own: [ObjectIdentifier] = []
    places = SharedPlaces.places(in: state)
      .map { place in
        if let key = keys[place.root] {
          return Place(at: place.at, root: .key(key), parts: place.parts)
        }
        if !own.contains(place.root) { own.append(place.root) }
        let number = own.firstIndex(of: place.root) ?? 0
        return Place(at: place.at, root: .own(number), parts: place.parts)
      }
  }
}
