/// A cursor that tracks the state of a feature through the events in a log.
///
/// The cursor is positioned at an event, and has the state before that event. `apply()` changes the state to the one
/// after the event.
///
/// ```swift
/// var cursor = LogCursor()
/// while let entry = try reader.next() {
///   try cursor.move(to: entry.event)
///   print(entry.event.kind, cursor.state ?? "unknown")
/// }
/// ```
package struct LogCursor: Sendable {
  /// The state before the current event, or after it if the event was applied.
  ///
  /// `nil` if the state is unknown.
  package private(set) var state: JSON?
  /// The number of the action to which the current event belongs.
  package private(set) var seq: Int?
  /// The current event, or `nil` after it was applied or skipped.
  private var event: LogEvent?
  private var copies = JSON.Patch.CopyBudget()

  /// Creates a cursor before the first event.
  package init() {}

  /// An error for a change that doesn't fit the state before it.
  ///
  /// The state after the change is unknown.
  package struct BrokenPatch: Error, Equatable, CustomStringConvertible {
    /// The number of the action to which the change belongs.
    package let seq: Int
    /// The operation that doesn't fit, and the reason.
    package let error: JSON.Patch.ApplyError

    package var description: String { Wording.describe(self) }
  }

  /// Applies the current event, and makes `event` the current one.
  ///
  /// - Throws: A `BrokenPatch` if the applied event's change doesn't fit the state.
  package mutating func move(to event: LogEvent) throws(BrokenPatch) {
    try apply()
    if case .header = event { (state, seq) = (nil, nil) }
    if let own = event.seq { seq = own }
    self.event = event
  }

  /// Changes the state to the one after the current event.
  ///
  /// - Throws: A `BrokenPatch` if the event's change doesn't fit. The state is then unknown until the next checkpoint.
  package mutating func apply() throws(BrokenPatch) {
    guard let event else { return }
    self.event = nil
    switch event.stateUpdate {
    case .none: break
    case .whole(let whole):
      copies = JSON.Patch.CopyBudget()
      // Usually, the changes have already led to the checkpoint's state. Comparing its text is cheaper than parsing it.
      if state.map({ whole.isText(of: $0) }) != true { state = whole.json }
    case .patch(let patch): try apply(patch, of: event.seq ?? seq ?? 0)
    // Lost events leave the state unknown until the next checkpoint.
    case .unknown: state = nil
    }
  }

  /// Leaves the current event without applying it, so that the state doesn't change.
  package mutating func skip() { event = nil }

  /// Marks the state as unknown until the next checkpoint.
  ///
  /// Call this method if the log lacks events, but has no `gap` event.
  package mutating func forgetState() { state = nil }

  private mutating func apply(_ patch: PatchText, of seq: Int) throws(BrokenPatch) {
    guard !patch.isEmpty, var next = state else { return }
    // Releases the second reference, so that the state is changed without a copy.
    state = nil
    do throws(JSON.Patch.ApplyError) { try patch.apply(to: &next, &copies) } catch {
      throw BrokenPatch(seq: seq, error: error)
    }
    state = next
  }
}
