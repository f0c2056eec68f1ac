/// A state that patches lead on, which are applied when somebody asks for the state.
///
/// In a replay that does what was recorded nobody does, from one checkpoint to the next.
package struct PatchedState: Sendable {
  private var base: JSON
  private var pending = LoggedPatches()

  /// A state that a checkpoint holds.
  package init(_ state: JSON) { base = state }

  /// How many bytes of patches may wait: with them no more memory is taken than with states of some size.
  private static let mostPending = 4 * 1024 * 1024

  /// A patch that did not fit.
  package struct Failure: Error {
    package let seq: Int
    package let error: JSON.Patch.ApplyError
  }

  /// Leads the state on.
  ///
  /// - Throws: `Failure` for the first of the patches that have waited and do not fit; it and those behind it are gone.
  package mutating func append(_ patch: LoggedPatch, of seq: Int) throws(Failure) {
    guard case .text(let text) = patch else {
      try catchUp()
      return try apply(patch, of: seq)
    }
    text.withUnsafeBufferPointer { pending.append($0, of: seq) }
    if pending.count > Self.mostPending { try catchUp() }
  }

  /// Leads the state on through the actions behind it.
  ///
  /// - Throws: As `append(_:of:)`.
  package mutating func append(_ patches: LoggedPatches) throws(Failure) {
    pending.append(patches)
    if pending.count > Self.mostPending { try catchUp() }
  }

  /// The state as it is now.
  ///
  /// - Throws: As `append(_:of:)`.
  package mutating func state() throws(Failure) -> JSON {
    try catchUp()
    return base
  }

  /// Hands over the state as it is now, so that it has one owner and is changed where it is.
  ///
  /// - Throws: As `append(_:of:)`.
  package mutating func take() throws(Failure) -> JSON {
    try catchUp()
    var state = JSON.null
    swap(&state, &base)
    return state
  }

  private mutating func catchUp() throws(Failure) {
    guard !pending.isEmpty else { return }
    let patches = pending
    pending = LoggedPatches()
    if let failure = patches.apply(to: &base) { throw failure }
  }

  private mutating func apply(_ patch: LoggedPatch, of seq: Int) throws(Failure) {
    if let error = patch.patch.failure(on: &base) { throw Failure(seq: seq, error: error) }
  }
}

/// The patches of actions that came one behind the other, as text in one piece.
package struct LoggedPatches: Sendable {
  private var bytes: [UInt8] = []
  private var ends: [(seq: Int, end: Int)] = []

  /// No patches.
  package init() {}

  /// Whether there are none that change anything.
  package var isEmpty: Bool { ends.isEmpty }

  /// How long their text is.
  package var count: Int { bytes.count }

  /// Adds a patch, as text that is known to be one without blanks.
  package mutating func append(_ text: UnsafeBufferPointer<UInt8>, of seq: Int) {
    // An empty array.
    guard text.count > 2 else { return }
    bytes.append(contentsOf: text)
    ends.append((seq, bytes.count))
  }

  /// Adds the patches of the actions behind these.
  package mutating func append(_ others: LoggedPatches) {
    guard !isEmpty else {
      self = others
      return
    }
    let start = bytes.count
    bytes += others.bytes
    ends += others.ends.map { ($0.seq, start + $0.end) }
  }
}

extension LoggedPatches {
  /// Applies the patches to a state.
  ///
  /// - Returns: The first one that does not fit; it and those behind it are not applied.
  func apply(to state: inout JSON) -> PatchedState.Failure? {
    bytes.withUnsafeBufferPointer { bytes in
      var index = 0
      while index < ends.count {
        var run = Run()
        let start = index
        while index < ends.count, run.take(patch(at: index, in: bytes), at: index) { index += 1 }
        for (first, last) in run.counting(start..<index) {
          // What does not fit at last has not fitted at first.
          guard apply(last, in: bytes, to: &state) != nil else { continue }
          if let failure = apply(first, in: bytes, to: &state) { return failure }
        }
        guard index < ends.count else { break }
        if let failure = apply(index, in: bytes, to: &state) { return failure }
        index += 1
      }
      return nil
    }
  }

  private func apply(
    _ index: Int,
    in bytes: UnsafeBufferPointer<UInt8>,
    to state: inout JSON
  ) -> PatchedState.Failure? {
    do throws(JSON.Patch.ApplyError) {
      try patch(at: index, in: bytes).apply(to: &state)
      return nil
    } catch { return PatchedState.Failure(seq: ends[index].seq, error: error) }
  }

  private func patch(at index: Int, in bytes: UnsafeBufferPointer<UInt8>) -> PatchText {
    let start = index > 0 ? ends[index - 1].end : 0
    return PatchText(UnsafeBufferPointer(rebasing: bytes[start..<ends[index].end]))
  }
}

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
