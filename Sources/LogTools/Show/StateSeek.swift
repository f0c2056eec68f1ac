import ActionLog
import ReplayCommands
import ReplayEngine

/// Computes the state after an action, from the log alone.
package struct StateSeek {
  private var reader: LogReader
  private var cursor = LogCursor()
  /// Whether the part of the log that was read contains a state.
  package private(set) var hasState = false

  /// Creates a search that starts at the reader's position.
  package init(_ reader: LogReader) { self.reader = reader }

  /// Creates a search in a file.
  ///
  /// If the file has an index, the search starts at the last checkpoint whose number is at most `seq`.
  ///
  /// - Parameters:
  ///   - path: The path of the log file.
  ///   - seq: The number of the action.
  ///   - cache: The folder for stored indexes, or `nil` to store none.
  ///   - smallestFile: The minimum size, in bytes, of a file that gets an index.
  /// - Throws: `LogReadError`.
  package init(
    _ path: String,
    for seq: Int,
    cache: String?,
    smallestFile: Int = LogIndex.smallestFile
  ) throws(LogReadError) {
    let index = try LogIndex.index(of: path, keptIn: cache, smallestFile: smallestFile)
    let place = index?.checkpoint(before: seq)
    if let place, place.start.offset > 0 {
      self.init(try LogReader(path: path, from: place.start))
    } else {
      self.init(try LogReader(path: path))
    }
  }

  /// Returns the state after an action in the first log of a file.
  ///
  /// - Throws: `LogReadError`, `LogCursor.BrokenPatch` if a patch does not fit, or `CommandError` if the action does
  ///   not exist or is not finished.
  package static func state(of path: String, after seq: Int) throws -> JSON {
    var seek = StateSeek(try LogReader(path: path))
    return try seek.state(after: seq)
  }

  /// Returns the state after an action.
  ///
  /// - Throws: `LogReadError`, `LogCursor.BrokenPatch` if a patch does not fit, or `CommandError` if the action does
  ///   not exist or is not finished.
  package mutating func state(after seq: Int) throws -> JSON {
    var last = 0
    var isThere = false
    while let entry = try reader.next() {
      try cursor.move(to: entry.event)
      switch entry.event {
      case .action(let action): (last, isThere) = (action.seq, isThere || action.seq == seq)
      case .withheld(let action): (last, isThere) = (action.seq, isThere || action.seq == seq)
      default: break
      }
      guard entry.event.leadsToState, let found = entry.event.seq else { continue }
      try cursor.apply()
      // An external change has the number of the action before it, but belongs to the state before the next action.
      if entry.event.isFromOutside { continue }
      guard let state = cursor.state else { continue }
      (last, hasState) = (found, true)
      if found == seq { return state }
    }
    if isThere { throw CommandError.unfinishedAction(seq) }
    throw CommandError.noSuchAction(seq, last: last)
  }
}
