import ActionLog
import Foundation

/// Finds the state after an action, from the log alone.
struct StateSeek {
  private let source: LogComparison.Events
  private var state: JSON?

  /// A search through events.
  init(_ source: @escaping LogComparison.Events) { self.source = source }

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
    guard let place, place.start.offset > 0 else {
      var reader = try LogReader(path: path)
      self.init { try reader.next()?.event }
      return
    }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system(path: path, code: errno) }
    lseek(descriptor, off_t(place.start.offset), SEEK_SET)
    var reader = LogReader(
      continuing: FileHandle(fileDescriptor: descriptor, closeOnDealloc: true),
      name: path,
      firstLine: place.start.line
    )
    self.init { try reader.next()?.event }
  }

  /// The state after an action.
  ///
  /// - Throws: `CommandError` when there is no such action, or a patch before it does not fit, and what the events throw.
  mutating func state(after seq: Int) throws -> JSON {
    var last = 0
    while let event = try source() {
      switch event {
      case .header: state = nil
      case .checkpoint(let checkpoint): state = checkpoint.state
      case .change(let change): try apply(change.patch, of: change.seq)
      case .excluded(let excluded): try apply(excluded.patch, of: excluded.seq)
      case .external(let external):
        // It comes behind its action, and belongs to the state before the next one.
        try apply(external.patch, of: external.seq)
        continue
      default: continue
      }
      guard let state, let found = event.seq else { continue }
      last = found
      if found == seq { return state }
    }
    throw CommandError.noSuchAction(seq, last: last)
  }

  private mutating func apply(_ patch: JSON.Patch, of seq: Int) throws(CommandError) {
    guard var next = state else { return }
    // One owner, so that it is changed where it is.
    state = nil
    do throws(JSON.Patch.ApplyError) { try patch.apply(to: &next) } catch {
      throw .brokenPatch(seq: seq, problem: error.description)
    }
    state = next
  }
}
