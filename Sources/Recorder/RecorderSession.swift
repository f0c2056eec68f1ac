import ActionLog
import Foundation
import Synchronization
internal import TCACore

/// The recording of one feature in one store.
///
/// What is written is whole lines. A change waits for the next action, so that one call of the system writes both, or
/// for the store to fall idle. An action is in the kernel's hands before its reducer runs, a read before its value is
/// returned: what a crash leaves behind ends with what was being done.
final class RecorderSession: Sendable {
  private let feature: String
  private let stateType: String
  private let destination: LogDestination
  /// Whether the recorded reducer is the store's own, so that no one else changes the state.
  private let isRoot: Bool
  private let contents = Mutex(Contents())

  struct Contents: Sendable {
    var log: Log?
    /// Why nothing is written any more.
    var failure: String?
    var describer = EffectDescriber(writesText: true)
    var tracker: StateTracker?
    /// The store's number of the action that is being handled, and ours.
    var number = 0
    var seq = 0
  }

  init(feature: String, stateType: String, destination: LogDestination, isRoot: Bool) {
    self.feature = feature
    self.stateType = stateType
    self.destination = destination
    self.isRoot = isRoot
  }
}

extension RecorderSession {
  /// Writes an action and hands it to the kernel, with all that waited.
  ///
  /// - Returns: The action's sequence number.
  func willReduce(_ action: some Any, of stamp: ActionStamp, state: some Any) -> Int {
    var (seq, at, origin) = (0, 0, LogEvent.Origin.view)
    let lines: [UInt8]? = contents.withLock { contents in
      if contents.log == nil, contents.failure == nil { begin(&contents, state: state) }
      contents.seq += 1
      contents.number = stamp.number
      seq = contents.seq
      origin = self.origin(of: stamp, in: contents)
      at = contents.log?.now ?? 0
      return contents.log?.take()
    }
    guard let lines else { return seq }
    // Not under the lock, for what is written is written by code of the app's.
    var encoder = LogEncoder(appendingTo: lines)
    encoder.writeAction(seq: seq, at: at, origin: origin, action)
    write(encoder.take(), flushing: true)
    return seq
  }

  /// Writes an answer and hands it to the kernel.
  func didRead(_ key: String, value: some Any, seq: Int) {
    guard let lines = contents.withLock({ $0.log?.take() }) else { return }
    var encoder = LogEncoder(appendingTo: lines)
    encoder.writeRead(seq: seq, key: key, value)
    write(encoder.take(), flushing: true)
  }

  /// Whether `didReduce` asks for the state before the action.
  var needsOldState: Bool { isRoot }

  /// Notes what a reducer made of an action.
  ///
  /// - Returns: The reducer's effect, watched by this session.
  func didReduce<State, Action>(
    _ seq: Int,
    from old: State?,
    to new: State,
    effect: Effect<Action>,
    duration: Duration
  ) -> Effect<Action> {
    var tracker: StateTracker?
    let lines: [UInt8]? = contents.withLock { contents in
      guard let lines = contents.log?.take() else { return nil }
      tracker = contents.tracker.take()
      return lines
    }
    guard let lines else { return effect }
    var encoder = LogEncoder(appendingTo: lines)
    encoder.beginChange(seq: seq)
    tracker?.write(from: old, to: new, into: &encoder)
    var effect = effect
    var descriptions: [EffectDescription] = []
    contents.withLock { contents in
      contents.tracker = tracker.take()
      guard !effect.isNone else { return }
      (descriptions, effect) = contents.describer.describe(effect, seq: seq, observer: self)
    }
    encoder.endChange(effects: descriptions, us: duration.microseconds)
    write(encoder.take(), flushing: false)
    return effect
  }

  private func write(_ lines: consuming [UInt8], flushing: Bool) {
    var lines: [UInt8]? = lines
    contents.withLock { contents in
      contents.write { log in
        log.restore(lines.take() ?? [])
        if flushing { try log.flush() }
      }
    }
  }

  private func begin(_ contents: inout Contents, state: some Any) {
    var tracker = StateTracker(isOnlyWriter: isRoot)
    let json = tracker.begin(state)
    contents.tracker = tracker
    do {
      var log = Log(sink: try destination.open())
      log.append(
        .header(
          LogEvent.Header(
            id: UUID().uuidString,
            feature: feature,
            stateType: stateType,
            startedAt: Date().formatted(.iso8601),
            recorder: Version.current,
            environment: Surroundings.json
          )
        )
      )
      let shared = SharedPlaces.json(of: state)
      log.append(.checkpoint(LogEvent.Checkpoint(seq: 0, state: json, shared: shared)))
      contents.log = log
    } catch {
      contents.fail(error)
    }
  }

  private func origin(of stamp: ActionStamp, in contents: Contents) -> LogEvent.Origin {
    switch stamp.origin {
    case .view: .view
    // The store says which of its actions it was busy with; that is the last one here, or none of ours.
    case .reentrant: contents.seq > 1 ? .reentrant(seq: contents.seq - 1) : .view
    case .effect(let tags, let via): id(in: tags).map { .effect($0, via: via) } ?? .parent
    }
  }

  private func id(in tags: [EffectTag]) -> EffectID? {
    tags.first { $0.observer === self }?.id
  }
}

extension RecorderSession: EffectObserver {
  func effect(_ id: EffectID, didChange event: EffectLifecycle) {
    contents.withLock { contents in
      let event: LogEvent.Effect.Event =
        switch event {
        case .started: .started
        case .finished(let sent): .finished(sent: sent)
        case .failed(let error): .failed(JSON(logging: error))
        case .cancelled(let cause, let dropping):
          .cancelled(by: canceller(cause, in: contents), dropping: dropping)
        }
      contents.write { log in
        log.append(.effect(LogEvent.Effect(id: id, event: event, at: log.now)))
      }
    }
  }

  private func canceller(
    _ cause: CancelCause,
    in contents: Contents
  ) -> LogEvent.Effect.Canceller {
    switch cause {
    // The root's recorder sees every action, so its numbers are the store's.
    case .action(let stamp):
      .action(seq: stamp.number == contents.number ? contents.seq : stamp.number)
    case .effect(let tags): id(in: tags).map { .effect($0) } ?? .task
    case .store: .store
    case .task, .other: .task
    }
  }
}

extension RecorderSession: StoreObserver {
  func storeDidFallIdle() {
    contents.withLock { $0.write { try $0.flush() } }
  }

  func storeDidClose() {
    contents.withLock { contents in
      let seq = contents.seq
      contents.write { log in
        log.append(.end(LogEvent.End(seq: seq, reason: "closed")))
        try log.flush()
      }
      contents.log = nil
      contents.failure = contents.failure ?? "the store went away"
    }
  }
}

extension RecorderSession.Contents {
  /// Adds to the log, and gives it up when it can't be written: what is there stays as it is.
  mutating func write(_ body: (inout Log) throws -> Void) {
    guard var log else { return }
    // The one reference, so that the pending text is changed in place.
    self.log = nil
    do {
      try body(&log)
      self.log = log
    } catch {
      fail(error)
    }
  }

  /// Says once that the recording ends here.
  mutating func fail(_ error: any Error) {
    log = nil
    guard failure == nil else { return }
    failure = "\(error)"
    let message = "tca-replay: \(error). The recording ends here, the app runs on.\n"
    // Not through a file handle, which ends the process when standard error is closed.
    var text = message
    _ = text.withUTF8 { Foundation.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}

extension Duration {
  /// Whole microseconds.
  var microseconds: Int {
    let (seconds, attoseconds) = components
    return Int(seconds) * 1_000_000 + Int(attoseconds / 1_000_000_000_000)
  }
}
