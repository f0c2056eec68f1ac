// The raw values of enums, which are code: they are never masked, even where they show a masked text.
extension LogMasker {
  /// A place with raw values of an enum that show a masked text.
  package struct RawPlace: Hashable, Sendable {
    package let subject: LogMasks.Subject
    package let path: MaskPath
  }

  /// Code has few enums with raw values.
  private static let mostRawPlaces = 64

  /// Remembers the places of raw values that show a masked text.
  ///
  /// - Parameters:
  ///   - json: A value with marks.
  ///   - subject: The part of the log that it is in.
  ///   - tokens: The steps to it.
  mutating func noteRawValues(
    in json: JSON,
    _ subject: LogMasks.Subject,
    _ tokens: [MaskPath.Token] = []
  ) {
    guard names == .marked, !texts.isEmpty else { return }
    for path in rawPaths(in: json) {
      let place = RawPlace(subject: subject, path: MaskPath(tokens + path))
      guard rawPlaces.count < Self.mostRawPlaces, !rawPlaces.contains(place) else { continue }
      rawPlaces.append(place)
    }
  }

  /// The paths to the raw values in a value that show a masked text.
  private func rawPaths(in json: JSON) -> [[MaskPath.Token]] {
    switch json {
    case .null, .bool, .number: return []
    case .string(let text):
      guard let raw = LogMark.raw.text(of: text), clean(raw) != raw else { return [] }
      return [[]]
    case .array(let elements): return elements.flatMap { rawPaths(in: $0).map { [.any] + $0 } }
    case .object(let object):
      return object.flatMap { name, value in
        rawPaths(in: value).map { name == "$some" ? $0 : [Self.token(of: name)] + $0 }
      }
    }
  }

  /// The steps to a place; any for the elements of an array.
  static func tokens(of path: JSON.Pointer) -> [MaskPath.Token] {
    path.tokens.filter { $0 != "$some" }.map { token in
      token.utf8.allSatisfy { (0x30...0x39).contains($0) } ? .any : Self.token(of: token)
    }
  }

  /// The step to a member; any for the key of a dictionary, which is data.
  private static func token(of name: String) -> MaskPath.Token {
    LogMark.data.text(of: name) == nil ? .name(name) : .any
  }
}
