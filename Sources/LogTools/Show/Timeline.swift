import ActionLog
import ReplayCommands
import ReplayEngine

/// The events of a log with the states between them, from the log alone.
package struct Timeline {
  /// An event, the state before it and the state after it.
  package struct Entry {
    package let event: LogEvent
    /// The action that the event belongs to.
    let seq: Int?
    package let stateBefore: JSON?
    /// The state that the event leads to, for changes and checkpoints.
    package let stateAfter: JSON?
  }

  private let source: LogComparison.Events
  private var state: JSON?
  private var seq: Int?

  package init(_ source: @escaping LogComparison.Events) { self.source = source }

  /// The next event; `nil` after the last one.
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
    // The lost events are not known: the state continues from the next checkpoint.
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

/// Finds the state after an action, from the log alone.
struct StateSeek {
  private var reader: LogReader
  private var state: JSON?

  /// A search from the reader's position on.
  init(_ reader: LogReader) { self.reader = reader }

  /// A search in a file, which begins at the last checkpoint before the action.
  ///
  /// - Throws: `LogReadError`.
  init(
    _ path: String,
    for seq: Int,
    cache: String?,
    smallestFile: Int = LogIndex.smallestFile
  ) throws(LogReadError) {
    let index = try LogIndex.index(of: path, keptIn: cache, smallestFile: smallestFile)
    let place = index?.place(before: seq)
    if let place, place.start.offset > 0 {
      self.init(try LogReader(path: path, from: place.start))
    } else {
      self.init(try LogReader(path: path))
    }
  }

  /// The state after an action.
  ///
  /// - Throws: `CommandError` when there is no such action, or a patch before it does not fit, and `LogReadError`.
  mutating func state(after seq: Int) throws -> JSON {
    var last = 0
    while let entry = try reader.nextSkimmed() {
      switch entry.event {
      case .whole(.header): state = nil
      case .whole(.checkpoint(let checkpoint)): state = checkpoint.state
      case .checkpoint(let checkpoint): state = try? JSON(parsing: checkpoint.state)
      case .whole(.change(let change)):
        try apply(change.seq) { state throws(JSON.Patch.ApplyError) in
          try change.patch.apply(to: &state)
        }
      case .change(let change):
        try apply(change.seq) { state throws(JSON.Patch.ApplyError) in
          try change.patch.apply(to: &state)
        }
      case .whole(.excluded(let excluded)):
        try apply(excluded.seq) { state throws(JSON.Patch.ApplyError) in
          try excluded.patch.apply(to: &state)
        }
      case .whole(.external(let external)):
        try apply(external.seq) { state throws(JSON.Patch.ApplyError) in
          try external.patch.apply(to: &state)
        }
        // It is the state before the next action.
        continue
      case .whole(.gap):
        state = nil
        continue
      default: continue
      }
      guard let state, let found = entry.event.seq else { continue }
      last = found
      if found == seq { return state }
    }
    throw CommandError.noSuchAction(seq, last: last)
  }

  private mutating func apply(
    _ seq: Int,
    _ patch: (inout JSON) throws(JSON.Patch.ApplyError) -> Void
  ) throws {
    guard var next = state else { return }
    // One owner, so that it is changed where it is.
    state = nil
    do throws(JSON.Patch.ApplyError) { try patch(&next) } catch {
      throw ReplayError.brokenPatch(seq: seq, problem: error.description)
    }
    state = next
  }
}
