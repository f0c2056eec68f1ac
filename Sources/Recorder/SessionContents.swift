import ActionLog
import Foundation
internal import TCACore

/// What a session knows, and what it does under its lock.
struct SessionContents: Sendable {
  let storage: any LogStorage
  private let configuration: RecorderConfiguration
  private let clock = ContinuousClock()
  private let start = ContinuousClock().now
  private var header: LogEvent.Header
  private let path: [NavigationID]
  private var masker: LogMasker?
  /// The masker as it was when the state was last written: what it has learned since then, the log's state shows.
  private var stateMasker: LogMasker?
  private var hasBegun = false
  private(set) var isClosed = false

  /// The segment that is being written, also while nothing can be written to it.
  private var log: Log?
  /// Set while nothing is written.
  private(set) var outage: Outage?
  private var hasComplained = false
  private var segment = 0

  var describer = EffectDescriber()
  var state = StateTracker()
  var alive = AliveEffects()
  private var nextStackElement = 0
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
    path: [NavigationID],
    configuration: RecorderConfiguration
  ) {
    self.configuration = configuration
    self.path = path
    storage = configuration.makeStorage(calls: configuration.calls)
    header = LogEvent.Header(
      id: UUID().uuidString,
      feature: feature,
      stateType: stateType,
      startedAt: Date().formatted(.iso8601),
      recorder: Version.current,
      app: configuration.app?.json,
      schemaVersion: configuration.schemaVersion
    )
    if !configuration.masks.isEmpty {
      masker = LogMasker(configuration.masks)
      header.masked = configuration.masks
    }
  }

  /// Microseconds since the recording was begun, on a clock that goes on while the machine sleeps.
  var now: Int { configuration.now?() ?? (clock.now - start).microseconds }
}

extension SessionContents {
  /// Sees to it that the next action can be written: that there is a segment with room, and the state is as the log has it.
  mutating func prepare(for state: some Any, nextStackElement: Int) {
    guard !isClosed else { return }
    self.nextStackElement = nextStackElement
    guard hasBegun else {
      hasBegun = true
      header.environment = Surroundings.json
      header.scope = describer.describe(path)
      self.state = StateTracker(state)
      return open(after: nil)
    }
    let old = self.state.json
    let patch = self.state.update(state)
    if outage != nil { return recover() }
    if !patch.isEmpty {
      write(.external(LogEvent.External(seq: seq, at: now, patch: patch)), patch: patch, from: old)
    }
    guard let log else { return }
    if let limits = storage.limits, log.isFull(limits, at: now) {
      write(.end(LogEvent.End(seq: seq, reason: LogEvent.End.segment)))
      flush()
      if outage == nil { open(after: nil) }
    } else if log.needsCheckpoint {
      // As the changes before it have written it.
      var masker = stateMasker
      append(masker?.masked(.checkpoint(checkpoint)) ?? .checkpoint(checkpoint))
    }
  }

  private var checkpoint: LogEvent.Checkpoint {
    LogEvent.Checkpoint(
      seq: seq,
      state: state.json,
      effects: alive.described,
      nextStackElement: nextStackElement > 0 ? nextStackElement : nil
    )
  }

  /// Begins a segment.
  private mutating func open(after outage: Outage?) {
    do {
      let sink = try storage.open(segment: segment + 1, at: Double(now) / 1_000_000)
      log = Log(sink: sink, at: now)
      segment += 1
      header.segment = segment
      self.outage = nil
      goOn(after: outage)
    } catch {
      log = nil
      fail(error, dropped: outage?.dropped ?? 0, pause: outage?.pause)
    }
  }

  /// Writes where the log goes on.
  private mutating func goOn(after outage: Outage?) {
    if log?.hasBegun == false { write(.header(header)) }
    if let outage {
      write(
        .gap(LogEvent.Gap(seq: seq, at: now, dropped: outage.dropped, reason: outage.reason))
      )
    }
    write(.checkpoint(checkpoint))
    stateMasker = masker
    flush(pause: outage?.pause, dropped: outage?.dropped)
  }

  /// Tries again, more and more seldom.
  private mutating func recover() {
    guard var outage else { return }
    outage.countdown -= 1
    self.outage = outage
    guard outage.countdown <= 0 else { return }
    if log != nil {
      self.outage = nil
      goOn(after: outage)
    } else {
      open(after: outage)
    }
  }
}

extension SessionContents {
  /// Adds an event to those that wait, or to those that are missing.
  mutating func write(_ event: LogEvent) {
    guard outage == nil, log != nil else {
      outage?.dropped += 1
      return
    }
    append(masker?.masked(event) ?? event)
  }

  private mutating func append(_ event: LogEvent) { log?.append(event) }

  /// Adds an event that changes the state from what it was.
  mutating func write(_ event: LogEvent, patch: JSON.Patch, from old: JSON) {
    guard var masker, outage == nil, log != nil else { return write(event) }
    var masked = masker.masked(patch)
    if var before = stateMasker, before.version != masker.version {
      // What was learned meanwhile may show in parts of the state that the patch does not touch.
      masked = JSON.Patch(from: before.masked(state: old), to: masker.masked(state: state.json))
    }
    append(masker.masked(event, patch: masked))
    self.masker = masker
    stateMasker = masker
  }

  /// Hands to the kernel what waits.
  mutating func flush() { flush(pause: nil, dropped: nil) }

  private mutating func flush(pause: Int?, dropped: Int?) {
    // The one reference, so that the pending text is changed in place.
    guard outage == nil, var log else { return }
    self.log = nil
    do {
      try log.flush()
      self.log = log
    } catch {
      // What could not be said about an earlier gap is no new loss.
      let lost = dropped ?? log.waiting
      log.drop()
      if (error as? LogWriteError)?.isLost != true { self.log = log }
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
      // The last chance for what is missing.
      if outage != nil {
        outage?.countdown = 0
        recover()
      }
      write(.end(LogEvent.End(seq: seq, reason: "closed")))
      flush()
      for mask in unmatchedMasks {
        Complaint.write(
          "the mask of \(mask) has matched nothing in the log of \(header.feature). Names are those of the log: see 'tca-replay show'."
        )
      }
    }
    isClosed = true
    log = nil
    state = StateTracker()
    alive = AliveEffects()
  }
}

/// What a recorder has to say.
enum Complaint {
  static func write(_ message: String) {
    var text = "tca-replay: \(message)\n"
    // Not through a file handle, which ends the process when standard error is closed.
    _ = text.withUTF8 { Foundation.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
