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
  private let filter: ActionFilter

  /// One action on its way through the reducer.
  struct Step: Sendable {
    let seq: Int
    let origin: LogEvent.Origin
    let at: Int
    let isExcluded: Bool
  }

  init(
    feature: String,
    stateType: String,
    path: [NavigationID],
    configuration: RecorderConfiguration
  ) {
    filter = configuration.actions
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

extension RecorderSession {
  /// Writes an action and hands it to the kernel, with all that waited.
  ///
  /// - Returns: The action's number and whether it is written.
  func willReduce(_ action: some Any, of stamp: ActionStamp, state: some Any) -> Step {
    let json = JSON(logging: action)
    let isExcluded = !filter.isEmpty && !filter.admits(json)
    let nextStackElement = DependencyValues._current.stackElementIDs.peek().number
    return contents.withLock { contents in
      contents.prepare(for: state, nextStackElement: nextStackElement)
      contents.seq += 1
      contents.number = stamp.number
      let step = Step(
        seq: contents.seq,
        origin: origin(of: stamp, in: contents),
        at: contents.now,
        isExcluded: isExcluded
      )
      if case .effect(let id, nil) = step.origin { contents.alive.arrive(id) }
      if !isExcluded {
        contents.write(
          .action(LogEvent.Action(seq: step.seq, at: step.at, origin: step.origin, action: json))
        )
        contents.flush()
      }
      return step
    }
  }

  /// Writes an answer and hands it to the kernel.
  func didRead(_ key: String, value: some Any, seq: Int) {
    let json = JSON(logging: value)
    contents.withLock { contents in
      contents.write(.read(LogEvent.Read(seq: seq, key: key, value: json)))
      contents.flush()
    }
  }

  /// Notes what a reducer made of an action.
  ///
  /// - Returns: The reducer's effect, watched by this session.
  func didReduce<Action>(
    _ step: Step,
    state: some Any,
    effect: Effect<Action>,
    duration: Duration
  ) -> Effect<Action> {
    contents.withLock { contents in
      guard !contents.isClosed else { return effect }
      let old = contents.state.json
      let patch = contents.state.update(state)
      var (descriptions, watched) = contents.describer.describe(
        effect,
        seq: step.seq,
        observer: self
      )
      if !filter.isEmpty { descriptions = descriptions.map(withoutExcluded) }
      contents.alive.start(descriptions, of: step.seq)
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

  /// The description of an effect without the actions that the log is to leave out.
  private func withoutExcluded(_ effect: EffectDescription) -> EffectDescription {
    var effect = effect
    if let action = effect.action, !filter.admits(action) { effect.action = nil }
    effect.effects = effect.effects.map(withoutExcluded)
    return effect
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
