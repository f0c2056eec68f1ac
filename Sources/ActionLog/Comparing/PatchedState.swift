/// A state with the changes that follow it, which wait until the state they lead to is needed.
package struct PatchedState: Sendable {
  private var base: JSONText
  private var waiting: WaitingPatches

  /// A state without changes.
  ///
  /// - Parameters:
  ///   - state: The state.
  ///   - copies: What copies in earlier changes have left of their budget.
  package init(_ state: JSONText, _ copies: JSON.Patch.CopyBudget = JSON.Patch.CopyBudget()) {
    base = state.detached
    waiting = WaitingPatches(copies)
  }

  /// What copies have left of their budget.
  package var copies: JSON.Patch.CopyBudget { waiting.copies }

  /// Adds a change.
  package mutating func append(_ patch: PatchText, of seq: Int) {
    waiting.append(patch, of: seq)
    if waiting.isFull { _ = state() }
  }

  /// The state to which the changes lead; a change that does not fit ends them.
  package mutating func state() -> JSON {
    guard !waiting.isEmpty else { return base.json }
    var state = base.json
    // One owner, so that it is changed where it is.
    base = JSONText(.null)
    _ = waiting.apply(to: &state)
    waiting.removeAll()
    base = JSONText(state)
    return state
  }
}

/// Changes whose text waits in one piece until the state is asked for.
struct WaitingPatches: Sendable {
  private var bytes: [UInt8] = []
  private var ends: [(seq: Int, end: Int)] = []
  /// Bounds the copies of all changes, those that were applied before included.
  var copies: JSON.Patch.CopyBudget

  init(_ copies: JSON.Patch.CopyBudget = JSON.Patch.CopyBudget()) { self.copies = copies }

  var isEmpty: Bool { ends.isEmpty }
  /// Whether no more are to wait: they take as much memory as a state of some size.
  var isFull: Bool { bytes.count > 4 * 1024 * 1024 }

  mutating func append(_ patch: PatchText, of seq: Int) {
    guard !patch.isEmpty else { return }
    patch.append(to: &bytes)
    ends.append((seq, bytes.count))
  }

  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
  }

  /// Applies the changes.
  ///
  /// - Returns: The first one that does not fit; it and those after it are not applied.
  mutating func apply(to state: inout JSON) -> (seq: Int, error: JSON.Patch.ApplyError)? {
    var start = 0
    for (seq, end) in ends {
      let patch = PatchText(encoded: Array(bytes[start..<end]))
      do throws(JSON.Patch.ApplyError) { try patch.apply(to: &state, &copies) } catch {
        return (seq, error)
      }
      start = end
    }
    return nil
  }
}
