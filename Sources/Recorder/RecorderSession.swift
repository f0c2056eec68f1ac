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
  private let contents = Mutex(Contents())

  struct Contents: Sendable {
    var log: Log?
    /// Why nothing is written any more.
    var failure: String?
    var describer = EffectDescriber()
    /// The state as it was last written, as text and as a value.
    var text: [UInt8] = []
    var state: JSON = .null
    /// The store's number of the action that is being handled, and ours.
    var number = 0
    var seq = 0
  }

  init(feature: String, stateType: String, destination: LogDestination) {
    self.feature = feature
    self.stateType = stateType
    self.destination = destination
  }
}

extension RecorderSession {
  /// Writes an action and hands it to the kernel, with all that waited.
  ///
  /// - Returns: The action's sequence number.
  func willReduce(_ action: some Any, of stamp: ActionStamp, state: some Any) -> Int {
    var text = LogEncoder()
    text.value(action)
    return contents.withLock { contents in
      if contents.log == nil, contents.failure == nil { begin(&contents, state: state) }
      contents.seq += 1
      contents.number = stamp.number
      let (seq, origin) = (contents.seq, origin(of: stamp, in: contents))
      contents.write { log in
        log.append(
          .action(
            LogEvent.Action(seq: seq, at: log.now, origin: origin, action: JSON(written: text))
          )
        )
        try log.flush()
      }
      return seq
    }
  }

  /// Writes an answer and hands it to the kernel.
  func didRead(_ key: String, value: some Any, seq: Int) {
    let json = JSON(logging: value)
    contents.withLock { contents in
      contents.write { log in
        log.append(.read(LogEvent.Read(seq: seq, key: key, value: json)))
        try log.flush()
      }
    }
  }

  /// Notes what a reducer made of an action.
  ///
  /// - Returns: The reducer's effect, watched by this session.
  func didReduce<Action>(
    _ seq: Int,
    state: some Any,
    effect: Effect<Action>,
    duration: Duration
  ) -> Effect<Action> {
    var text = LogEncoder()
    text.value(state)
    return contents.withLock { contents in
      guard contents.log != nil else { return effect }
      var patch = JSON.Patch()
      if text.bytes != contents.text {
        let state = JSON(written: text)
        patch = JSON.Patch(from: contents.state, to: state)
        contents.state = state
        contents.text = text.bytes
      }
      let (descriptions, watched) = contents.describer.describe(effect, seq: seq, observer: self)
      contents.write { log in
        log.append(
          .change(
            LogEvent.Change(
              seq: seq,
              patch: patch,
              effects: descriptions,
              us: duration.microseconds
            )
          )
        )
      }
      return watched
    }
  }

  private func begin(_ contents: inout Contents, state: some Any) {
    var text = LogEncoder()
    text.value(state)
    contents.text = text.bytes
    contents.state = JSON(written: text)
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
      log.append(.checkpoint(LogEvent.Checkpoint(seq: 0, state: contents.state, shared: shared)))
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
