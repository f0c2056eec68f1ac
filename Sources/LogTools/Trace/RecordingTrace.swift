import ActionLog
import ReplayEngine

/// The trace of one recording: a process with a thread for actions, lanes for effects, and a thread for notes.
struct RecordingTrace {
  /// An action whose change has not been read yet.
  private struct OpenAction {
    let seq: Int
    /// The time of the action in the log, in microseconds.
    let at: Int
    let start: TraceTime
    let name: String
    var arguments: TraceArguments
    var reads: [String] = []
    let flow: TraceCauses.Flow?
  }

  private let actionTrack: TraceWriter.Track
  private let noteTrack: TraceWriter.Track
  private let text: TraceText
  private let id: String
  private var segment: Int
  /// The latest time in the log so far, or `nil` if the log has stated no time.
  private var now: TraceTime?
  private var cursor = LogCursor()
  private var lives = EffectLifetimeStatistics()
  private var effects: TraceEffects
  private var causes = TraceCauses()
  private var counters: TraceCounters
  private var openAction: OpenAction?
  private var withheld: LogEvent.Withheld?
  /// The start and end of the last slice on the thread for actions.
  private var last: (start: TraceTime, end: TraceTime)?
  /// The time at which the last gap ended.
  private var gapEnd = TraceTime.zero
  /// The time of the last action, in microseconds.
  private var lastAction = 0
  /// Whether events before the next checkpoint may be missing, such as the ends of effects.
  private var isResuming = false
  private(set) var actions = 0
  /// The errors for patches that did not fit the state.
  private var brokenPatches: [LogCursor.BrokenPatch] = []

  /// Starts the trace of a recording.
  ///
  /// - Parameters:
  ///   - header: The header of the recording's first log.
  ///   - number: The process id in the trace, which must be unique in the document.
  ///   - text: The text for actions, values, and changes.
  ///   - counters: The paths into the state whose values are shown as counters.
  ///   - writer: The writer of the trace.
  init(
    _ header: LogEvent.Header,
    number: Int,
    _ text: TraceText,
    counters: [ValuePath],
    _ writer: inout TraceWriter
  ) {
    // Some viewers identify threads by id alone, so thread ids are unique across processes.
    actionTrack = TraceWriter.Track(process: number, thread: number * 10 + 1)
    noteTrack = TraceWriter.Track(process: number, thread: number * 10 + 2)
    self.text = text
    id = header.id
    segment = header.segment
    // A later segment does not start at time zero.
    now = header.segment <= 1 ? .zero : nil
    effects = TraceEffects(actionTrack, text.notation)
    self.counters = TraceCounters(counters)
    nameTracks(header, &writer)
  }

  private func nameTracks(_ header: LogEvent.Header, _ writer: inout TraceWriter) {
    func name(_ kind: String, _ key: String, _ value: String, on track: TraceWriter.Track) {
      writer.write(.metadata, nil, kind, on: track) {
        var arguments = TraceArguments()
        arguments.add(key, value)
        $0.arguments(arguments)
      }
    }
    func order(_ kind: String, _ place: Int, on track: TraceWriter.Track) {
      writer.write(.metadata, nil, kind, on: track) {
        var arguments = TraceArguments()
        arguments.add("sort_index", place)
        $0.arguments(arguments)
      }
    }
    name("process_name", "name", Notation.visible(header.feature), on: actionTrack)
    name("process_labels", "labels", Wording.traceLabel(header), on: actionTrack)
    order("process_sort_index", actionTrack.process, on: actionTrack)
    name("thread_name", "name", Wording.actionThread, on: actionTrack)
    order("thread_sort_index", 0, on: actionTrack)
    name("thread_name", "name", Wording.noteThread, on: noteTrack)
    order("thread_sort_index", 1, on: noteTrack)
  }

  /// Returns whether a header belongs to a later segment of the same recording.
  func isContinued(by header: LogEvent.Header) -> Bool {
    header.id == id && header.segment > segment
  }

  /// Continues the trace with a later segment.
  mutating func resume(_ header: LogEvent.Header, _ writer: inout TraceWriter) {
    endAction(&writer)
    segment = header.segment
    isResuming = true
    counters.restart()
    writeInstant("segment", Wording.segmentBegins(segment), TraceArguments(), &writer)
    apply(.header(header), &writer)
  }

  /// Ends all open slices at the latest time.
  mutating func finish(_ writer: inout TraceWriter) {
    endAction(&writer)
    effects.finish(at: now ?? .zero, lives, &writer)
  }

  /// Returns and removes the errors for patches that did not fit, since the last call.
  mutating func consumeBrokenPatches() -> [LogCursor.BrokenPatch] {
    defer { brokenPatches = [] }
    return brokenPatches
  }

  /// Returns the part of a counter's path that resolves in the last state.
  ///
  /// Returns `nil` if the path had a value in some state, or if no state is known.
  func missingPath(ofCounter index: Int) -> UnresolvedPath? {
    counters.missing(index, in: cursor.state)
  }

  /// Adds a note that the remaining events of the log can't be read.
  mutating func markUnreadable(_ error: any Error, _ writer: inout TraceWriter) {
    endAction(&writer)
    var arguments = TraceArguments()
    arguments.add("message", "\(error)")
    writeInstant("note", Wording.unreadableFromHere, arguments, &writer)
  }
}

// MARK: - Events

extension RecordingTrace {
  /// Adds an event to the trace.
  mutating func traceEvent(_ event: LogEvent, _ writer: inout TraceWriter) {
    let before = now
    if let time = event.time {
      let time = TraceTime(microseconds: time)
      now = max(now ?? .zero, time)
      effects.arrive(at: time, lives, &writer)
    }
    if let withheld = withheld.take(), event.kind != "action" || event.seq != withheld.seq {
      open(withheld, &writer)
    }
    switch event {
    case .checkpoint: endAction(&writer)
    case .withheld(let action):
      endAction(&writer)
      withheld = action
    case .action(let action): open(action, &writer)
    case .read(let read):
      openAction?.reads.append(text.read(read))
    case .change(let change): finishAction(change, &writer)
    case .call(let call): effects.endCall(call, &writer)
    case .gap(let gap): add(gap, from: before, &writer)
    case .note(let event):
      writeInstant("note", Notation.visible(event.text), TraceArguments(), &writer)
    case .finding(let finding):
      writeInstant("finding", finding.code.rawValue, text.arguments(of: finding), &writer)
    case .end(let end):
      endAction(&writer)
      writeInstant("note", Wording.logEnds(end), TraceArguments(), &writer)
    default:
      guard let change = event.stateChange, let beginning = change.beginning else { break }
      if let origin = beginning.origin {
        add(change, at: beginning.at, from: origin, &writer)
      } else {
        endAction(&writer)
        var arguments = TraceArguments()
        arguments.add("changes", text.changes(change.logged, cursor.state))
        writeInstant("note", Wording.title(change), arguments, &writer)
      }
    }
    apply(event, &writer)
    if case .checkpoint(let checkpoint) = event, isResuming {
      isResuming = false
      effects.retain(only: checkpoint.effects, now: now ?? .zero, &writer)
    }
    if case .effect(let turn) = event { causes.forget(turn) }
  }

  /// Applies an event to the state, and updates effects and counters.
  private mutating func apply(_ event: LogEvent, _ writer: inout TraceWriter) {
    var turns: [EffectLifetimeStatistics.LifeEvent] = []
    lives.add(event, at: lastAction) { turns.append($0) }
    for turn in turns {
      switch turn {
      case .began(let effect): effects.openEffect(effect, lives, now: now, &writer)
      case .ended(let effect, let turn) where !effect.isWaiting: effects.endEffect(turn, &writer)
      case .ended: break
      }
    }
    do {
      try cursor.move(to: event)
      try cursor.apply()
    } catch {
      // Patches are not applied until the next checkpoint, because the state is unknown.
      brokenPatches.append(error)
      var arguments = TraceArguments()
      arguments.add("message", "\(error)")
      writeInstant("note", Wording.brokenPatch, arguments, &writer)
    }
    guard counters.isAffected(by: event), let state = cursor.state else { return }
    let time: TraceTime
    if case .change = event { time = last?.end ?? now ?? .zero } else { time = now ?? .zero }
    for (name, value) in counters.changes(in: state) {
      writer.write(.counter, "state", name, on: actionTrack, at: time) {
        $0.key("args")
        $0.beginObject()
        $0.key("value")
        if let whole = Int(exactly: value) { $0.encode(whole) } else { $0.encode(value) }
        $0.endObject()
      }
    }
  }

  /// Writes an event without a duration at the latest time.
  private func writeInstant(
    _ category: String,
    _ name: String,
    _ arguments: TraceArguments,
    _ writer: inout TraceWriter
  ) {
    writer.write(.instant, category, name, on: noteTrack, at: now ?? .zero) {
      $0.member(text: "s", "t")
      $0.arguments(arguments)
    }
  }

  private mutating func add(
    _ gap: LogEvent.Gap,
    from start: TraceTime?,
    _ writer: inout TraceWriter
  ) {
    endAction(&writer)
    isResuming = true
    counters.restart()
    let end = now ?? .zero
    let start = min(max(start ?? .zero, gapEnd), end)
    gapEnd = end
    var arguments = TraceArguments()
    arguments.add("missing", gap.dropped)
    arguments.add("reason", Notation.visible(gap.reason))
    writer.write(.slice, "gap", Wording.gap, on: noteTrack, at: start) {
      $0.member("dur", end - start)
      $0.arguments(arguments)
    }
  }
}

// MARK: - Actions

extension RecordingTrace {
  private mutating func open(_ action: LogEvent.Action, _ writer: inout TraceWriter) {
    endAction(&writer)
    actions += 1
    lastAction = action.at
    var arguments = TraceArguments()
    arguments.add("seq", action.seq)
    arguments.add("action", text.action(action.logged))
    arguments.add("sender", text.sender(action.origin, lives.known))
    openAction = OpenAction(
      seq: action.seq,
      at: action.at,
      start: start(at: action.at),
      name: text.casePath(action.logged),
      arguments: arguments,
      flow: causes.flow(to: action.origin) { writer.nextFlow() }
    )
  }

  /// Adds an action that was withheld because of masks and never recorded.
  private mutating func open(_ action: LogEvent.Withheld, _ writer: inout TraceWriter) {
    endAction(&writer)
    actions += 1
    lastAction = action.at
    var arguments = TraceArguments()
    arguments.add("seq", action.seq)
    arguments.add("action", Wording.withheldForGood)
    arguments.add("sender", text.sender(action.origin, lives.known))
    openAction = OpenAction(
      seq: action.seq,
      at: action.at,
      start: start(at: action.at),
      name: action.cases.map { Notation.caseName($0) }.joined(),
      arguments: arguments,
      flow: causes.flow(to: action.origin) { writer.nextFlow() }
    )
    endAction(&writer)
  }

  /// Adds an action that the recording excluded, with its change.
  private mutating func add(
    _ change: LogEvent.StateChange,
    at time: Int,
    from origin: LogEvent.Origin,
    _ writer: inout TraceWriter
  ) {
    endAction(&writer)
    var arguments = TraceArguments()
    arguments.add("seq", change.seq)
    arguments.add("sender", text.sender(origin, lives.known))
    arguments.add("changes", text.changes(change.logged, cursor.state))
    arguments.add("untimed", Wording.untimed)
    let slice = OpenAction(
      seq: change.seq,
      at: time,
      start: start(at: time),
      name: Wording.title(change),
      arguments: arguments,
      flow: causes.flow(to: origin) { writer.nextFlow() }
    )
    write(slice, for: .zero, change.effects, &writer)
  }

  /// Ends the open action when its change is read.
  private mutating func finishAction(_ change: LogEvent.Change, _ writer: inout TraceWriter) {
    guard var action = openAction, action.seq == change.seq else { return endAction(&writer) }
    openAction = nil
    action.arguments.add("reads", action.reads)
    action.arguments.add("changes", text.changes(change.logged, cursor.state))
    if change.us == nil { action.arguments.add("untimed", Wording.untimed) }
    write(action, for: TraceTime(microseconds: change.us ?? 0), change.effects, &writer)
  }

  /// Ends the open action, if there is one, without a change.
  private mutating func endAction(_ writer: inout TraceWriter) {
    if let action = withheld.take() { open(action, &writer) }
    guard var action = openAction.take() else { return }
    action.arguments.add("reads", action.reads)
    action.arguments.add("cut", Wording.neverFinished)
    write(action, for: (now ?? action.start) - action.start, [], &writer)
  }

  /// Returns the start for an action's slice.
  ///
  /// This is the action's time, or the end of the previous slice if that is later, so that slices do not overlap.
  private func start(at time: Int) -> TraceTime {
    let time = TraceTime(microseconds: time)
    guard let last else { return time }
    let start = max(time, last.end)
    return start == last.start ? start.next : start
  }

  private mutating func write(
    _ action: OpenAction,
    for duration: TraceTime,
    _ started: [EffectDescription],
    _ writer: inout TraceWriter
  ) {
    // The sum is limited to the latest time, which a damaged log may reach.
    let end = action.start + duration
    last = (action.start, end)
    var arguments = action.arguments
    text.add(started, to: &arguments)
    writer.write(.slice, "action", action.name, on: actionTrack, at: action.start) {
      $0.member("dur", end - action.start)
      $0.arguments(arguments)
    }
    causes.record(action.seq, action.start, started)
    guard let flow = action.flow else { return }
    // A viewer attaches a flow to the slices that exist at both of its times, so the slices are written first.
    writer.write(.flowStart, "cause", "cause", on: actionTrack, at: flow.start) {
      $0.key("id")
      $0.encode(flow.number)
    }
    writer.write(.flowEnd, "cause", "cause", on: actionTrack, at: action.start) {
      $0.key("id")
      $0.encode(flow.number)
      $0.member(text: "bp", "e")
    }
  }
}

extension LogEvent {
  /// The event's time in microseconds, or `nil` if it has none.
  ///
  /// The time of a call is ignored. It is the start of the call, which can be before the times of earlier lines.
  fileprivate var time: Int? {
    switch self {
    case .effect(let event): event.at
    case .gap(let event): event.at
    case .note(let event): event.at
    default: beginning?.at
    }
  }
}
