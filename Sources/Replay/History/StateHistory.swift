package import ActionLog

/// A log that provides the state after each of its actions, in any order.
///
/// ```swift
/// let history = try StateHistory(.file("bug.jsonl"), plan: nil, stateType: nil)
/// try history.moment(at: 12)?.state  // the state after action 12
/// try history.seq(of: 12, movedBy: -1)
/// ```
///
/// The log is read from the checkpoint before the requested action. Up to four stretches between two checkpoints are
/// cached.
package final class StateHistory {
  /// A checkpoint from which the log can be read.
  private struct RestartPoint {
    let part: LogSegment
    let checkpoint: Int
    /// The number of the action after which the log has the checkpoint's state.
    var seq: Int { part.checkpoints[checkpoint] }
  }

  package let header: LogEvent.Header
  private let plan: MigrationPlan?
  private let cuts: [RestartPoint]
  /// The cached stretches, the most recently used last.
  private var stretches: [HistoryStretch] = []

  /// The maximum number of cached stretches.
  ///
  /// Two are for a timeline that moves back and forth across a checkpoint, and two for other requests.
  private static let mostStretches = 4

  /// Opens a log.
  ///
  /// - Parameters:
  ///   - log: The log to open.
  ///   - plan: The steps that migrate an older log, or `nil` to read the log unchanged.
  ///   - stateType: The type of the state that selects the log, or `nil` for any type.
  /// - Throws: `ResumeError` if the log can't be read, has no state, or has another state type.
  package init(
    _ log: RecordedLog,
    plan: MigrationPlan?,
    stateType: String?
  ) throws(ResumeError) {
    let segments = try LogSegment.segments(of: log, stateType: stateType)
    header = segments[0].header
    self.plan = plan
    var cuts: [RestartPoint] = []
    for part in segments {
      for checkpoint in part.checkpoints.indices {
        let cut = RestartPoint(part: part, checkpoint: checkpoint)
        // A segment starts with the last state of the previous one, and continues from there.
        if let last = cuts.last, last.seq == cut.seq { cuts.removeLast() }
        if cuts.last.map({ $0.seq < cut.seq }) ?? true { cuts.append(cut) }
      }
    }
    self.cuts = cuts
  }

  /// The number of the first action after which the log has a state, or 0 if the log starts with the initial state.
  package var first: Int { cuts[0].seq }

  /// Returns the number of the last action after which the log has a state.
  ///
  /// - Throws: `ResumeError` if the log can't be read.
  package func last() throws(ResumeError) -> Int {
    try seq(before: .max) ?? first
  }

  /// Returns the first checkpoint of the log.
  ///
  /// - Throws: `ResumeError` if the log can't be read.
  package func firstCheckpoint() throws(ResumeError) -> LogEvent.Checkpoint {
    guard let checkpoint = try stretch(0).checkpoint else { throw .noState }
    return checkpoint
  }

  /// Returns the last state of the log, including outside changes after the last action, or `nil` if it is unknown.
  ///
  /// - Throws: `ResumeError` if the log can't be read.
  package func endState() throws(ResumeError) -> JSON? { try stretch(cuts.count - 1).end }

  /// Returns an action's events and the state after it, or `nil` if the log has no state after the action.
  ///
  /// - Throws: `ResumeError` if the log can't be read or a patch does not apply.
  package func moment(at seq: Int) throws(ResumeError) -> HistoryState? {
    let cut = cut(before: seq)
    do {
      if let moment = try stretch(cut).moment(at: seq) { return moment }
      // After a gap, the log continues with a state that none of its actions has produced.
      guard cuts.indices.contains(cut + 1), cuts[cut + 1].seq == seq else { return nil }
      return try stretch(cut + 1).moment(at: seq)
    } catch { throw ResumeError(error) }
  }

  /// Returns the events from an action up to the next one, or `nil` if the log has no state after the action.
  ///
  /// - Throws: `ResumeError` if the log can't be read.
  package func events(at seq: Int) throws(ResumeError) -> [LogEvent]? {
    let cut = cut(before: seq)
    if let events = try stretch(cut).events(at: seq) { return events }
    guard cuts.indices.contains(cut + 1), cuts[cut + 1].seq == seq else { return nil }
    return try stretch(cut + 1).events(at: seq)
  }

  /// Returns the number of the last action before action `seq` with a state in the log, or `nil` if there is none.
  ///
  /// - Throws: `ResumeError` if the log can't be read.
  package func seq(before seq: Int) throws(ResumeError) -> Int? {
    var cut: Int? = cut(before: seq)
    while let index = cut {
      let seqs = try stretch(index).seqs
      let next = seqs.partitioningIndex { $0 >= seq }
      if next > 0 { return seqs[next - 1] }
      cut = index > 0 ? index - 1 : nil
    }
    return nil
  }

  /// Returns the number of the first action after action `seq` with a state in the log, or `nil` if there is none.
  ///
  /// - Throws: `ResumeError` if the log can't be read.
  package func seq(after seq: Int) throws(ResumeError) -> Int? {
    for index in cut(before: seq)..<cuts.count {
      let seqs = try stretch(index).seqs
      let next = seqs.partitioningIndex { $0 > seq }
      if next < seqs.count { return seqs[next] }
    }
    return nil
  }
}

extension StateHistory {
  /// Returns a function that reads all events, starting with the header, as if all segments were one log.
  ///
  /// The returned function throws the error of a segment that can't be read, or `MigrationError`.
  package func events() -> () throws -> LogEvent? {
    var parts: [LogSegment] = []
    for cut in cuts where cut.checkpoint == 0 { parts.append(cut.part) }
    var rest = parts[...]
    var isBegun = false
    var read: (() throws -> LogEvent?)?
    let next: () throws -> LogEvent? = {
      if !isBegun, let first = rest.first {
        isBegun = true
        return .header(first.header)
      }
      while true {
        if let event = try read?() {
          if case .end(let end) = event, end.reason == LogEvent.End.segment { continue }
          return event
        }
        guard let part = rest.popFirst() else { return nil }
        read = try part.reader(from: 0)
      }
    }
    guard let plan else { return next }
    let migrator = LogMigrator { _ in plan }
    return { try migrator.next(next) }
  }

  /// Returns the index in `cuts` of the last checkpoint before an action, or 0 if there is none.
  private func cut(before seq: Int) -> Int {
    max(0, cuts.partitioningIndex { $0.seq >= seq } - 1)
  }

  private func stretch(_ index: Int) throws(ResumeError) -> HistoryStretch {
    if let known = stretches.lastIndex(where: { $0.index == index }) {
      let stretch = stretches.remove(at: known)
      stretches.append(stretch)
      return stretch
    }
    let stretch: HistoryStretch
    do { stretch = HistoryStretch(index, try events(of: index)) } catch { throw ResumeError(error) }
    stretches.append(stretch)
    if stretches.count > Self.mostStretches { stretches.removeFirst() }
    return stretch
  }

  /// Returns the header, and the events from the checkpoint at an index in `cuts` up to the next one in `cuts`.
  ///
  /// If there is a migration plan, the events are migrated.
  private func events(of index: Int) throws -> [LogEvent] {
    let cut = cuts[index]
    let next = try cut.part.reader(from: cut.checkpoint)
    var events: [LogEvent] = [.header(cut.part.header)]
    let end = cuts.indices.contains(index + 1) ? cuts[index + 1].seq : nil
    while let event = try next() {
      if case .checkpoint(let checkpoint) = event, checkpoint.seq == end { break }
      events.append(event)
    }
    guard let plan else { return events }
    let migrator = LogMigrator { _ in plan }
    var rest = events.makeIterator()
    var migrated: [LogEvent] = []
    while let event = try migrator.next({ rest.next() }) { migrated.append(event) }
    return migrated
  }
}

/// A state of a log, with the events of the action that produced it.
package struct HistoryState: Sendable {
  /// The number of the action after which the log has the state.
  package let seq: Int
  package let state: JSON
  /// The events from the action or the checkpoint to the next action.
  package let events: [LogEvent]

  /// The action, or `nil` at the start of a log and for actions that the recording omits.
  package var action: LogEvent.Action? {
    for case .action(let action) in events { return action }
    return nil
  }

  /// The time of the action in microseconds since the start of the recording, or `nil` at the start of a log.
  package var at: Int? {
    for event in events { if let beginning = event.beginning { return beginning.at } }
    return nil
  }
}

/// The states of a log between two checkpoints.
private final class HistoryStretch {
  /// The index of the stretch's first checkpoint in the `cuts` of the history.
  let index: Int
  /// The checkpoint at the start of the stretch.
  let checkpoint: LogEvent.Checkpoint?
  /// The numbers of the actions with a state, in order.
  let seqs: [Int]
  /// The state at the end of the stretch, or `nil` if it is unknown.
  let end: JSON?
  /// The first patch that does not apply, or `nil` if all patches apply.
  ///
  /// The states after this patch are unknown.
  private let problem: LogCursor.BrokenPatch?
  private let events: [LogEvent]
  private let steps: [ActionEventRange]
  /// The positions from which states are computed, in order.
  private let restarts: [Restart]

  private struct ActionEventRange {
    let seq: Int
    /// The index of the first event that belongs to the action.
    let begin: Int
    /// The index of the event that produces the state after the action.
    let end: Int
  }

  private struct Restart {
    let cursor: LogCursor
    /// The index of the first event that the cursor has not applied.
    let next: Int
  }

  /// The number of events between two restarts.
  ///
  /// A restart costs a copy of the largest list in the state, as much as about 200 changes of one of 1,000 rows.
  private static let spacing = 256

  init(_ index: Int, _ events: [LogEvent]) {
    self.index = index
    self.events = events
    var steps: [ActionEventRange] = []
    var cursor = LogCursor()
    var restarts = [Restart(cursor: cursor, next: 0)]
    var checkpoint: LogEvent.Checkpoint?
    var problem: LogCursor.BrokenPatch?
    var begin = (index: 0, seq: Int.min)
    for (index, event) in events.enumerated() {
      do throws(LogCursor.BrokenPatch) {
        try cursor.move(to: event)
        try cursor.apply()
      } catch { problem = problem ?? error }
      var isRestart = index + 1 - restarts[restarts.count - 1].next >= Self.spacing
      if case .checkpoint(let first) = event, checkpoint == nil {
        checkpoint = first
        // States that are computed from the same parsed checkpoint share what is unchanged.
        isRestart = true
      }
      if isRestart { restarts.append(Restart(cursor: cursor, next: index + 1)) }
      // The value of a withheld action is in a later event.
      if let beginning = event.beginning, beginning.seq != begin.seq || event.isFromOutside {
        begin = (index, event.isFromOutside ? Int.min : beginning.seq)
      }
      if let seq = event.finishedSeq, cursor.state != nil, steps.last.map({ $0.seq < seq }) ?? true
      {
        steps.append(ActionEventRange(seq: seq, begin: begin.index, end: index))
      }
    }
    self.checkpoint = checkpoint
    self.steps = steps
    self.restarts = restarts
    self.problem = problem
    seqs = steps.map(\.seq)
    end = cursor.state
  }

  func moment(at seq: Int) throws -> HistoryState? {
    guard let index = index(of: seq) else {
      if let problem, problem.seq <= seq { throw problem }
      return nil
    }
    let step = steps[index]
    let restart = restarts[restarts.partitioningIndex { $0.next > step.end + 1 } - 1]
    var cursor = restart.cursor
    for event in events[restart.next..<step.end + 1] {
      try cursor.move(to: event)
      try cursor.apply()
    }
    guard let state = cursor.state else { return nil }
    return HistoryState(seq: seq, state: state, events: events(ofStep: index))
  }

  func events(at seq: Int) -> [LogEvent]? { index(of: seq).map(events(ofStep:)) }

  private func events(ofStep index: Int) -> [LogEvent] {
    let next = steps.indices.contains(index + 1) ? steps[index + 1].begin : events.count
    return Array(events[steps[index].begin..<next])
  }

  private func index(of seq: Int) -> Int? {
    let index = seqs.partitioningIndex { $0 >= seq }
    return index < seqs.count && seqs[index] == seq ? index : nil
  }
}
