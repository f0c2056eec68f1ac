import ActionLog
import Foundation

/// Writes the log of a session: what the session does under its lock.
///
/// It is not copyable: each copy would retain all that it holds.
struct LogWriter: ~Copyable, Sendable {
  private let storage: any LogStorage
  private let limits: LogDestination.RingLimits?
  private var meter: LimitMeter
  /// Whether a segment can be full, or a limit reached.
  private let isBounded: Bool
  /// How many bytes the segments before this one have.
  private var earlierBytes = 0
  /// How many actions limits have left out, and the last one before the limit that is reached now.
  private var leftOut = (count: 0, since: 0)
  private let fixedTime: (@Sendable () -> Int)?
  private let start = Uptime.nanoseconds
  private var header: LogEvent.Header
  /// Where events are masked before they are written.
  var masks: SessionMasks
  private(set) var hasBegun = false
  private(set) var isClosed = false

  /// The segment that is being written, also while nothing can be written to it.
  private var segment: SegmentWriter?
  /// How many segments were begun.
  private var segments = 0
  /// The actions after which the segments begin.
  private var segmentStarts: [Int] = []
  /// Set while nothing is written.
  private var outage: Outage?
  private var hasComplained = false
  private var notices = OpaqueNotices()
  /// What earlier lines show, in case a text of them is masked later; `nil` without masks.
  private var earlier: EarlierLines?
  private let complain: @Sendable (String) -> Void

  /// The state as it was last written; nil also while it is taken.
  private var tracker: StateTracker?
  private var effects = LiveEffects()
  /// The calls that have not ended, by their numbers, and the last of these.
  private var calls: (running: [Int: LogEvent.Call], last: Int) = ([:], 0)
  /// The store's number of the action that is being handled, and ours.
  private var number = 0
  private(set) var seq = 0
  /// The action of another log after which this one begins.
  private var first = 0

  init(
    feature: String,
    stateType: String,
    configuration: RecorderConfiguration
  ) {
    fixedTime = configuration.now
    // Locals: where optimised code reads the properties of a value that is not complete, it destroys those that are not set yet.
    let storage = configuration.makeStorage(calls: configuration.systemCalls)
    let meter = LimitMeter(configuration.limits)
    self.storage = storage
    self.meter = meter
    limits = storage.limits
    isBounded = storage.limits != nil || !meter.isEmpty
    masks = SessionMasks(configuration)
    complain = configuration.complain
    header = LogEvent.Header(
      id: UUID().uuidString,
      feature: feature,
      stateType: stateType,
      startedAt: Date().formatted(.iso8601),
      recorder: Version.current,
      app: configuration.app?.json
    )
    header.rendersOpaqueValues = configuration.isRendering
    if configuration.masks.isEmpty {
      // What is secret may show in all of a text only, so with masks texts are written as a whole.
      header.requires = [LogEvent.splices]
    } else {
      header.masked = configuration.masks
      header.requires = [LogEvent.withholding]
      earlier = EarlierLines()
    }
  }

  /// Sets the version of the schema, before the first line is written.
  mutating func setSchemaVersion(_ version: Int) { header.schemaVersion = version }

  /// Microseconds since the recording was begun, on a clock that goes on while the machine sleeps.
  private var now: Int { fixedTime?() ?? Int((Uptime.nanoseconds &- start) / 1000) }
}

extension LogWriter {
  /// The state at a place where the log can be read from.
  struct CheckpointState: Sendable {
    let state: JSON
    let shared: JSON?
    let nextStackElement: Int?
  }

  /// Whether the whole state is to be written before the next action.
  var isCheckpointDue: Bool {
    guard !isClosed else { return false }
    if let outage { return outage.isTryDue(at: now) }
    guard let needsCheckpoint = segment?.needsCheckpoint else { return true }
    return needsCheckpoint || isBounded && isFull
  }

  /// The bytes of all segments so far, with those that wait and those that were dropped.
  var length: Int { earlierBytes + (segment?.length ?? 0) }

  /// The limit that is reached.
  private var reachedLimit: LimitMeter.Reached? {
    mutating get {
      // What was left out does not count, but the actions' numbers go on.
      meter.reached(
        at: now,
        bytes: length,
        actions: seq - first - leftOut.count
      )
    }
  }

  /// Leaves out what comes now when a limit is reached.
  mutating func keepToLimits() {
    guard !meter.isEmpty, hasBegun, !isClosed, outage == nil, let reached = reachedLimit else {
      return
    }
    // A session that has reached its limit may end without another word.
    if reached.end == nil {
      write(masked: .gap(LogEvent.Gap(seq: seq, at: now, dropped: 0, reason: reached.reason)))
    }
    flush()
    guard outage == nil else { return }
    outage = Outage(reached)
    leftOut.since = seq
  }

  /// Whether the segment holds its part of what a ring holds.
  private var isFull: Bool {
    guard let limits, let segment else { return false }
    return segment.isFull(limits, at: now)
  }

  /// An action that has come: what is known of it, and the lines before it when it is to be written.
  struct BegunAction: Sendable {
    var step: RecordingSession.Step
    var lines: [UInt8]?
  }

  /// Whether the next action needs nothing before it: nearly always, where nothing else can have changed the state.
  var isReady: Bool {
    mutating get {
      hasBegun && !isClosed && outage == nil && isStateCurrent && !isCheckpointDue
        && (!isBounded || reachedLimit == nil)
    }
  }

  /// Whether the state is as it was written last, as far as that is known without a look at it.
  private var isStateCurrent: Bool {
    switch tracker {
    case let tracker?: tracker.isCurrent
    case nil: false
    }
  }

  /// Takes note of an action.
  mutating func startAction(_ sender: ActionSender, isExcluded: Bool) -> RecordingSession.Step {
    let before = seq
    seq = before + 1
    number = sender.number
    let origin: LogEvent.Origin =
      switch sender.origin {
      case .view: .view
      case .parent: .parent
      // The store was busy with the last action of this log, or with none of this log's.
      case .reentrant: before > first ? .reentrant(seq: before) : .view
      case .effect(let id, let via): .effect(id, via: via)
      }
    if case .effect(let id, nil) = origin { effects.arrive(id) }
    return RecordingSession.Step(seq: seq, origin: origin, at: now, isExcluded: isExcluded)
  }

  /// Starts the effects of an action.
  ///
  /// - Returns: The effects, with the names that their cancellation ids have in the log.
  mutating func start(
    _ effects: [EffectDescription],
    of step: RecordingSession.Step
  ) -> [EffectDescription] {
    guard !isClosed else { return effects }
    let named = self.effects.named(effects)
    self.effects.start(named, of: step.seq)
    return named
  }

  /// Writes an event in the life of an effect.
  ///
  /// - Parameters:
  ///   - event: What has happened.
  ///   - id: The effect.
  ///   - failure: The error of an effect that failed.
  ///   - isWhole: Whether the log is that of the whole store.
  mutating func write(_ event: EffectEvent, of id: EffectID, failure: JSON?, isWhole: Bool) {
    guard !isClosed else { return }
    let logged: LogEvent.Effect.Event =
      switch event {
      case .started: .started
      case .finished(let sent): .finished(sent: sent)
      case .failed: .failed(failure ?? .null)
      case .cancelled(let canceller, let dropping):
        .cancelled(by: self.canceller(canceller, of: id, isWhole: isWhole), dropping: dropping)
      }
    let effect = LogEvent.Effect(id: id, event: logged, at: now)
    effects.apply(effect)
    write(.effect(effect))
  }

  /// Takes note of a call that an effect makes.
  ///
  /// - Returns: Its number; `nil` when the log has ended.
  mutating func startCall(_ call: LogEvent.Call) -> Int? {
    guard !isClosed else { return nil }
    var call = call
    call.at = now
    calls.last += 1
    calls.running[calls.last] = call
    return calls.last
  }

  /// Writes a call that has ended.
  mutating func end(call number: Int, _ outcome: LogEvent.Call.Outcome, isCancelled: Bool) {
    guard !isClosed, var call = calls.running.removeValue(forKey: number) else { return }
    call.outcome = outcome
    call.isCancelled = isCancelled
    call.us = now - call.at
    write(.call(call))
  }

  /// Writes the calls that have not ended.
  private mutating func writeRunningCalls() {
    for number in calls.running.keys.sorted() {
      guard var call = calls.running.removeValue(forKey: number) else { continue }
      call.us = now - call.at
      write(.call(call))
    }
  }

  /// Names what cancelled an effect, with the number of this log.
  ///
  /// - Parameters:
  ///   - canceller: What cancelled it.
  ///   - id: The effect.
  ///   - isWhole: Whether the log is that of the whole store.
  /// - Returns: What the log has of it.
  private func canceller(
    _ canceller: EffectEvent.Canceller,
    of id: EffectID,
    isWhole: Bool
  ) -> LogEvent.Effect.Canceller {
    switch canceller {
    // The recorder of a whole store sees every action, so its numbers are the store's.
    case .action(let number) where isWhole:
      .action(seq: number == self.number ? seq : number + first)
    // Of a part, the reducers around it may cancel effects too, also with an action that it has seen.
    case .action: effects.canceller(of: id).map { .action(seq: $0) } ?? .task
    case .effect(let id): .effect(id)
    case .store: .store
    case .task: .task
    }
  }

  /// Writes a mark.
  mutating func note(_ text: String) {
    write(.note(LogEvent.Note(seq: seq, at: now, text: text)))
    flush()
  }

  /// Goes on from a place in another log: actions are numbered on from there.
  mutating func resume(at place: LogEvent.Header.Continuation, with effects: LiveEffects) {
    guard !hasBegun, !isClosed else { return }
    header.continues = place
    first = place.seq
    seq = place.seq
    self.effects = effects
  }

  /// Begins the log.
  mutating func openLog(_ snapshot: CheckpointState, environment: JSON, scope: [JSON]) {
    guard !hasBegun, !isClosed else { return }
    hasBegun = true
    header.environment = environment
    notices.remedies = LogRemedies(environment)
    header.scope = scope
    // The header comes first, and must not show what the state has in masked places either.
    masks.learn(snapshot.state, in: .state)
    open(after: nil, snapshot)
  }

  /// Goes on with the next action.
  ///
  /// - Parameters:
  ///   - change: What others have changed in the state, without what is masked.
  ///   - shared: The places of shared values in the state, when it was changed, likewise.
  ///   - snapshot: The state, when it is to be written as a whole.
  mutating func resumeLog(_ change: JSON.Patch, shared: JSON?, _ snapshot: CheckpointState?) {
    guard !isClosed else { return }
    if outage != nil { return recover(snapshot) }
    if !change.isEmpty {
      let event = LogEvent.External(seq: seq, at: now, patch: change, shared: shared)
      write(masked: .external(event))
    }
    guard let snapshot, let needsCheckpoint = segment?.needsCheckpoint else { return }
    if isFull {
      write(.end(LogEvent.End(seq: seq, reason: LogEvent.End.segment)))
      flush()
      if outage == nil { open(after: nil, snapshot) }
    } else if needsCheckpoint {
      write(.checkpoint(checkpoint(snapshot)))
    }
  }

  private mutating func checkpoint(_ snapshot: CheckpointState) -> LogEvent.Checkpoint {
    LogEvent.Checkpoint(
      seq: seq,
      state: snapshot.state,
      effects: effects.checkpoint(),
      nextStackElement: snapshot.nextStackElement,
      shared: snapshot.shared
    )
  }

  /// Begins a segment.
  private mutating func open(after outage: Outage?, _ snapshot: CheckpointState) {
    do {
      let sink = try storage.open(segment: segments + 1, at: Double(now) / 1_000_000)
      earlierBytes += segment?.length ?? 0
      segment = SegmentWriter(sink: sink, at: now)
      segments += 1
      segmentStarts.append(seq)
      header.segment = segments
      self.outage = nil
      resumeLog(after: outage, snapshot)
    } catch {
      segment = nil
      fail(error, dropped: outage?.dropped ?? 0, after: outage)
    }
  }

  /// Writes where the log goes on.
  private mutating func resumeLog(after outage: Outage?, _ snapshot: CheckpointState) {
    if segment?.hasBegun == false { write(.header(header)) }
    if let outage {
      if outage.isLimit { leftOut.count += seq - leftOut.since }
      write(gap(after: outage))
    }
    write(.checkpoint(checkpoint(snapshot)))
    masks.noteStateWritten()
    flush(after: outage)
  }

  /// Tries again, more and more seldom.
  private mutating func recover(_ snapshot: CheckpointState?) {
    let now = now
    guard outage?.countAction(at: now) == true, let outage, let snapshot else { return }
    if segment != nil {
      self.outage = nil
      resumeLog(after: outage, snapshot)
    } else {
      open(after: outage, snapshot)
    }
  }
}

extension LogWriter {
  /// Adds an event to those that wait, or to those that are missing.
  mutating func write(_ event: LogEvent) {
    // Also of what is missing it is kept in mind what must not be written later.
    if let event = masks.admitted(event) { write(masked: event) }
  }

  /// Ends an action with its change, after what has waited for it.
  mutating func endMasked(
    _ effects: [EffectDescription],
    _ change: ([EffectDescription]) -> LogEvent
  ) {
    guard !isClosed else { return }
    for event in masks.endAction() { write(masked: event) }
    write(masked: change(masks.masked(effects)))
    searchEarlierLines()
    for place in masks.takeNewRawPlaces() {
      complain(Wording.rawPlace(place, of: header.feature))
    }
  }

  /// Says once where an earlier line shows a text that is masked from now on.
  private mutating func searchEarlierLines() {
    let texts = masks.takeNewTexts()
    guard outage == nil, var earlier, let suspects = earlier.suspects(among: texts) else { return }
    flush()
    let line = storage.firstLine(showing: suspects)
    earlier.didSearch(found: line != nil)
    if let line { complain(line.advice) }
    self.earlier = earlier
  }

  /// The same with an event that was masked already.
  mutating func write(masked event: LogEvent) {
    guard outage == nil, segment != nil else {
      outage?.drop()
      return
    }
    let line = event.line
    earlier?.add(line)
    segment?.append(line, of: event)
  }

  /// Hands out the lines that wait, for an event to be written after them; `nil` when that event is one that is missing.
  mutating func takeLines() -> [UInt8]? {
    guard outage == nil, segment != nil else {
      outage?.drop()
      return nil
    }
    return segment?.takeLines()
  }

  /// Takes back lines with an event after them.
  mutating func restoreLines(_ lines: consuming [UInt8], flushing: Bool) {
    guard outage == nil, segment != nil else {
      segment?.abandonLines()
      outage?.drop()
      return
    }
    segment?.restoreLines(lines)
    if flushing || segment?.isFlushDue == true { flush() }
  }

  /// Hands to the kernel what waits.
  ///
  /// - Parameter isIdle: Whether the store has just handled an action.
  mutating func flush(isIdle: Bool = false) { flush(after: nil, isIdle: isIdle) }

  private mutating func flush(after previous: Outage?, isIdle: Bool = false) {
    guard outage == nil, segment != nil else { return }
    do { try segment?.flush(isIdle: isIdle, &notices) } catch {
      // What could not be said about an earlier gap is no new loss.
      let lost = previous?.dropped ?? segment?.waiting ?? 0
      segment?.drop()
      if (error as? LogWriteError)?.isLost == true { segment = nil }
      fail(error, dropped: lost, after: previous)
    }
  }

  /// Takes note that nothing can be written, and says it once.
  private mutating func fail(_ error: any Error, dropped: Int, after previous: Outage?) {
    outage = Outage(error, dropped: dropped, after: previous)
    guard !hasComplained else { return }
    hasComplained = true
    complain("\(error). The app runs on; until it can be written again, the log has a gap.")
  }

  /// The reason why nothing can be written at the moment.
  var problem: String? { outage?.reason }

  /// What is kept from action to action.
  var kept: [any Sendable] {
    switch tracker {
    case let tracker?: [effects] + tracker.kept
    case nil: [effects]
    }
  }

  /// The action after which the oldest segment that is held begins.
  var firstSeq: Int {
    let index = storage.firstSegment - 1
    return segmentStarts.indices.contains(index) ? segmentStarts[index] : seq
  }

  /// The segments that are held, with all that waited.
  mutating func read() throws -> [[UInt8]] {
    flush()
    return try storage.read()
  }

  /// Says what a limit has left out, before the log ends.
  private mutating func endLimit() {
    guard let outage, outage.isLimit, segment != nil else { return }
    self.outage = nil
    write(masked: gap(after: outage))
  }

  private func gap(after outage: Outage) -> LogEvent {
    .gap(LogEvent.Gap(seq: seq, at: now, dropped: outage.dropped, reason: outage.reason))
  }

  /// Ends the log.
  mutating func close() {
    guard !isClosed else { return }
    if hasBegun {
      masks.abandon()
      writeRunningCalls()
      endLimit()
      write(.end(LogEvent.End(seq: seq, reason: "closed")))
      segment?.abandonLines()
      flush()
      for mask in masks.unmatched {
        Complaint.writeOnce(
          "the mask of \(mask) has matched nothing in the log of \(header.feature). Names are those of the log: see 'tca-replay show'."
        )
      }
    }
    isClosed = true
    segment = nil
    tracker = nil
    effects = LiveEffects()
  }
}

// One place at a time has the tracker: it is changed where it is, and a second reference would make it be copied.
extension LogWriter {
  /// Hands out the tracker of the state, for the app's values to be compared under no lock.
  mutating func takeTracker() -> StateTracker? { tracker.take() }

  /// Takes the tracker back.
  mutating func restoreTracker(_ tracker: inout StateTracker?) { self.tracker = tracker.take() }

  /// Whether a state shows all that it was, as long as a copy is kept.
  var isStateSelfContained: Bool {
    switch tracker {
    case let tracker?: tracker.isPlain
    case nil: false
    }
  }
}
