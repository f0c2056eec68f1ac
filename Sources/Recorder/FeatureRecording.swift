import ActionLog
internal import TCACore

/// A session and what was found out once of its feature's types.
///
/// This is the way of nearly all actions. Between two locks stands nothing but what writes the app's own values.
final class FeatureRecording<State, Action>: Sendable {
  let session: RecorderSession
  private let states = LogCoding<State>()
  private let actions = LogCoding<Action>()

  init(_ session: RecorderSession) { self.session = session }

  /// Writes an action and hands it to the kernel, with all that waited.
  ///
  /// - Returns: The action's number and whether it is written.
  func willReduce(_ action: Action, of stamp: ActionStamp, state: State) -> RecorderSession.Step {
    guard session.isPlain else { return session.willReduce(action, of: stamp, state: state) }
    var begun = begin(stamp, state: state)
    let step = begun.step
    // Nobody else holds the lines, so that the text grows where it is.
    guard let lines = begun.lines.take() else { return step }
    var encoder = LogEncoder(appendingTo: lines)
    encoder.writeAction(seq: step.seq, at: step.at, origin: step.origin, action, by: actions.encode)
    session.restore((consume encoder).take(), flushing: true)
    return step
  }

  private func begin(_ stamp: ActionStamp, state: State) -> SessionContents.Begun {
    if session.isRoot, let begun = session.begin(stamp, ifReady: true) { return begun }
    session.prepare(for: state)
    return session.begin(stamp, ifReady: false)
      ?? SessionContents.Begun(step: RecorderSession.Step())
  }

  /// Notes what a reducer made of an action.
  ///
  /// - Returns: The reducer's effect, watched by the session.
  func didReduce(
    _ step: RecorderSession.Step,
    from old: State,
    to new: State,
    effect: Effect<Action>,
    us: Int
  ) -> Effect<Action> {
    guard var held = session.beginChange() else { return effect }
    let isWritten = held.lines != nil
    // Where nothing can be written, the state is followed all the same.
    var encoder = LogEncoder(appendingTo: held.lines.take() ?? [])
    encoder.beginChange(seq: step.seq)
    held.tracker?.write(from: old, to: new, by: states.compare, into: &encoder)
    guard !effect.isNone else {
      encoder.endChange(effects: [], us: us)
      session.endChange((consume encoder).take(), isWritten: isWritten, held.tracker.take())
      return effect
    }
    let (descriptions, watched) = session.describe(effect, of: step)
    encoder.endChange(effects: descriptions, us: us)
    session.endChange((consume encoder).take(), isWritten: isWritten, held.tracker.take())
    return watched
  }
}
