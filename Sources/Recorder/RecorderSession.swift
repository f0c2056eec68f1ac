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
  /// Whether events are written as they are: with masks and filters they are looked at first.
  let isPlain: Bool

  /// One action on its way through the reducer.
  struct Step: Sendable {
    var seq = 0
    var origin = LogEvent.Origin.view
    var at = 0
    let isExcluded: Bool
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
    isPlain = configuration.actions.isEmpty && configuration.masks.isEmpty
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
  /// Writes an action and hands it to the kernel, with all that waited.
  ///
  /// - Returns: The action's number and whether it is written.
  func willReduce(_ action: some Any, of stamp: ActionStamp, state: some Any) -> Step {
    let json = isPlain ? nil : JSON(logging: action)
    let isExcluded = json.map { !filter.isEmpty && !filter.admits($0) } ?? false
    prepare(for: state)
    var step = Step(isExcluded: isExcluded)
    let lines: [UInt8]? = contents.withLock { contents in
      contents.seq += 1
      contents.number = stamp.number
      step.seq = contents.seq
      step.origin = origin(of: stamp, in: contents)
      step.at = contents.now
      if case .effect(let id, nil) = step.origin { contents.alive.arrive(id) }
      guard let json else { return contents.take() }
      if !isExcluded {
        contents.write(
          .action(LogEvent.Action(seq: step.seq, at: step.at, origin: step.origin, action: json))
        )
        contents.flush()
      }
      return nil
    }
    guard let lines else { return step }
    var encoder = LogEncoder(appendingTo: lines)
    encoder.writeAction(seq: step.seq, at: step.at, origin: step.origin, action)
    restore(encoder.take(), flushing: true)
    return step
  }

  /// Writes an answer and hands it to the kernel.
  func didRead(_ key: String, value: some Any, seq: Int) {
    guard isPlain else {
      let read = LogEvent.Read(seq: seq, key: key, value: JSON(logging: value))
      return contents.withLock { contents in
        contents.write(.read(read))
        contents.flush()
      }
    }
    guard let lines = contents.withLock({ $0.take() }) else { return }
    var encoder = LogEncoder(appendingTo: lines)
    encoder.writeRead(seq: seq, key: key, value)
    restore(encoder.take(), flushing: true)
  }

  /// Whether `didReduce` asks for the state before the action.
  var needsOldState: Bool { isRoot && isPlain }

  /// Notes what a reducer made of an action.
  ///
  /// - Returns: The reducer's effect, watched by this session.
  func didReduce<State, Action>(
    _ step: Step,
    from old: State?,
    to new: State,
    effect: Effect<Action>,
    duration: Duration
  ) -> Effect<Action> {
    guard isPlain else { return didReduce(step, to: new, effect: effect, duration: duration) }
    var tracker: StateTracker?
    let (lines, isClosed): ([UInt8]?, Bool) = contents.withLock { contents in
      tracker = contents.tracker.take()
      return (contents.take(), contents.isClosed)
    }
    guard !isClosed else { return effect }
    // Where nothing can be written, the state is followed all the same.
    var encoder = LogEncoder(appendingTo: lines ?? [])
    encoder.beginChange(seq: step.seq)
    tracker?.write(from: old, to: new, into: &encoder)
    var effect = effect
    var descriptions: [EffectDescription] = []
    contents.withLock { contents in
      contents.tracker = tracker.take()
      guard !effect.isNone else { return }
      (descriptions, effect) = contents.describe(effect, of: step, filter: filter, observer: self)
    }
    encoder.endChange(effects: descriptions, us: duration.microseconds)
    if lines != nil { restore(encoder.take(), flushing: false) }
    return effect
  }

  /// The same, with the change as a value.
  private func didReduce<Action>(
    _ step: Step,
    to new: some Any,
    effect: Effect<Action>,
    duration: Duration
  ) -> Effect<Action> {
    var state = contents.withLock { $0.state }
    let old = state.json
    let patch = state.update(new)
    return contents.withLock { contents in
      guard !contents.isClosed else { return effect }
      contents.state = state
      let (descriptions, watched) = contents.describe(
        effect,
        of: step,
        filter: filter,
        observer: self
      )
      let event: LogEvent =
        step.isExcluded
        ? .excluded(
          LogEvent.Excluded(
            seq: step.seq,
            at: step.at,
            origin: step.origin,
            patch: patch,
            effects: descriptions
          )
        )
        : .change(
          LogEvent.Change(
            seq: step.seq,
            patch: patch,
            effects: descriptions,
            us: duration.microseconds
          )
        )
      contents.write(event, patch: patch, from: old)
      return watched
    }
  }

  private func restore(_ lines: consuming [UInt8], flushing: Bool) {
    var lines: [UInt8]? = lines
    contents.withLock { $0.restore(lines.take() ?? [], flushing: flushing) }
  }

  private func origin(of stamp: ActionStamp, in contents: SessionContents) -> LogEvent.Origin {
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
          .cancelled(by: canceller(cause, in: contents), dropping: dropping)
        }
      let turn = LogEvent.Effect(id: id, event: event, at: contents.now)
      contents.alive.follow(turn)
      contents.write(.effect(turn))
    }
  }

  private func canceller(
    _ cause: CancelCause,
    in contents: SessionContents
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
  func storeDidFallIdle() { flush() }

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

extension Duration {
  /// Whole microseconds.
  var microseconds: Int {
    let (seconds, attoseconds) = components
    return Int(seconds) * 1_000_000 + Int(attoseconds / 1_000_000_000_000)
  }
}
