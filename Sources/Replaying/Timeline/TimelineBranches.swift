import ActionLog
import ActionRecording
import ReplayEngine

/// The logs of a timeline: the original log, and the branches that continue from earlier ones.
final class TimelineBranches {
  /// A log, and the action in the previous log from which it continues.
  private struct Branch {
    let source: BranchSource
    /// The number of the action after which the branch starts.
    ///
    /// The previous branch also has the state after this action.
    let start: Int
  }

  private enum BranchSource {
    case log(RecordedLog, StateHistory)
    case session(RecordingSession)
  }

  private let plan: MigrationPlan?
  private var branches: [Branch] = []
  /// The cached recordings of sessions, as they were last read.
  private var recordings: [ObjectIdentifier: Recording] = [:]

  private struct Recording {
    let log: RecordedLog
    let history: StateHistory
    let length: Int
  }

  /// The replay of the original log by the current code, or `nil` before `compare()`.
  var replay: ReplayBranch?
  /// Determines whether recorded or replayed states of the original log are shown.
  var states = TimelineStateSource.recorded

  struct ReplayBranch {
    let log: RecordedLog
    let history: StateHistory
    let divergence: TimelineDivergence?
  }

  init(plan: MigrationPlan?) { self.plan = plan }

  var hasReplay: Bool { replay != nil }

  var divergence: TimelineDivergence? { replay?.divergence }

  /// The states of the log from which the branches start, or `nil` for the timeline of a session.
  var recordedHistory: StateHistory? {
    guard case .log(_, let history)? = branches.first?.source else { return nil }
    return history
  }

  /// Removes all branches, and starts with a log.
  func reset(with log: RecordedLog, _ history: StateHistory) {
    branches = [Branch(source: .log(log, history), start: Int.min)]
  }

  /// Adds a branch that is being recorded and starts after an action, and removes the branches that start later.
  func continueRecording(with session: RecordingSession, from seq: Int) {
    branches.removeAll { $0.start > seq }
    let sessions = branches.compactMap { branch -> ObjectIdentifier? in
      if case .session(let session) = branch.source { ObjectIdentifier(session) } else { nil }
    }
    recordings = recordings.filter { sessions.contains($0.key) }
    branches.append(Branch(source: .session(session), start: seq))
  }

  /// Invalidates the cached recording of the current session if it has grown.
  func refresh() {
    guard let session, let known = recordings[ObjectIdentifier(session)] else { return }
    if session.length != known.length { recordings[ObjectIdentifier(session)] = nil }
  }

  /// The session that is being recorded, or `nil` for the timeline of a log before `continueFromHere()`.
  var session: RecordingSession? {
    guard case .session(let session)? = branches.last?.source else { return nil }
    return session
  }

  /// The number of the first action with a state.
  var first: Int {
    for index in branches.indices {
      let first: Int
      switch branches[index].source {
      case .log(_, let history): first = history.first
      case .session(let session): first = session.firstSeq
      }
      let end = branches.indices.contains(index + 1) ? branches[index + 1].start : Int.max
      if first <= end { return first }
    }
    return 0
  }

  /// Returns the number of the last action with a state.
  func last() throws(ResumeError) -> Int {
    if let session { return session.lastSeq }
    return try history(branches.count - 1).last()
  }

  /// Returns the last state of the recorded branch, including later changes by others, or `nil` if it is unknown.
  func endState() throws(ResumeError) -> JSON? { try history(branches.count - 1).endState() }

  /// Returns the state after an action, or else after the last earlier action with a state, or else the first state.
  func moment(near seq: Int) throws(ResumeError) -> HistoryState {
    for index in branches.indices.reversed() where branches[index].start <= seq {
      let bounded = bounded(seq, in: index)
      let history = try history(index)
      if let moment = try history.moment(at: bounded) { return moment }
      if let earlier = try history.seq(before: bounded),
        let moment = try history.moment(at: earlier)
      {
        return moment
      }
    }
    let first = first
    for index in branches.indices {
      if let moment = try history(index).moment(at: first) { return moment }
    }
    throw .noState
  }

  /// Returns the state after an action, or `nil` if the branch has no state there.
  func moment(at seq: Int) throws(ResumeError) -> HistoryState? {
    guard let index = branches.lastIndex(where: { $0.start < seq }) ?? branches.indices.first else {
      return nil
    }
    return try history(index).moment(at: seq)
  }

  /// Returns the events from an action up to the next one, or `nil` if the branch has no state after the action.
  func events(at seq: Int) throws(ResumeError) -> [LogEvent]? {
    let index = branches.lastIndex { $0.start < seq } ?? 0
    return try history(index).events(at: seq)
  }

  /// Returns the number of an action with a state: the given action, or else the last earlier one, or else the first.
  func seq(near seq: Int) throws(ResumeError) -> Int {
    try events(at: seq) != nil ? seq : self.seq(before: seq) ?? first
  }

  /// Returns the number of the next action with a state, or `nil` if there is none.
  func seq(after seq: Int) throws(ResumeError) -> Int? {
    for index in branches.indices where bounded(.max, in: index) > seq {
      if let next = try history(index).seq(after: seq) {
        return min(next, bounded(next, in: index))
      }
    }
    return nil
  }

  /// Returns the number of the last action with a state before the given one, or `nil` if there is none.
  func seq(before seq: Int) throws(ResumeError) -> Int? {
    for index in branches.indices.reversed() where branches[index].start < seq {
      let bound = branches.indices.contains(index + 1) ? branches[index + 1].start + 1 : seq
      if let before = try history(index).seq(before: min(seq, bound)) { return before }
    }
    return nil
  }

  /// Returns the lines of the last branch as one log, into which its segments are joined.
  func lines() throws -> [UInt8] {
    let next = try history(branches.count - 1).events()
    var lines: [UInt8] = []
    while let event = try next() {
      lines += event.line
      lines.append(UInt8(ascii: "\n"))
    }
    return lines
  }

  /// Returns the log of the branch that has the state after an action.
  func log(at seq: Int) throws(ResumeError) -> RecordedLog {
    let index = branches.lastIndex { $0.start < seq } ?? 0
    switch branches[index].source {
    case .log(let log, _): return shownReplay?.log ?? log
    case .session(let session): return try recording(of: session).log
    }
  }

  private var shownReplay: ReplayBranch? { states == .replayed ? replay : nil }

  /// Returns an action's number, limited to the action after which the next branch starts.
  private func bounded(_ seq: Int, in index: Int) -> Int {
    branches.indices.contains(index + 1) ? min(seq, branches[index + 1].start) : seq
  }

  private func history(_ index: Int) throws(ResumeError) -> StateHistory {
    guard branches.indices.contains(index) else { throw .noState }
    switch branches[index].source {
    case .log(_, let history): return shownReplay?.history ?? history
    case .session(let session): return try recording(of: session).history
    }
  }

  /// Returns the recording of a session, and reads it if it is not cached.
  private func recording(of session: RecordingSession) throws(ResumeError) -> Recording {
    let id = ObjectIdentifier(session)
    if let known = recordings[id] { return known }
    // The length is read before the segments. Content that is added in between is read the next time.
    let length = session.length
    let segments: [[UInt8]]
    do { segments = try session.segments() } catch { throw ResumeError(error) }
    let log = RecordedLog.segments(segments)
    let recording = Recording(
      log: log,
      history: try StateHistory(log, plan: plan, stateType: nil),
      length: length
    )
    recordings[id] = recording
    return recording
  }
}
