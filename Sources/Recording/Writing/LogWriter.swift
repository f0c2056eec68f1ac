import ActionLog
import Foundation

/// A writer that appends a session's events to its log.
///
/// All calls run under the session's lock. The type is not copyable, because each copy would retain the entire log
/// state.
struct LogWriter: ~Copyable, Sendable {
  private let storage: any LogStorage
  private let limits: LogDestination.RingLimits?
  private var meter: LimitMeter
  /// Whether the size of the log is limited by segments or by recording limits.
  private let isBounded: Bool
  /// The total size of the segments before the current one in bytes.
  private var earlierBytes = 0
  /// The number of actions that were dropped because of limits, and the number of the last action before the current
  /// limit.
  private var leftOut = (count: 0, since: 0)
  private let fixedTime: (@Sendable () -> Int)?
  private let start = Uptime.nanoseconds
  private var header: LogEvent.Header
  /// The masks that each event passes through before it is written.
  var masks: SessionMasker
  private(set) var hasBegun = false
  private(set) var isClosed = false

  /// The segment to which events are written, also during an outage, or `nil` before the log begins.
  private var segment: SegmentWriter?
  /// The number of segments that were opened.
  private var segments = 0
  /// For each segment, the number of the action after which the segment begins.
  private var segmentStarts: [Int] = []
  /// The outage that currently prevents writing, or `nil` if the log is being written.
  private var outage: WriteOutage?
  private var hasComplained = false
  private var notices = OpaqueTypeReporter()
  /// A filter that finds written lines with texts that are masked later, or `nil` if there are no masks.
  private var earlier: WrittenLinesBloomFilter?
  private let complain: @Sendable (String) -> Void

  /// The state as it was last written, or `nil` before the first action and while the tracker is removed.
  private var tracker: StateTracker?
  private var effects = UnfinishedEffects()
  /// The running calls by their numbers, and the number that was last given to a call.
  private var calls: (running: [Int: LogEvent.Call], last: Int) = ([:], 0)
  /// The number that the store gave the current action, which may differ from `seq`.
  private var number = 0
  private(set) var seq = 0
  /// The number of the action in an earlier log after which this log begins, or 0 for a new log.
  private var first = 0

  init(
    feature: String,
    stateType: String,
    configuration: RecorderConfiguration
  ) {
    fixedTime = configuration.now
    // The compiler destroys unset properties when optimized code reads a partially initialized value. Local constants
    // avoid this.
    let storage = configuration.makeStorage(calls: configuration.systemCalls)
    let meter = LimitMeter(configuration.limits)
    self.storage = storage
    self.meter = meter
    limits = storage.limits
    isBounded = storage.limits != nil || !meter.isEmpty
    masks = SessionMasker(configuration)
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
      // A masked text may be recognizable only in full, so logs with masks don't use `splice` operations.
      header.requires = [LogEvent.splices]
    } else {
      header.masked = configuration.masks
      header.requires = [LogEvent.withholding]
      earlier = WrittenLinesBloomFilter()
    }
  }

  /// Sets the schema version that the header contains, before the first line is written.
  mutating func setSchemaVersion(_ version: Int) { header.schemaVersion = version }

  /// The number of microseconds since the recording began, on a clock that continues while the machine sleeps.
  private var now: Int { fixedTime?() ?? Int((Uptime.nanoseconds &- start) / 1000) }
}

extension LogWriter {
  /// The content of a checkpoint except the effects.
  struct CheckpointState: Sendable {
    let state: JSON
    let shared: JSON?
    let nextStackElement: Int?
  }

  /// Whether a checkpoint must be written before the next action.
  var isCheckpointDue: Bool {
    guard !isClosed else { return false }
    if let outage { return outage.isTryDue(at: now) }
    guard let needsCheckpoint = segment?.needsCheckpoint else { return true }
    return needsCheckpoint || isBounded && isFull
  }

  /// The size of all segments in bytes, including pending lines and segments that a ring has dropped.
  var length: Int { earlierBytes + (segment?.length ?? 0) }

  /// The limit that the log has reached, or `nil` if it has reached none.
  private var reachedLimit: LimitMeter.ReachedLimit? {
    mutating get {
      // Dropped actions have numbers but don't count toward the limits.
      meter.reached(
        at: now,
        bytes: length,
        actions: seq - first - leftOut.count
      )
    }
  }

  /// Starts an outage if the log has reached a limit.
  mutating func keepToLimits() {
    guard !meter.isEmpty, hasBegun, !isClosed, outage == nil, let reached = reachedLimit else {
      return
    }
    // The gap is written now, because a session that has reached its limit may end without further events.
    if reached.end == nil {
      write(masked: .gap(LogEvent.Gap(seq: seq, at: now, dropped: 0, reason: reached.reason)))
    }
    flush()
    guard outage == nil else { return }
    outage = WriteOutage(reached)
    leftOut.since = seq
  }

  /// Whether the segment has reached its share of the ring's capacity.
  private var isFull: Bool {
    guard let limits, let segment else { return false }
    return segment.isFull(limits, at: now)
  }

  /// A registered action, and the pending lines to which the action can be appended.
  struct RegisteredAction: Sendable {
    var step: RecordingSession.Step
    var lines: [UInt8]?
  }

  /// Whether the next action can be written immediately.
  ///
  /// This is nearly always the case if only the recorded reducer changes the state.
  var isReady: Bool {
    mutating get {
      hasBegun && !isClosed && outage == nil && isStateCurrent && !isCheckpointDue
        && (!isBounded || reachedLimit == nil)
    }
  }

  /// Whether the state is known to equal the logged state, so that no comparison is needed.
  private var isStateCurrent: Bool {
    switch tracker {
    case let tracker?: tracker.isCurrent
    case nil: false
    }
  }

  /// Registers an action, and assigns its number in the log.
  mutating func startAction(_ sender: ActionSender, isExcluded: Bool) -> RecordingSession.Step {
    let before = seq
    seq = before + 1
    number = sender.number
    let origin: LogEvent.Origin =
      switch sender.origin {
      case .view: .view
      case .parent: .parent
      // The sender is the previous action in this log. If this log has no action yet, the sender is unknown.
      case .reentrant: before > first ? .reentrant(seq: before) : .view
      case .effect(let id, let via): .effect(id, via: via)
      }
    if case .effect(let id, nil) = origin { effects.arrive(id) }
    return RecordingSession.Step(seq: seq, origin: origin, at: now, isExcluded: isExcluded)
  }

  /// Registers the effects that an action has started.
  ///
  /// - Returns: The descriptions of the effects, with the log's names for their cancellation IDs.
  mutating func start(
    _ effects: [EffectDescription],
    of step: RecordingSession.Step
  ) -> [EffectDescription] {
    guard !isClosed else { return effects }
    let named = self.effects.named(effects)
    self.effects.start(named, of: step.seq)
    return named
  }

  /// Writes a change in the lifecycle of an effect.
  ///
  /// - Parameters:
  ///   - event: The change, with the numbers that the store gave to actions.
  ///   - id: The effect's ID.
  ///   - failure: The error of an effect that has failed, or `nil` for other events.
  ///   - isWhole: Whether the log records the root feature of the store.
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

  /// Registers a dependency call that an effect makes.
  ///
  /// - Returns: The number of the call, or `nil` after the log has ended.
  mutating func startCall(_ call: LogEvent.Call) -> Int? {
    guard !isClosed else { return nil }
    var call = call
    call.at = now
    calls.last += 1
    calls.running[calls.last] = call
    return calls.last
  }

  /// Writes a registered call that has ended.
  mutating func end(call number: Int, _ outcome: LogEvent.Call.Outcome, isCancelled: Bool) {
    guard !isClosed, var call = calls.running.removeValue(forKey: number) else { return }
    call.outcome = outcome
    call.isCancelled = isCancelled
    call.us = now - call.at
    write(.call(call))
  }

  /// Writes the calls that are still running when the log ends.
  private mutating func writeRunningCalls() {
    for number in calls.running.keys.sorted() {
      guard var call = calls.running.removeValue(forKey: number) else { continue }
      call.us = now - call.at
      write(.call(call))
    }
  }

  /// Returns the cause of a cancellation with the numbers of this log.
  ///
  /// - Parameters:
  ///   - canceller: The cause, with the numbers that the store gave to actions.
  ///   - id: The ID of the canceled effect.
  ///   - isWhole: Whether the log records the root feature of the store.
  /// - Returns: The cause as the log contains it.
  private func canceller(
    _ canceller: EffectEvent.Canceller,
    of id: EffectID,
    isWhole: Bool
  ) -> LogEvent.Effect.Canceller {
    switch canceller {
    // The recorder of a root feature sees every action, so its numbers equal the store's.
    case .action(let number) where isWhole:
      .action(seq: number == self.number ? seq : number + first)
    // A parent reducer can cancel effects of a recorded child, even with an action that the child also handles.
    case .action: effects.canceller(of: id).map { .action(seq: $0) } ?? .task
    case .effect(let id): .effect(id)
    case .store: .store
    case .task: .task
    }
  }

  /// Writes a note, unless the log has ended.
  mutating func note(_ text: String) {
    write(.note(LogEvent.Note(seq: seq, at: now, text: text)))
    flush()
  }

  /// Makes this log the continuation of another log, including its action numbers.
  mutating func resume(at place: LogEvent.Header.Continuation, with effects: UnfinishedEffects) {
    guard !hasBegun, !isClosed else { return }
    header.continues = place
    first = place.seq
    seq = place.seq
    self.effects = effects
  }

  /// Writes the header and the first checkpoint.
  mutating func openLog(_ snapshot: CheckpointState, environment: JSON, scope: [JSON]) {
    guard !hasBegun, !isClosed else { return }
    hasBegun = true
    header.environment = environment
    notices.remedies = OpaqueTypeRemedies(environment)
    header.scope = scope
    // The header is written before the checkpoint, and must not contain texts from masked paths of the state.
    masks.start(with: snapshot.state)
    open(after: nil, snapshot)
  }

  /// Prepares the log for the next action.
  ///
  /// - Parameters:
  ///   - change: The masked change that code outside the reducer has made to the state.
  ///   - shared: The masked paths of shared values in the changed state, or `nil` if there are none.
  ///   - snapshot: The content of a checkpoint, or `nil` if no checkpoint is due.
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

  /// Opens a segment, and starts an outage if the segment can't be opened.
  private mutating func open(after outage: WriteOutage?, _ snapshot: CheckpointState) {
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

  /// Writes the header of a new segment, the gap that an outage has left, and a checkpoint.
  private mutating func resumeLog(after outage: WriteOutage?, _ snapshot: CheckpointState) {
    if segment?.hasBegun == false { write(.header(header)) }
    if let outage {
      if outage.isLimit { leftOut.count += seq - leftOut.since }
      write(gap(after: outage))
    }
    write(.checkpoint(checkpoint(snapshot)))
    masks.noteStateWritten()
    flush(after: outage)
  }

  /// Tries to write again after an outage.
  ///
  /// The number of actions between attempts doubles up to 1024.
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
  /// Masks and appends an event, or counts the event as dropped during an outage.
  mutating func write(_ event: LogEvent) {
    // Dropped events still teach the masker which texts to hide.
    if let event = masks.admitted(event) { write(masked: event) }
  }

  /// Ends an action by writing the events that were withheld until its end, and then its change.
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

  /// Reports an earlier line that contains a newly masked text, if there is one.
  private mutating func searchEarlierLines() {
    let texts = masks.takeNewTexts()
    guard outage == nil, var earlier, let suspects = earlier.suspects(among: texts) else { return }
    flush()
    let line = storage.firstLine(showing: suspects)
    earlier.didSearch(found: line != nil)
    if let line { complain(line.advice) }
    self.earlier = earlier
  }

  /// Appends a masked event, or counts the event as dropped during an outage.
  mutating func write(masked event: LogEvent) {
    guard outage == nil, segment != nil else {
      outage?.drop()
      return
    }
    let line = event.line
    earlier?.add(line)
    segment?.append(line, of: event)
  }

  /// Removes and returns the pending lines, so that the caller can append an event.
  ///
  /// During an outage, counts the event as dropped and returns `nil`.
  mutating func takeLines() -> [UInt8]? {
    guard outage == nil, segment != nil else {
      outage?.drop()
      return nil
    }
    return segment?.takeLines()
  }

  /// Stores lines that `takeLines` returned, with an event appended.
  mutating func restoreLines(_ lines: consuming [UInt8], flushing: Bool) {
    guard outage == nil, segment != nil else {
      segment?.abandonLines()
      outage?.drop()
      return
    }
    segment?.restoreLines(lines)
    if flushing || segment?.isFlushDue == true { flush() }
  }

  /// Passes pending lines to the kernel.
  ///
  /// - Parameter isIdle: Whether the store has handled all actions.
  mutating func flush(isIdle: Bool = false) { flush(after: nil, isIdle: isIdle) }

  private mutating func flush(after previous: WriteOutage?, isIdle: Bool = false) {
    guard outage == nil, segment != nil else { return }
    do { try segment?.flush(isIdle: isIdle, &notices) } catch {
      // If writing the gap fails, no events are lost except those that the outage has already counted.
      let lost = previous?.dropped ?? segment?.waiting ?? 0
      segment?.drop()
      if (error as? LogWriteError)?.isLost == true { segment = nil }
      fail(error, dropped: lost, after: previous)
    }
  }

  /// Starts or continues an outage, and reports the first outage to the developer.
  private mutating func fail(_ error: any Error, dropped: Int, after previous: WriteOutage?) {
    outage = WriteOutage(error, dropped: dropped, after: previous)
    guard !hasComplained else { return }
    hasComplained = true
    complain("\(error). The app runs on; until it can be written again, the log has a gap.")
  }

  /// The reason for the current outage, or `nil` if the log is being written.
  var problem: String? { outage?.reason }

  /// The values that the writer retains between actions.
  var kept: [any Sendable] {
    switch tracker {
    case let tracker?: [effects] + tracker.kept
    case nil: [effects]
    }
  }

  /// The number of the action after which the oldest stored segment begins.
  var firstSeq: Int {
    let index = storage.firstSegment - 1
    return segmentStarts.indices.contains(index) ? segmentStarts[index] : seq
  }

  /// Returns the stored segments, starting with the oldest, including pending lines.
  mutating func read() throws -> [[UInt8]] {
    flush()
    return try storage.read()
  }

  /// Writes the gap that a limit has left, before the log ends.
  private mutating func endLimit() {
    guard let outage, outage.isLimit, segment != nil else { return }
    self.outage = nil
    write(masked: gap(after: outage))
  }

  private func gap(after outage: WriteOutage) -> LogEvent {
    .gap(LogEvent.Gap(seq: seq, at: now, dropped: outage.dropped, reason: outage.reason))
  }

  /// Writes the last lines and ends the log.
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
        RecorderWarnings.writeOnce(
          "the mask of \(mask) has matched nothing in the log of \(header.feature). Names are those of the log: see 'tca-replay show'."
        )
      }
    }
    isClosed = true
    segment = nil
    tracker = nil
    effects = UnfinishedEffects()
  }
}

// The tracker must have a single owner, because a second reference would make each change copy the state.
extension LogWriter {
  /// Removes and returns the state tracker, so that app values can be compared outside the lock.
  mutating func takeTracker() -> StateTracker? { tracker.take() }

  /// Stores the state tracker that `takeTracker` returned.
  mutating func restoreTracker(_ tracker: inout StateTracker?) { self.tracker = tracker.take() }

  /// Whether a copy of the state is enough to recover its old value.
  var isStateSelfContained: Bool {
    switch tracker {
    case let tracker?: tracker.isPlain
    case nil: false
    }
  }
}
