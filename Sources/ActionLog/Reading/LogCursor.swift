/// Follows the state of a feature through the events of a log.
///
/// It stands at an event, with the state before it; `apply()` makes that the state after it.
///
/// ```swift
/// var cursor = LogCursor()
/// while let entry = try reader.next() {
///   try cursor.move(to: entry.event)
///   print(entry.event.kind, cursor.state ?? "unknown")
/// }
/// ```
package struct LogCursor: Sendable {
  /// The state, before or after the event; `nil` where the log does not tell it.
  package private(set) var state: JSON?
  /// The action to which the event belongs.
  package private(set) var seq: Int?
  /// The event at which the cursor stands, as long as it is to be applied.
  private var event: LogEvent?
  private var copies = JSON.Patch.CopyBudget()

  /// A cursor before the first event.
  package init() {}

  /// A change that does not fit the state before it; the state after it is not known.
  package struct BrokenPatch: Error, Equatable, CustomStringConvertible {
    /// The action.
    package let seq: Int
    /// The operation that does not fit.
    package let error: JSON.Patch.ApplyError

    package var description: String { Wording.describe(self) }
  }

  /// Moves to the next event; the one before is applied.
  ///
  /// - Throws: `BrokenPatch` for the event before.
  package mutating func move(to event: LogEvent) throws(BrokenPatch) {
    try apply()
    if case .header = event { (state, seq) = (nil, nil) }
    if let own = event.seq { seq = own }
    self.event = event
  }

  /// Makes the state what it is after the event.
  ///
  /// - Throws: `BrokenPatch` for a change that does not fit; the state is not known from there to the next checkpoint.
  package mutating func apply() throws(BrokenPatch) {
    guard let event else { return }
    self.event = nil
    switch event.stateUpdate {
    case .none: break
    case .whole(let whole):
      copies = JSON.Patch.CopyBudget()
      // The state to which the changes lead is most often written the same way, and then stays.
      if state.map({ whole.isText(of: $0) }) != true { state = whole.json }
    case .patch(let patch): try apply(patch, of: event.seq ?? seq ?? 0)
    // The lost events are not known: the state continues from the next checkpoint.
    case .unknown: state = nil
    }
  }

  /// Leaves the event without applying it: the state stays what it is.
  package mutating func skip() { event = nil }

  /// Gives up the state until the next checkpoint: something is missing that the log does not tell of.
  package mutating func forgetState() { state = nil }

  private mutating func apply(_ patch: PatchText, of seq: Int) throws(BrokenPatch) {
    guard !patch.isEmpty, var next = state else { return }
    // One owner, so that it is changed where it is.
    state = nil
    do throws(JSON.Patch.ApplyError) { try patch.apply(to: &next, &copies) } catch {
      throw BrokenPatch(seq: seq, error: error)
    }
    state = next
  }
}
