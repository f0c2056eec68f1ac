/// A state and later changes that are applied only when the state is needed.
package struct PatchedState: Sendable {
  private var base: JSONText
  private var waiting: WaitingPatches

  /// Creates a patched state that has no changes yet.
  ///
  /// - Parameters:
  ///   - state: The state to which the changes apply.
  ///   - copies: The copy budget that earlier changes have left.
  package init(_ state: JSONText, _ copies: JSON.Patch.CopyBudget = JSON.Patch.CopyBudget()) {
    base = state.detached
    waiting = WaitingPatches(copies)
  }

  /// The copy budget that remains after all changes.
  package var copies: JSON.Patch.CopyBudget { waiting.copies }

  package mutating func append(_ patch: PatchText, of seq: Int) {
    waiting.append(patch, of: seq)
    if waiting.isFull { _ = state() }
  }

  /// Returns the state after the changes.
  ///
  /// Stops before the first change that doesn't fit.
  package mutating func state() -> JSON {
    guard !waiting.isEmpty else { return base.json }
    var state = base.json
    // Releases the second reference, so that the state is changed without a copy.
    base = JSONText(.null)
    _ = waiting.apply(to: &state)
    waiting.removeAll()
    base = JSONText(state)
    return state
  }
}

/// Changes that are stored in one buffer, as text, until the state is needed.
struct WaitingPatches: Sendable {
  private var bytes: [UInt8] = []
  private var ends: [(seq: Int, end: Int)] = []
  /// The remaining budget for copies that patches make, after all earlier changes.
  var copies: JSON.Patch.CopyBudget

  init(_ copies: JSON.Patch.CopyBudget = JSON.Patch.CopyBudget()) { self.copies = copies }

  var isEmpty: Bool { ends.isEmpty }
  /// Whether the buffer exceeds 4 MiB, the size of a large state.
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

  /// Applies the changes up to the first one that doesn't fit.
  ///
  /// - Returns: The action number and the error of the change that doesn't fit, or `nil` if all fit.
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
