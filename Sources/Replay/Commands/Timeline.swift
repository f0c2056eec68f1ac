import ActionLog

/// The events of a log with the states between them, from the log alone.
struct Timeline {
  /// An event, the state before it and the state after it.
  struct Entry {
    let event: LogEvent
    /// The action that the event belongs to.
    let seq: Int?
    let stateBefore: JSON?
    /// The state that the event leads to, for changes and checkpoints.
    let stateAfter: JSON?
  }

  private let source: LogComparison.Events
  private var state: JSON?
  private var seq: Int?

  init(_ source: @escaping LogComparison.Events) { self.source = source }

  /// The next event; `nil` behind the last one.
  mutating func next() throws -> Entry? {
    guard let event = try source() else { return nil }
    let before = state
    var after: JSON?
    switch event {
    case .header:
      state = nil
      seq = nil
    case .checkpoint(let checkpoint): after = checkpoint.state
    case .change(let change):
      guard var next = state else { break }
      do throws(JSON.Patch.ApplyError) { try change.patch.apply(to: &next) } catch {
        throw CommandError.brokenPatch(seq: change.seq, problem: error.description)
      }
      after = next
    default: break
    }
    if let after { state = after }
    if let own = event.seq { seq = own }
    return Entry(event: event, seq: seq, stateBefore: before, stateAfter: after)
  }
}
