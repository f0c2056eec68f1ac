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
    if case .header = event { seq = nil }
    switch event.stateUpdate {
    case .none: break
    case .whole(let whole): after = whole
    case .patch(let patch): after = try patched(patch, at: event.seq ?? seq ?? 0)
    case .unknown: state = nil
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
package struct StateSeek {
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

  /// The state after an action of a file's first log.
  ///
  /// - Throws: `CommandError` when there is no such action, or a patch before it does not fit, and `LogReadError`.
  package static func state(of path: String, after seq: Int) throws -> JSON {
    var seek = StateSeek(try LogReader(path: path))
    return try seek.state(after: seq)
  }

  /// The state after an action.
  ///
  /// - Throws: `CommandError` when there is no such action, or a patch before it does not fit, and `LogReadError`.
  mutating func state(after seq: Int) throws -> JSON {
    var last = 0
    while let entry = try reader.nextSkimmed() {
      switch entry.event {
      case .checkpoint(let checkpoint): state = try? JSON(parsing: checkpoint.state)
      case .change(let change):
        try apply(change.seq) { state throws(JSON.Patch.ApplyError) in
          try change.patch.apply(to: &state)
        }
      case .whole(let event):
        switch event.stateUpdate {
        case .none: continue
        case .whole(let whole): state = whole
        case .patch(let patch):
          try apply(event.seq ?? last) { state throws(JSON.Patch.ApplyError) in
            try patch.apply(to: &state)
          }
        case .unknown: state = nil
        }
        // It leads to the state before the next action.
        if case .external = event { continue }
      case .action, .read, .effect: continue
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
