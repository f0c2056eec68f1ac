// Raw values of enums come from the app's code. They are never masked, even if they contain a masked string.
extension LogMasker {
  /// A path at which raw values of an enum contain a masked string.
  package struct MaskedRawValuePath: Hashable, Sendable {
    package let subject: LogMasks.Subject
    package let path: MaskPath
  }

  /// The maximum number of paths that the masker records.
  ///
  /// An app has few enums with raw values.
  private static let mostRawPlaces = 64

  /// Records the paths of raw values that contain a masked string.
  ///
  /// - Parameters:
  ///   - json: A value with marks.
  ///   - subject: The part of the log that contains the value.
  ///   - tokens: The path of the value in `subject`.
  mutating func recordRawValuePaths(
    in json: JSON,
    _ subject: LogMasks.Subject,
    _ tokens: [MaskPath.Token] = []
  ) {
    guard names == .marked, !texts.isEmpty else { return }
    for path in rawPaths(in: json) {
      let place = MaskedRawValuePath(subject: subject, path: MaskPath(tokens + path))
      guard rawPlaces.count < Self.mostRawPlaces, !rawPlaces.contains(place) else { continue }
      rawPlaces.append(place)
    }
  }

  /// Returns the paths of raw values inside a value that contain a masked string.
  private func rawPaths(in json: JSON) -> [[MaskPath.Token]] {
    switch json {
    case .null, .bool, .number: return []
    case .string(let text):
      guard let raw = MaskerMark.raw.text(of: text), clean(raw) != raw else { return [] }
      return [[]]
    case .array(let elements): return elements.flatMap { rawPaths(in: $0).map { [.any] + $0 } }
    case .object(let object):
      return object.flatMap { name, value in
        rawPaths(in: value).map { name == "$some" ? $0 : [Self.token(of: name)] + $0 }
      }
    }
  }

  /// Returns a path as tokens of a pattern, in which array indexes match any element.
  static func tokens(of path: JSON.Pointer) -> [MaskPath.Token] {
    path.tokens.filter { $0 != "$some" }.map { token in
      token.utf8.allSatisfy { (0x30...0x39).contains($0) } ? .any : Self.token(of: token)
    }
  }

  /// Returns the token for a member's name, or `.any` if the name is the key of a dictionary.
  private static func token(of name: String) -> MaskPath.Token {
    MaskerMark.data.text(of: name) == nil ? .name(name) : .any
  }
}
