import ActionLog
import Foundation
import Synchronization

/// What a session knows, and what it does under its lock.
///
/// It is not copyable: each copy would retain all that it holds.
struct SessionContents: ~Copyable, Sendable {
  let storage: any LogStorage
  private let limits: LogDestination.RingLimits?
  private let fixedTime: (@Sendable () -> Int)?
  private let start = Uptime.nanoseconds
  private var header: LogEvent.Header
  var masker: LogMasker?
  /// How much the masker knew when the state was last written: what it has learned since then, the log's state shows.
  var stateVersion = 0
  private(set) var hasBegun = false
  private(set) var isClosed = false

  /// The segment that is being written, also while nothing can be written to it.
  private var writer: SegmentWriter?
  /// Set while nothing is written.
  private(set) var outage: Outage?
  private var hasComplained = false
  private var segment = 0

  /// The state as it was last written.
  var tracker: StateTracker?
  var alive = AliveEffects()
  /// The store's number of the action that is being handled, and ours.
  var number = 0
  var seq = 0

  /// A time in which nothing can be written.
  struct Outage: Sendable {
    var reason: String
    /// How many events are missing.
    var dropped: Int
    /// After how many actions it is tried again, and how many of them are still to come.
    var pause = 1
    var countdown = 1
  }

  /// The longest pause between two tries, in actions.
  private static let longestPause = 1024

  init(
    feature: String,
    stateType: String,
    configuration: RecorderConfiguration
  ) {
    fixedTime = configuration.now
    storage = configuration.makeStorage(calls: configuration.calls)
    limits = storage.limits
    header = LogEvent.Header(
      id: UUID().uuidString,
      feature: feature,
      stateType: stateType,
      startedAt: Date().formatted(.iso8601),
      recorder: Version.current,
      app: configuration.app?.json,
      schemaVersion: configuration.schemaVersion
    )
    if configuration.masks.isEmpty {
      // What is secret may show in all of a text only, so with masks texts are written as a whole.
      header.requires = [LogEvent.splices]
    } else {
      masker = LogMasker(configuration.masks, secret: configuration.maskSecret)
      header.masked = configuration.masks
    }
  }

  /// Microseconds since the recording was begun, on a clock that goes on while the machine sleeps.
  var now: Int { microseconds(at: Uptime.nanoseconds) }

  /// The same at a reading of the clock.
  func microseconds(at nanoseconds: UInt64) -> Int {
    fixedTime?() ?? Int((nanoseconds &- start) / 1000)
  }
}

extension SessionContents {
  /// The state at a place where the log can be read from.
  struct Snapshot: Sendable {
    let state: JSON
    let shared: JSON?
    let nextStackElement: Int?
  }

  /// Whether the whole state is to be written before the next action.
  var isCheckpointDue: Bool {
    guard !isClosed else { return false }
    if let outage { return outage.countdown <= 1 }
    guard let needsCheckpoint = writer?.needsCheckpoint else { return true }
    return needsCheckpoint || limits != nil && isFull
  }

  /// Whether the segment holds its part of what a ring holds.
  private var isFull: Bool {
    guard let limits, let writer else { return false }
    return writer.isFull(limits, at: now)
  }

  /// An action that has come: what is known of it, and the lines before it when it is to be written.
  struct Begun: Sendable {
    var step: RecordingSession.Step
    var lines: [UInt8]?
  }

  /// Whether the next action needs nothing before it: nearly always, where nobody else can have changed the state.
  var isReady: Bool {
    hasBegun && !isClosed && outage == nil && tracker?.isCurrent == true && !isCheckpointDue
  }

  /// Takes note of an action.
  mutating func begin(_ sender: ActionSender, isExcluded: Bool) -> RecordingSession.Step {
    let before = seq
    seq = before + 1
    number = sender.number
    let origin: LogEvent.Origin =
      switch sender.origin {
      case .view: .view
      case .parent: .parent
      // The store was busy with the last action of this log, or with none of this log's.
      case .reentrant: before > 0 ? .reentrant(seq: before) : .view
      case .effect(let id, let via): .effect(id, via: via)
      }
    if case .effect(let id, nil) = origin { alive.arrive(id) }
    return RecordingSession.Step(seq: seq, origin: origin, at: now, isExcluded: isExcluded)
  }

  /// Takes note of an action's effects.
  mutating func start(_ effects: [EffectDescription], of step: RecordingSession.Step) {
    guard !isClosed else { return }
    alive.start(effects, of: step.seq)
  }

  /// Names what cancelled an effect, with the number of this log.
  ///
  /// - Parameters:
  ///   - canceller: What cancelled it.
  ///   - id: The effect.
  ///   - isWhole: Whether the log is that of the whole store.
  /// - Returns: What the log has of it.
  func canceller(
    _ canceller: EffectEvent.Canceller,
    of id: EffectID,
    isWhole: Bool
  ) -> LogEvent.Effect.Canceller {
    switch canceller {
    // The recorder of a whole store sees every action, so its numbers are the store's.
    case .action(let number) where isWhole: .action(seq: number == self.number ? seq : number)
    // Of a part, the reducers around it may cancel effects too, also with an action that it has seen.
    case .action: alive.canceller(of: id).map { .action(seq: $0) } ?? .task
    case .effect(let id): .effect(id)
    case .store: .store
    case .task: .task
    }
  }

  /// Begins the log.
  mutating func begin(_ snapshot: Snapshot, environment: JSON, scope: [JSON]) {
    guard !hasBegun, !isClosed else { return }
    hasBegun = true
    header.environment = environment
    header.scope = scope
    open(after: nil, snapshot)
  }

  /// Goes on with the next action.
  ///
  /// - Parameters:
  ///   - change: What somebody else has changed in the state, without what is masked.
  ///   - shared: The places of shared values in the state, when it was changed, likewise.
  ///   - snapshot: The state, when it is to be written as a whole.
  mutating func goOn(_ change: JSON.Patch, shared: JSON?, _ snapshot: Snapshot?) {
    guard !isClosed else { return }
    if outage != nil { return recover(snapshot) }
    if !change.isEmpty {
      let event = LogEvent.External(seq: seq, at: now, patch: change, shared: shared)
      write(masked: .external(event))
    }
    guard let snapshot, let needsCheckpoint = writer?.needsCheckpoint else { return }
    if isFull {
      write(.end(LogEvent.End(seq: seq, reason: LogEvent.End.segment)))
      flush()
      if outage == nil { open(after: nil, snapshot) }
    } else if needsCheckpoint {
      write(.checkpoint(checkpoint(snapshot)))
    }
  }

  private func checkpoint(_ snapshot: Snapshot) -> LogEvent.Checkpoint {
    LogEvent.Checkpoint(
      seq: seq,
      state: snapshot.state,
      effects: alive.described,
      nextStackElement: snapshot.nextStackElement,
      shared: snapshot.shared
    )
  }

  /// Begins a segment.
  private mutating func open(after outage: Outage?, _ snapshot: Snapshot) {
    do {
      let sink = try storage.open(segment: segment + 1, at: Double(now) / 1_000_000)
      writer = SegmentWriter(sink: sink, at: now)
      segment += 1
      header.segment = segment
      self.outage = nil
      goOn(after: outage, snapshot)
    } catch {
      writer = nil
      fail(error, dropped: outage?.dropped ?? 0, pause: outage?.pause)
    }
  }

  /// Writes where the log goes on.
  private mutating func goOn(after outage: Outage?, _ snapshot: Snapshot) {
    if writer?.hasBegun == false { write(.header(header)) }
    if let outage {
      write(
        .gap(LogEvent.Gap(seq: seq, at: now, dropped: outage.dropped, reason: outage.reason))
      )
    }
    write(.checkpoint(checkpoint(snapshot)))
    stateVersion = masker?.version ?? 0
    flush(pause: outage?.pause, dropped: outage?.dropped)
  }

  /// Tries again, more and more seldom.
  private mutating func recover(_ snapshot: Snapshot?) {
    guard var outage else { return }
    outage.countdown -= 1
    self.outage = outage
    guard outage.countdown <= 0, let snapshot else { return }
    if writer != nil {
      self.outage = nil
      goOn(after: outage, snapshot)
    } else {
      open(after: outage, snapshot)
    }
  }
}

extension SessionContents {
  /// Adds an event to those that wait, or to those that are missing.
  mutating func write(_ event: LogEvent) {
    // Also of what is missing it is kept in mind what must not be written later.
    write(masked: masker?.masked(event) ?? event)
  }

  /// The same with an event that was masked already.
  mutating func write(masked event: LogEvent) {
    guard outage == nil, writer != nil else {
      outage?.dropped += 1
      return
    }
    writer?.append(event)
  }

  /// Hands out the lines that wait, for an event to be written behind them; `nil` when it is one that is missing.
  mutating func take() -> [UInt8]? {
    guard outage == nil, writer != nil else {
      outage?.dropped += 1
      return nil
    }
    return writer?.take()
  }

  /// Takes back lines with an event behind them.
  mutating func restore(_ lines: consuming [UInt8], flushing: Bool) {
    guard outage == nil, writer != nil else {
      outage?.dropped += 1
      return
    }
    writer?.restore(lines)
    if flushing { flush() }
  }

  /// Hands to the kernel what waits.
  ///
  /// - Parameter isIdle: Whether the store has just handled an action.
  mutating func flush(isIdle: Bool = false) {
    flush(pause: nil, dropped: nil, isIdle: isIdle)
  }

  private mutating func flush(pause: Int?, dropped: Int?, isIdle: Bool = false) {
    guard outage == nil, writer != nil else { return }
    do { try writer?.flush(isIdle: isIdle) } catch {
      // What could not be said about an earlier gap is no new loss.
      let lost = dropped ?? writer?.waiting ?? 0
      writer?.drop()
      if (error as? LogWriteError)?.isLost == true { writer = nil }
      fail(error, dropped: lost, pause: pause)
    }
  }

  /// Takes note that nothing can be written, and says it once.
  private mutating func fail(_ error: any Error, dropped: Int, pause: Int?) {
    let reason = (error as? LogWriteError)?.reason ?? "\(error)"
    let next = min((pause ?? 0) * 2, Self.longestPause)
    outage = Outage(
      reason: reason,
      dropped: dropped,
      pause: max(1, next),
      countdown: max(1, next)
    )
    guard !hasComplained else { return }
    hasComplained = true
    Complaint.write("\(error). The app runs on; until it can be written again, the log has a gap.")
  }

  var unmatchedMasks: [String] {
    masker?.unmatched.map { "\($0.subject.rawValue) \($0.path)" } ?? []
  }

  /// Ends the log.
  mutating func close() {
    guard !isClosed else { return }
    if hasBegun {
      write(.end(LogEvent.End(seq: seq, reason: "closed")))
      flush()
      for mask in unmatchedMasks {
        Complaint.writeOnce(
          "the mask of \(mask) has matched nothing in the log of \(header.feature). Names are those of the log: see 'tca-replay show'."
        )
      }
    }
    isClosed = true
    writer = nil
    tracker = nil
    alive = AliveEffects()
  }
}

/// What a recorder has to say.
enum Complaint {
  private static let written = Mutex<Set<String>>([])

  /// Writes what many logs of one feature may have to say, such as those of its rows.
  static func writeOnce(_ message: String) {
    if written.withLock({ $0.insert(message).inserted }) { write(message) }
  }

  static func write(_ message: String) {
    var text = "tca-replay: \(message)\n"
    // Not through a file handle, which ends the process when standard error is closed.
    _ = text.withUTF8 { Foundation.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
