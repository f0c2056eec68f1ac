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
