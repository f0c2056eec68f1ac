public import ActionLog

/// A recording session with cached information about its feature's types.
///
/// ```swift
/// let step = recording.willReduce(action, from: sender, state: state)
/// let old = state
/// let effects = reducer(&state, action)
/// recording.didReduce(step, from: old, to: state, effects: recording.session.start(effects, of: step), us: 12)
/// ```
///
/// Nearly all actions are recorded through this type. App code runs outside the lock.
public final class FeatureRecording<State, Action>: Sendable {
  /// The session that writes the log.
  public let session: RecordingSession
  private let actions = LogCoding<Action>()

  /// Creates the recording of a feature that a session records.
  ///
  /// The initializer takes the schema version from the type of the state.
  public init(_ session: RecordingSession) {
    self.session = session
    session.setStateType(State.self)
  }

  /// Writes an action and passes it to the kernel, together with all pending lines.
  ///
  /// - Returns: The step for `didReduce`, with the action's number and whether a filter excludes the action.
  public func willReduce(
    _ action: Action,
    from sender: ActionSender,
    state: State
  ) -> RecordingSession.Step {
    guard session.writesAtOnce else {
      return session.willReduce(action, from: sender, state: state)
    }
    var begun = startAction(sender, state: state)
    let step = begun.step
    // The array must have a single owner here. Otherwise, appending would copy it.
    guard let lines = begun.lines.take() else { return step }
    var encoder = LogEncoder(appendingTo: lines)
    OpaqueRendering.run(session.isRendering) {
      encoder.writeAction(
        seq: step.seq,
        at: step.at,
        origin: step.origin,
        action,
        by: actions.encode,
        shared: { session.model.sharedPlaces(of: action, in: state) }
      )
    }
    session.restoreLines((consume encoder).releaseBytes(), flushing: true)
    return step
  }

  private func startAction(_ sender: ActionSender, state: State) -> LogWriter.RegisteredAction {
    if session.ownsState, let begun = session.startAction(sender, ifReady: true) { return begun }
    session.prepare(for: state)
    return session.startAction(sender, ifReady: false)
      ?? LogWriter.RegisteredAction(step: RecordingSession.Step())
  }

  /// Writes the result of an action.
  ///
  /// - Parameters:
  ///   - step: The step that `willReduce` returned for the action.
  ///   - old: The state before the action. If other code may change the state, this parameter is ignored, and the new
  ///     state is compared with the last one in the log.
  ///   - new: The state after the action.
  ///   - effects: The result of `start(_:of:)`, or an empty array for an action without effects.
  ///   - us: The duration of the reducer in microseconds.
  public func didReduce(
    _ step: RecordingSession.Step,
    from old: State,
    to new: State,
    effects: [EffectDescription],
    us: Int
  ) {
    guard !session.isMasked else {
      return didReduceMasked(step, from: old, to: new, effects: effects, us: us)
    }
    guard var held = session.beginChange() else { return }
    let isWritten = held.lines != nil
    // State tracking continues while the log can't be written.
    var encoder = LogEncoder(appendingTo: held.lines.take() ?? [])
    if step.isExcluded {
      encoder.beginExcluded(seq: step.seq, at: step.at, origin: step.origin)
    } else {
      encoder.beginChange(seq: step.seq)
    }
    let start = encoder.count
    OpaqueRendering.run(session.isRendering) {
      held.tracker?.write(from: old, to: new, into: &encoder)
    }
    let hasChanged = encoder.count > start
    if step.isExcluded {
      let mayShare = hasChanged && held.tracker?.isPlain != true
      let shared = mayShare ? session.model.sharedPlaces(in: new) : nil
      encoder.endExcluded(effects: effects, shared: shared)
    } else {
      encoder.endChange(effects: effects, us: us)
    }
    session.endChange((consume encoder).releaseBytes(), isWritten: isWritten, held.tracker.take())
  }

  /// Writes the result of an action in a session with masks.
  private func didReduceMasked(
    _ step: RecordingSession.Step,
    from old: State,
    to new: State,
    effects: [EffectDescription],
    us: Int
  ) {
    guard !session.isClosed else { return }
    let patch = session.track { $0.patch(from: old, to: new) }
    let masked = session.masked(patch, effects, from: old, to: new)
    let shared = !step.isExcluded || patch.isEmpty ? nil : session.places(in: new)
    session.endMasked(effects, new) { effects in
      guard step.isExcluded else {
        return .change(LogEvent.Change(seq: step.seq, patch: masked, effects: effects, us: us))
      }
      return .excluded(
        LogEvent.Excluded(
          seq: step.seq,
          at: step.at,
          origin: step.origin,
          patch: masked,
          effects: effects,
          shared: shared
        )
      )
    }
  }
}
