/// A state that patches lead on, which are applied when somebody asks for the state.
///
/// In a replay that does what was recorded nobody does, from one checkpoint to the next.
package struct PatchedState: Sendable {
  private var base: JSON
  private var pending: [(seq: Int, patch: LoggedPatch)] = []
  private var size = 0

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
    guard !patch.isEmpty else { return }
    pending.append((seq, patch))
    size += text.count
    if size > Self.mostPending { try catchUp() }
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
    pending = []
    size = 0
    var index = 0
    while index < patches.count {
      var run = Run(at: index)
      while run.range.upperBound < patches.count, run.take(patches[run.range.upperBound].patch) {}
      for (first, last) in run.counting {
        // What does not fit at last has not fitted at first.
        guard patches[last].patch.patch.failure(on: &base) != nil else { continue }
        try apply(patches[first].patch, of: patches[first].seq)
      }
      index = run.range.upperBound
      guard index < patches.count else { return }
      try apply(patches[index].patch, of: patches[index].seq)
      index += 1
    }
  }

  private mutating func apply(_ patch: LoggedPatch, of seq: Int) throws(Failure) {
    if let error = patch.patch.failure(on: &base) { throw Failure(seq: seq, error: error) }
  }
}
