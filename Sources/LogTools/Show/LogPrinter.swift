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
  private var state: JSON?
  /// The last action that was met.
  private(set) var seq: Int?
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
  mutating func take(_ entry: LogReader.SkimmedEntry) throws -> Bool {
    if case .whole(.header) = entry.event {
      isLookDue = true
      state = nil
      seq = nil
    }
    if let own = entry.event.seq { seq = own }
    let isShown = seq.map { range.contains($0) } ?? true
    if isShown, seq != nil { hasActions = true }
    let end = output.count
    if isShown, path == nil {
      writer.write(entry.event, text: entry.text, before: state, to: &output)
    }
    do { try follow(entry.event, isShown: isShown && path != nil) } catch {
      output.removeSubrange(end...)
      throw error
    }
    return seq.map { $0 <= range.upperBound } ?? true
  }

  private mutating func follow(_ event: SkimmedEvent, isShown: Bool) throws {
    if isShown {
      writer.note(event)
      if isLookDue, state != nil {
        isLookDue = false
        isFound = isFound == true || value != nil
      }
    }
    switch event {
    // The state that the patches lead to is most often written the same way, and then stays as it is.
    case .checkpoint(let checkpoint) where state?.isWritten(as: checkpoint.state) != true:
      let before = isShown ? value : nil
      state = try? JSON(parsing: checkpoint.state)
      if isShown { show(event, before: before) }
    case .change(let change):
      try apply(change.patch, at: change.seq, isShown ? event : nil)
    case .whole(let whole):
      switch whole.stateUpdate {
      case .none: break
      case .whole(let new):
        let before = isShown ? value : nil
        state = new
        if isShown { show(event, before: before) }
      case .patch(let patch): try apply(patch, at: whole.seq ?? seq ?? 0, isShown ? event : nil)
      case .unknown:
        isLookDue = true
        state = nil
      }
    case .action, .read, .effect, .checkpoint: break
    }
  }

  /// Where the path ends in the last state, when none of those that were shown has anything there.
  var missing: UnresolvedPath? {
    guard isFound == false, let path, let state else { return nil }
    return UnresolvedPath(path, in: state)
  }

  /// The state's value at the path; of more than one, all.
  private var value: JSON? {
    guard let path, let state else { return nil }
    if let pointer = path.pointer { return state[pointer] }
    switch path.resolve(in: state) {
    case .found(let pointers) where pointers.count == 1: return state[pointers[0]]
    case .found(let pointers): return .array(pointers.compactMap { state[$0] })
    case .ambiguous, .missing: return nil
    }
  }

  /// The ids of which the path names the end, in the last state, when they are several.
  var ambiguousIDs: [String]? {
    guard let path, let state, case .ambiguous(_, let ids) = path.resolve(in: state) else {
      return nil
    }
    return ids
  }

  private mutating func show(_ event: SkimmedEvent, before: JSON?) {
    let after = value
    isLookDue = false
    isFound = isFound == true || before != nil || after != nil
    guard state != nil, before != after else { return }
    writer.write(event, seq: seq ?? 0, from: before, to: after, to: &output)
  }

  private mutating func apply(_ patch: PatchText, at seq: Int, _ shown: SkimmedEvent?) throws {
    guard !patch.isEmpty else { return }
    // A reference to a part of the state would make the change copy it.
    let shown = shown.flatMap { patch.touches(pathText) ? $0 : nil }
    try apply(at: seq, shown) { state throws(JSON.Patch.ApplyError) in try patch.apply(to: &state) }
  }

  private mutating func apply(_ patch: JSON.Patch, at seq: Int, _ shown: SkimmedEvent?) throws {
    try apply(at: seq, shown) { state throws(JSON.Patch.ApplyError) in try patch.apply(to: &state) }
  }

  private mutating func apply(
    at seq: Int,
    _ shown: SkimmedEvent?,
    _ patch: (inout JSON) throws(JSON.Patch.ApplyError) -> Void
  ) throws {
    guard var next = state else { return }
    let before = shown == nil ? nil : value
    // One owner, so that it is changed where it is.
    state = nil
    do throws(JSON.Patch.ApplyError) { try patch(&next) } catch {
      throw ReplayError.brokenPatch(seq: seq, problem: error.description)
    }
    state = next
    if let shown { show(shown, before: before) }
  }
}
