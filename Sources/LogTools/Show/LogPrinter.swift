import ActionLog
import ReplayEngine

/// Prints the events of a log and their changes, and follows the state to do so.
///
/// The state is changed in place, so the state before an event is printed first.
struct LogPrinter {
  let writer: any TimelineWriter
  /// The place to which the writing is limited.
  let path: Place?
  /// The actions to which it is limited.
  let range: ClosedRange<Int>
  private let pathText: [UInt8]
  private var cursor = LogCursor()
  /// Whether the range has actions, or includes the initial state.
  private(set) var hasActions = false
  /// Whether a state that was shown has something at the path; `nil` before any state was shown.
  private var isFound: Bool?
  /// Whether the next state that is shown is to be examined, whatever leads to it.
  private var isLookDue = true
  /// The text to print.
  private(set) var output: [UInt8] = []

  init(_ writer: any TimelineWriter, path: Place?, range: ClosedRange<Int>) {
    self.writer = writer
    self.path = path
    self.range = range
    pathText = Array((path?.stem.description ?? "").utf8)
    output += writer.opening.utf8
  }

  /// Ends the text.
  mutating func close() { output += writer.closing.utf8 }

  /// Empties the text once it was printed.
  mutating func clear() {
    // The memory of a long value is given back.
    output.removeAll(keepingCapacity: output.capacity < 1 << 20)
  }

  /// Takes the next event; `false` when it belongs to an action after the range.
  ///
  /// - Throws: `CommandError` for a patch that does not fit; then nothing of the event is printed.
  mutating func take(_ entry: LogReader.Entry) throws -> Bool {
    let event = entry.event
    try cursor.move(to: event)
    switch event {
    case .header, .gap: isLookDue = true
    default: break
    }
    let isShown = seq.map { range.contains($0) } ?? true
    if isShown, seq != nil { hasActions = true }
    let end = output.count
    if path == nil {
      if isShown { writer.write(event, before: cursor.state, to: &output) }
      do { try cursor.apply() } catch {
        output.removeSubrange(end...)
        throw error
      }
    } else if isShown {
      try writeChange(by: event)
    } else {
      try cursor.apply()
    }
    return seq.map { $0 <= range.upperBound } ?? true
  }

  /// The last action that was met.
  var seq: Int? { cursor.seq }

  /// Writes what an event changes at the path.
  private mutating func writeChange(by event: LogEvent) throws {
    writer.note(event)
    if isLookDue, cursor.state != nil {
      isLookDue = false
      isFound = isFound == true || value != nil
    }
    guard event.leadsToState, touches(event) else { return try cursor.apply() }
    let before = value
    try cursor.apply()
    let after = value
    guard cursor.state != nil else { return }
    isLookDue = false
    isFound = isFound == true || before != nil || after != nil
    guard before != after else { return }
    writer.write(event, seq: seq ?? 0, from: before, to: after, to: &output)
  }

  /// Whether an event may change the value at the path: a reference to it would make any change copy it.
  private func touches(_ event: LogEvent) -> Bool {
    if case .patch(let patch) = event.stateUpdate { patch.touches(pathText) } else { true }
  }

  /// Where the path ends in the last state, when none of those that were shown has anything there.
  var missing: UnresolvedPath? {
    guard isFound == false, let path, let state = cursor.state else { return nil }
    return UnresolvedPath(path, in: state)
  }

  /// The state's value at the path; of more than one, all.
  private var value: JSON? {
    guard let path, let state = cursor.state else { return nil }
    if let pointer = path.pointer { return state[pointer] }
    switch path.resolve(in: state) {
    case .found(let pointers) where pointers.count == 1: return state[pointers[0]]
    case .found(let pointers): return .array(pointers.compactMap { state[$0] })
    case .ambiguous, .missing: return nil
    }
  }

  /// The ids of which the path names the end, in the last state, when they are several.
  var ambiguousIDs: [String]? {
    guard let path, let state = cursor.state, case .ambiguous(_, let ids) = path.resolve(in: state)
    else {
      return nil
    }
    return ids
  }
}
