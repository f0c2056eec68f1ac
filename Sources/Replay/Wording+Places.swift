import ActionLog

/// The words of paths that lead nowhere.
extension Wording {
  package static func nothing(at path: JSON.Pointer, _ place: MissingPlace, isWhole: Bool) -> String
  {
    "no state \(isWhole ? "of the log" : "in the range") has anything at '\(path)'\(nearest(place))"
  }

  /// What there is, as near to a path as can be.
  ///
  /// - Parameters:
  ///   - place: Where the path ends.
  ///   - root: What the path starts at.
  ///   - name: Writes a path.
  /// - Returns: The end of a sentence.
  package static func nearest(
    _ place: MissingPlace,
    root: String = "the state",
    name: (JSON.Pointer) -> String = \.description
  ) -> String {
    let owner = place.path.tokens.isEmpty ? root : "'\(name(place.path))'"
    if let meant = place.meant { return "; did you mean '\(name(place.path.appending(meant)))'?" }
    if !place.names.isEmpty {
      let rest = place.names.count - mostNames
      return "; \(owner) has "
        + place.names.prefix(mostNames).map { "\(JSON.string($0))" }.joined(separator: ", ")
        + (rest > 0 ? andMore(rest) : "")
    }
    guard let count = place.value.array?.count, count > 0 else {
      return "; \(owner) is \(place.value.abbreviated)"
    }
    return "; \(owner) is an array of \(count == 1 ? "1 element" : "\(count) elements")"
  }

  /// Enough to see what kind of thing it is.
  private static let mostNames = 12
}
