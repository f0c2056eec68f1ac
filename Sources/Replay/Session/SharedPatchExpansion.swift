import ActionLog

/// Extends a change at one path of a shared value to all paths that refer to the value.
///
/// Only `replace` operations are extended. A path that refers to only a part of a shared value is not included. Such
/// parts are updated when the state is loaded.
struct SharedPatchExpansion {
  private let places: [(root: Int, at: JSON.Pointer)]

  /// Reads the paths of shared values, in the format of a checkpoint.
  init(_ shared: JSON) {
    places = (shared.array ?? []).compactMap { place in
      guard let root = place["root"]?.int, place["part"] == nil,
        let at = place["at"]?.string.flatMap({ try? JSON.Pointer(parsing: $0) })
      else { return nil }
      return (root, at)
    }
  }

  /// Returns a patch in which each `replace` operation of a shared value is repeated for the value's other paths.
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
