import ActionLog

/// The words of paths that lead nowhere.
extension Wording {
  static func nothing(at path: JSON.Pointer, _ place: MissingPlace, isWhole: Bool) -> String {
    "no state \(isWhole ? "of the log" : "in the range") has anything at '\(path)'\(nearest(place))"
  }

  static func ignoresNothing(_ ignored: IgnoredPlaces.Missing, logs: Int) -> String {
    let source =
      switch ignored.place.source {
      case .option: "--ignore"
      case .settings: "\(Settings.name): 'ignore':"
      }
    return "\(source) \(ignored.place.place): no state of"
      + " \(logs == 1 ? "the log" : "the \(logs) logs") has anything there"
      + (ignored.end.map { nearest($0) } ?? "")
  }

  /// What there is, as near to a path as can be.
  ///
  /// - Parameters:
  ///   - place: Where the path ends.
  ///   - root: What the path starts at.
  ///   - name: Writes a path.
  /// - Returns: The end of a sentence.
  static func nearest(
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
