import ActionLog

/// Makes a change of one place of a shared value a change of all places of that value.
///
/// Places of a part of a value are left as they are: they follow when the state is loaded.
struct SharedPlacesPatch {
  private let places: [(root: Int, at: JSON.Pointer)]

  /// Takes the places as a checkpoint has them.
  init(_ shared: JSON) {
    places = (shared.array ?? []).compactMap { place in
      guard let root = place["root"]?.int, place["part"] == nil,
        let at = place["at"]?.string.flatMap({ try? JSON.Pointer(parsing: $0) })
      else { return nil }
      return (root, at)
    }
  }

  /// The patch, with the operations for the other places of each value that it replaces.
  func completed(_ patch: JSON.Patch) -> JSON.Patch {
    JSON.Patch(
      patch.operations.flatMap { operation -> [JSON.Patch.Operation] in
        guard case .replace(let path, let value) = operation,
          let place = places.first(where: { path.tokens.starts(with: $0.at.tokens) })
        else { return [operation] }
        let rest = path.tokens.dropFirst(place.at.tokens.count)
        let others = places.filter { $0.root == place.root && $0.at != place.at }
        return [operation]
          + others.map { .replace(JSON.Pointer($0.at.tokens + rest), value) }
      }
    )
  }
}
