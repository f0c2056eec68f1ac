import ActionLog
import ActionRecording
import Foundation
import Synchronization
internal import TCACore

/// A recording of a feature in one store, which translates the store's callbacks for a session.
final class StoreRecording<State, Action>: Sendable {
  private let recording: FeatureRecording<State, Action>
  private let model: CoreRecordedModel
  /// The effects of an earlier log that were running when the store resumed, or `nil` if it did not resume.
  private let resumed = Mutex<ResumedEffects?>(nil)

  var session: RecordingSession { recording.session }

  /// Creates a recording, which begins with the first action.
  ///
  /// - Parameters:
  ///   - name: The feature's name in the log.
  ///   - path: The path from the root feature to the recorded one.
  ///   - isRoot: Whether the recorded reducer is the store's root reducer, and therefore the only writer of the state.
  ///   - configuration: The destination, masks, and filters.
  init(
    _ name: String,
    at path: [NavigationID],
    isRoot: Bool,
    configuration: RecorderConfiguration
  ) {
    let masks = configuration.masks
    model = CoreRecordedModel(
      path: path,
      marking: masks.isEmpty ? nil : MaskerMarkings(masks, of: State.self)
    )
    recording = FeatureRecording(
      RecordingSession(
        feature: name,
        stateType: LogTypeName.of(State.self),
        ownsState: isRoot,
        model: model,
        configuration: configuration
      )
    )
  }

  func willReduce(_ action: Action, of stamp: ActionStamp, state: State) -> RecordingSession.Step {
    recording.willReduce(action, from: sender(of: stamp), state: state)
  }

  /// Writes the result of an action, including the effects that it started.
  ///
  /// - Returns: The reducer's effect with tagged leaves.
  func didReduce(
    _ step: RecordingSession.Step,
    from old: State,
    to new: State,
    effect: Effect<Action>,
    us: Int
  ) -> Effect<Action> {
    guard !effect.isNone else {
      recording.didReduce(step, from: old, to: new, effects: [], us: us)
      return effect
    }
    let (effects, watched) = OpaqueRendering.run(session.isRendering) {
      model.describer.describe(effect, seq: step.seq, observer: self)
    }
    let written = session.start(effects, of: step)
    recording.didReduce(step, from: old, to: new, effects: written, us: us)
    return watched
  }

  private func sender(of stamp: ActionStamp) -> ActionSender {
    let origin: ActionSender.Origin =
      switch stamp.origin {
      case .view: .view
      case .reentrant: .reentrant
      case .effect(let tags, let via): id(in: tags).map { .effect($0, via: via) } ?? .parent
      }
    return ActionSender(origin, number: stamp.number)
  }

  private func id(in tags: [EffectObserverTag]) -> EffectID? {
    guard !tags.isEmpty else { return nil }
    let resumed = resumed.withLock { $0 }
    return tags.first { $0.observer === self || $0.observer === resumed }?.id
  }

  /// Continues the log from which the store resumes, if the state types match.
  func resume(_ resumption: StoreResumption) {
    guard resumption.stateType == LogTypeName.of(State.self) else { return }
    resumed.withLock { $0 = resumption.effects }
    session.resume(at: resumption.place, with: resumption.effects.hand(to: self))
  }
}

extension StoreRecording: EffectObserver {
  func effect(_ id: EffectID, didChange event: EffectLifecycleEvent) {
    switch event {
    case .started: session.effect(id, did: .started)
    case .finished(let sent): session.effect(id, did: .finished(sent: sent))
    case .failed(let error): session.effect(id, did: .failed(error))
    case .cancelled(let cause, let dropping):
      session.effect(id, did: .cancelled(by: canceller(cause), dropping: dropping))
    }
  }

  var calls: (any DependencyCallObserver)? { session.recordsCalls ? self : nil }

  private func canceller(_ cause: CancelCause) -> EffectEvent.Canceller {
    switch cause {
    case .action(let stamp): .action(number: stamp.number)
    case .effect(let tags): id(in: tags).map { .effect($0) } ?? .task
    case .store: .store
    case .task, .other: .task
    }
  }
}

extension StoreRecording: DependencyCallObserver {
  func effect(_ id: EffectID, willCall endpoint: String, with arguments: [Any]) -> Int? {
    session.effect(id, willCall: endpoint, with: arguments)
  }

  func call(_ number: Int, didReturn value: Any, wasCancelled: Bool) {
    session.call(number, didReturn: value, wasCancelled: wasCancelled)
  }

  func call(_ number: Int, didThrow error: any Error, wasCancelled: Bool) {
    session.call(number, didThrow: error, wasCancelled: wasCancelled)
  }
}

extension StoreRecording: StoreObserver {
  func storeDidFallIdle() { session.storeDidFallIdle() }
  func storeDidClose() { session.storeDidClose() }
}

/// A model that supplies the information about `TCACore` that a recording session needs.
final class CoreRecordedModel: RecordedModel {
  let describer: EffectDescriber
  private let path: [NavigationID]

  init(path: [NavigationID], marking marks: MaskerMarkings?) {
    self.path = path
    describer = EffectDescriber(marking: marks)
  }

  var environment: JSON.Object {
    // The `live` context avoids test failures for dependencies that the test doesn't override.
    var values = DependencyValues._current
    let context = values.context
    values.context = .live
    return [
      "locale": .string(values.locale.identifier),
      "timeZone": .string(values.timeZone.identifier),
      "calendar": .string("\(values.calendar.identifier)"),
      "context": .string("\(context)"),
    ]
  }

  var scope: [JSON] { describer.describe(path) }

  var nextStackElement: Int? {
    let next = DependencyValues._current.stackElementIDs.peek().number
    return next > 0 ? next : nil
  }

  func sharedPlaces<State>(in state: State) -> JSON? { SharedValuePaths.json(of: state) }

  func sharedPlaces<Action, State>(of action: Action, in state: State) -> JSON? {
    SharedValuePaths.json(of: action, in: state)
  }
}
