// Of patches that each give one place another scalar, only the last for each place counts: what is counted up with every
// action need not be counted up with every action again.
extension LoggedPatches {
  /// Patches that came one behind the other and each only replace one value by a scalar.
  struct Run {
    /// A path, where it stands in the text of the patches.
    private struct Path: Hashable {
      let text: UnsafeBufferPointer<UInt8>

      static func == (lhs: Path, rhs: Path) -> Bool { lhs.text.hasSameBytes(as: rhs.text) }

      func hash(into hasher: inout Hasher) { hasher.combine(bytes: UnsafeRawBufferPointer(text)) }
    }

    /// The first and the last patch for a place.
    private struct Place {
      let path: Path
      let first: Int
      var last: Int
    }

    private var places: [Place] = []
    private var positions: [Path: Int] = [:]
    /// Where the place of the patch before stands, which is often that of the next.
    private var latest = 0

    /// Takes the next patch into the run, if it is one that belongs there.
    mutating func take(_ patch: PatchText, at index: Int) -> Bool {
      guard let text = patch.replacedByScalar else { return false }
      let path = Path(text: text)
      if latest < places.count, places[latest].path == path {
        places[latest].last = index
      } else if let position = positions[path] {
        places[position].last = index
        latest = position
      } else {
        latest = places.count
        positions[path] = latest
        places.append(Place(path: path, first: index, last: index))
      }
      return true
    }

    /// The patches that count, with the first one for the same place, in the order of those; all of a range where one place lies
    /// within another, so that they depend on each other.
    func counting(_ range: Range<Int>) -> [(first: Int, last: Int)] {
      guard places.count < range.count else { return range.map { ($0, $0) } }
      for place in places {
        let text = place.path.text
        for end in text.indices where text[end] == UInt8(ascii: "/") {
          let outer = UnsafeBufferPointer(rebasing: text[..<end])
          if positions[Path(text: outer)] != nil { return range.map { ($0, $0) } }
        }
      }
      return places.map { ($0.first, $0.last) }
    }
  }
}

extension PatchText {
  /// The path of the value that the patch replaces by a scalar, when it does nothing else.
  fileprivate var replacedByScalar: UnsafeBufferPointer<UInt8>? {
    guard let only, case .plain(.replace, let path, let value) = only.form,
      value.first != UInt8(ascii: "{"), value.first != UInt8(ascii: "[")
    else { return nil }
    return path
  }
}
