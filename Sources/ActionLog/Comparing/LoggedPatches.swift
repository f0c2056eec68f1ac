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
