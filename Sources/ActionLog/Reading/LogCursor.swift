/// A cursor that tracks the state of a feature through the events of a log.
///
/// It is positioned at an event, with the state before the event. `apply()` changes the state to the one after the
/// event.
///
/// ```swift
/// var cursor = LogCursor()
/// while let entry = try reader.next() {
///   try cursor.move(to: entry.event)
///   print(entry.event.kind, cursor.state ?? "unknown")
/// }
/// ```
package struct LogCursor: Sendable {
  /// The state before or after the event, or `nil` if it is unknown.
  package private(set) var state: JSON?
  /// The number of the action to which the event belongs.
  package private(set) var seq: Int?
  /// The current event, until it is applied or skipped.
  private var event: LogEvent?
  private var copies = JSON.Patch.CopyBudget()

  /// Creates a cursor before the first event.
  package init() {}

  /// An error for a change that doesn't fit the state before it.
  ///
  /// The state after it is unknown.
  package struct BrokenPatch: Error, Equatable, CustomStringConvertible {
    /// The number of the action.
    package let seq: Int
    /// The operation that doesn't fit.
    package let error: JSON.Patch.ApplyError

    package var description: String { Wording.describe(self) }
  }

  /// Applies the current event, and moves to the next one.
  ///
  /// - Throws: `BrokenPatch` for the current event.
  package mutating func move(to event: LogEvent) throws(BrokenPatch) {
    try apply()
    if case .header = event { (state, seq) = (nil, nil) }
    if let own = event.seq { seq = own }
    self.event = event
  }

  /// Changes the state to the one after the current event.
  ///
  /// - Throws: `BrokenPatch` for a change that doesn't fit. The state is then unknown until the next checkpoint.
  package mutating func apply() throws(BrokenPatch) {
    guard let event else { return }
    self.event = nil
    switch event.stateUpdate {
    case .none: break
    case .whole(let whole):
      copies = JSON.Patch.CopyBudget()
      // Usually, the changes already lead to the checkpoint's state. Its text is compared before it is parsed.
      if state.map({ whole.isText(of: $0) }) != true { state = whole.json }
    case .patch(let patch): try apply(patch, of: event.seq ?? seq ?? 0)
    // The lost events are unknown. The next checkpoint has the state.
    case .unknown: state = nil
    }
  }

  /// Leaves the event without applying it, so that the state doesn't change.
  package mutating func skip() { event = nil }

  /// Marks the state as unknown until the next checkpoint, because events are missing without a gap in the log.
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
