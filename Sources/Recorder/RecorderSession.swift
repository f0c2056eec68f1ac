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
  let contents: Mutex<SessionContents>
  let filter: ActionFilter
  /// Whether the recorded reducer is the store's own, so that no one else changes the state.
  let isRoot: Bool
  /// Whether something must not leave the process, so that events are looked at before they are written.
  let isMasked: Bool

  /// One action on its way through the reducer.
  struct Step: Sendable {
    var seq = 0
    var origin = LogEvent.Origin.view
    var at = 0
    var isExcluded = false
  }

  init(
    feature: String,
    stateType: String,
    path: [NavigationID],
    isRoot: Bool,
    configuration: RecorderConfiguration
  ) {
    filter = configuration.actions
    self.isRoot = isRoot
    isMasked = !configuration.masks.isEmpty
    contents = Mutex(
      SessionContents(
        feature: feature,
        stateType: stateType,
        path: path,
        configuration: configuration
      )
    )
  }
}

// What is written is written by code of the app's, so it runs under no lock.
extension RecorderSession {
  /// Whether an action is written as it is, without a look at its value.
  var writesAtOnce: Bool { !isMasked && filter.isEmpty }

  /// Takes note of an action.
  ///
  /// - Returns: The lines before it; nil when something is to be done before it.
  func begin(_ stamp: ActionStamp, ifReady: Bool) -> SessionContents.Begun? {
    contents.withLock { contents in
      guard !ifReady || contents.isReady else { return nil }
      let step = contents.begin(stamp, isExcluded: false, in: self)
      return SessionContents.Begun(step: step, lines: contents.take())
    }
  }

  /// Hands out the tracked state and the lines before a change; nil when the store has gone.
  func beginChange() -> (tracker: StateTracker?, lines: [UInt8]?)? {
    contents.withLock { contents in
      contents.isClosed ? nil : (contents.tracker.take(), contents.take())
    }
  }

  /// Takes both back.
  func endChange(
    _ lines: consuming [UInt8],
    isWritten: Bool,
    _ tracker: consuming StateTracker?
  ) {
    var lines: [UInt8]? = consume lines
    var tracker = consume tracker
    contents.withLock { contents in
      contents.tracker = tracker.take()
      if isWritten, let lines = lines.take() { contents.restore(lines, flushing: false) }
    }
  }

  /// Describes an action's effects, and takes note of them.
  func describe<Action>(
    _ effect: Effect<Action>,
    of step: Step
  ) -> ([EffectDescription], Effect<Action>) {
    contents.withLock { $0.describe(effect, of: step, filter: filter, observer: self) }
  }

  /// Writes an action that is looked at before, and hands it to the kernel with all that waited.
  ///
  /// - Returns: The action's number and whether it is written.
  func willReduce(_ action: some Any, of stamp: ActionStamp, state: some Any) -> Step {
    let json = JSON(logging: action)
    let isExcluded = !filter.isEmpty && !filter.admits(json)
    prepare(for: state)
    return contents.withLock { contents in
      let step = contents.begin(stamp, isExcluded: isExcluded, in: self)
      guard !isExcluded else {
        contents.learn(json, in: .action)
        return step
      }
      contents.write(
        .action(LogEvent.Action(seq: step.seq, at: step.at, origin: step.origin, action: json))
      )
      contents.flush()
      return step
    }
  }

  /// Writes an answer and hands it to the kernel; of an excluded action's, only what is to be masked is kept in mind.
  func didRead(_ key: String, value: some Any, seq: Int, isExcluded: Bool) {
    guard isMasked else {
      guard !isExcluded, let lines = contents.withLock({ $0.take() }) else { return }
      var encoder = LogEncoder(appendingTo: lines)
      encoder.writeRead(seq: seq, key: key, value)
      return restore(encoder.take(), flushing: true)
    }
    let json = JSON(logging: value)
    contents.withLock { contents in
      guard !isExcluded else { return contents.learn(json, in: .read, key: key) }
      contents.write(.read(LogEvent.Read(seq: seq, key: key, value: json)))
      contents.flush()
    }
  }

  func restore(_ lines: consuming [UInt8], flushing: Bool) {
    var lines: [UInt8]? = consume lines
    contents.withLock { $0.restore(lines.take() ?? [], flushing: flushing) }
  }

  /// What sent an action.
  ///
  /// - Parameters:
  ///   - stamp: What the store knows of the action.
  ///   - last: The number of the action before it.
  /// - Returns: Its origin in the log.
  func origin(of stamp: ActionStamp, after last: Int) -> LogEvent.Origin {
    switch stamp.origin {
    case .view: .view
    // The store says which of its actions it was busy with; that is the last one here, or none of ours.
    case .reentrant: last > 0 ? .reentrant(seq: last) : .view
    case .effect(let tags, let via): id(in: tags).map { .effect($0, via: via) } ?? .parent
    }
  }

  private func id(in tags: [EffectTag]) -> EffectID? {
    tags.first { $0.observer === self }?.id
  }
}

extension RecorderSession: EffectObserver {
  func effect(_ id: EffectID, didChange event: EffectLifecycle) {
    // What an error says of itself is the app's code, and runs under no lock.
    var failure: JSON?
    if case .failed(let error) = event { failure = JSON(logging: error) }
    contents.withLock { contents in
      let event: LogEvent.Effect.Event =
        switch event {
        case .started: .started
        case .finished(let sent): .finished(sent: sent)
        case .failed: .failed(failure ?? .null)
        case .cancelled(let cause, let dropping):
          .cancelled(
            by: canceller(cause, at: contents.number, as: contents.seq),
            dropping: dropping
          )
        }
      let turn = LogEvent.Effect(id: id, event: event, at: contents.now)
      contents.alive.follow(turn)
      contents.write(.effect(turn))
    }
  }

  private func canceller(
    _ cause: CancelCause,
    at number: Int,
    as seq: Int
  ) -> LogEvent.Effect.Canceller {
    switch cause {
    // The root's recorder sees every action, so its numbers are the store's.
    case .action(let stamp):
      .action(seq: stamp.number == number ? seq : stamp.number)
    case .effect(let tags): id(in: tags).map { .effect($0) } ?? .task
    case .store: .store
    case .task, .other: .task
    }
  }
}

extension RecorderSession: StoreObserver {
  func storeDidFallIdle() { contents.withLock { $0.flush(isIdle: true) } }

  func storeDidClose() { contents.withLock { $0.close() } }
}

extension RecorderSession {
  func flush() { contents.withLock { $0.flush() } }

  func note(_ text: String) {
    contents.withLock { contents in
      contents.write(.note(LogEvent.Note(seq: contents.seq, at: contents.now, text: text)))
      contents.flush()
    }
  }

  /// One log of all segments that are held.
  func exported() throws -> [UInt8] {
    let segments = try contents.withLock { contents in
      contents.flush()
      return try contents.storage.read()
    }
    return LogSegments.joined(segments)
  }

  var problem: String? { contents.withLock { $0.outage?.reason } }

  var isClosed: Bool { contents.withLock { $0.isClosed } }

  var unmatchedMasks: [String] { contents.withLock { $0.unmatchedMasks } }
}
