import ActionLog
import ReplayEngine

/// The events of a log with the states between them, from the log alone.
package struct Timeline {
  /// An event, the state before it and the state after it.
  package struct Entry {
    package let event: LogEvent
    /// The action that the event belongs to.
    package let seq: Int?
    package let stateBefore: JSON?
    /// The state that the event leads to, for changes and checkpoints.
    package let stateAfter: JSON?
  }

  private let source: LogComparison.Events
  private var state: JSON?
  private var seq: Int?

  package init(_ source: @escaping LogComparison.Events) { self.source = source }

  /// The next event; `nil` behind the last one.
  package mutating func next() throws -> Entry? {
    guard let event = try source() else { return nil }
    let before = state
    var after: JSON?
    switch event {
    case .header:
      state = nil
      seq = nil
    case .checkpoint(let checkpoint): after = checkpoint.state
    case .change(let change): after = try patched(change.patch, at: change.seq)
    case .external(let external): after = try patched(external.patch, at: external.seq)
    case .excluded(let excluded): after = try patched(excluded.patch, at: excluded.seq)
    // What was lost is not known: the next checkpoint says where the log goes on.
    case .gap: state = nil
    default: break
    }
    if let after { state = after }
    if let own = event.seq { seq = own }
    return Entry(event: event, seq: seq, stateBefore: before, stateAfter: after)
  }

  /// The state after a patch, when there is one before it.
  private func patched(_ patch: JSON.Patch, at seq: Int) throws -> JSON? {
    guard var next = state else { return .none }
    do throws(JSON.Patch.ApplyError) { try patch.apply(to: &next) } catch {
      throw ReplayError.brokenPatch(seq: seq, problem: error.description)
    }
    return next
  }
}
