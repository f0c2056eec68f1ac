// Of patches that each give one place another scalar, only the last for each place counts: what is counted up with every
// action need not be counted up with every action again.
extension PatchedState {
  /// Patches that came one behind the other and each only replace one value by a scalar.
  struct Run {
    private struct Path: Hashable {
      let text: [UInt8]
      func hash(into hasher: inout Hasher) {
        text.withUnsafeBytes { hasher.combine(bytes: $0) }
      }
    }

    /// The first and the last patch for a place.
    private struct Place {
      let path: Path
      let first: Int
      var last: Int
    }

    private(set) var range: Range<Int>
    private var places: [Place] = []
    private var positions: [Path: Int] = [:]

    init(at index: Int) { range = index..<index }

    /// Takes the next patch into the run, if it is one that belongs there.
    mutating func take(_ patch: LoggedPatch) -> Bool {
      guard case .text(let text) = patch, let path = Self.replacedPath(text) else { return false }
      let key = Path(text: path)
      if let position = positions[key] {
        places[position].last = range.upperBound
      } else {
        positions[key] = places.count
        places.append(Place(path: key, first: range.upperBound, last: range.upperBound))
      }
      range = range.lowerBound..<range.upperBound + 1
      return true
    }

    /// The patches that count, with the first one for the same place, in the order of those; all of them where one place lies
    /// within another, so that they depend on each other.
    var counting: [(first: Int, last: Int)] {
      guard places.count < range.count else { return range.map { ($0, $0) } }
      for place in places {
        let text = place.path.text
        for end in text.indices where text[end] == UInt8(ascii: "/") {
          if positions[Path(text: Array(text[..<end]))] != nil { return range.map { ($0, $0) } }
        }
      }
      return places.map { ($0.first, $0.last) }
    }

    /// The path of a patch that does nothing else than to replace one value by a scalar.
    private static func replacedPath(_ text: [UInt8]) -> [UInt8]? {
      text.withUnsafeBufferPointer { bytes in
        var parser = JSON.Parser(bytes: bytes)
        guard parser.take(#"[{"op":"replace","path":""#) else { return nil }
        let start = parser.position
        while parser.position < bytes.count, bytes[parser.position] != UInt8(ascii: "\"") {
          parser.position += 1
        }
        let end = parser.position
        guard parser.take(#"","value":"#), parser.position < bytes.count,
          bytes[parser.position] != UInt8(ascii: "{"), bytes[parser.position] != UInt8(ascii: "["),
          parser.skipCompactValue(), parser.take("}]"), parser.position == bytes.count
        else { return nil }
        return Array(bytes[start..<end])
      }
    }
  }
}
