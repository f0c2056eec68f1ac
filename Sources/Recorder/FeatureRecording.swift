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
    guard session.writesAtOnce else { return session.willReduce(action, of: stamp, state: state) }
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
  /// - Parameters:
  ///   - step: The action.
  ///   - old: The state before it. Not looked at where others may have changed it: all of the state is compared with what
  ///     was written of it then.
  ///   - new: The state behind it.
  ///   - effect: What the reducer returned.
  ///   - us: How many microseconds it took.
  /// - Returns: The reducer's effect, watched by the session.
  func didReduce(
    _ step: RecorderSession.Step,
    from old: State,
    to new: State,
    effect: Effect<Action>,
    us: Int
  ) -> Effect<Action> {
    guard !session.isMasked else {
      return didReduceMasked(step, from: old, to: new, effect: effect, us: us)
    }
    guard var held = session.beginChange() else { return effect }
    let isWritten = held.lines != nil
    // Where nothing can be written, the state is followed all the same.
    var encoder = LogEncoder(appendingTo: held.lines.take() ?? [])
    if step.isExcluded {
      encoder.beginExcluded(seq: step.seq, at: step.at, origin: step.origin)
    } else {
      encoder.beginChange(seq: step.seq)
    }
    let start = encoder.count
    if session.isRoot {
      held.tracker?.write(from: old, to: new, by: states.compare, into: &encoder)
    } else {
      held.tracker?.write(new, into: &encoder)
    }
    let hasChanged = encoder.count > start
    let (descriptions, watched) = effect.isNone ? ([], effect) : session.describe(effect, of: step)
    if step.isExcluded {
      let mayShare = hasChanged && held.tracker?.isPlain != true
      let shared = mayShare ? SharedPlaces.json(of: new) : nil
      encoder.endExcluded(effects: descriptions, shared: shared)
    } else {
      encoder.endChange(effects: descriptions, us: us)
    }
    session.endChange((consume encoder).take(), isWritten: isWritten, held.tracker.take())
    return watched
  }

  /// The same, with masks for what must not leave the process.
  private func didReduceMasked(
    _ step: RecorderSession.Step,
    from old: State,
    to new: State,
    effect: Effect<Action>,
    us: Int
  ) -> Effect<Action> {
    guard !session.isClosed else { return effect }
    let patch = session.follow { tracker, encoder in
      if session.isRoot {
        tracker.write(from: old, to: new, by: states.compare, into: &encoder)
      } else {
        tracker.write(new, into: &encoder)
      }
    }
    let (descriptions, watched) = effect.isNone ? ([], effect) : session.describe(effect, of: step)
    let masked = session.masked(patch, descriptions, from: old, to: new)
    guard step.isExcluded else {
      let change = LogEvent.Change(
        seq: step.seq,
        patch: masked.patch,
        effects: masked.effects,
        us: us
      )
      session.writeMasked(.change(change))
      return watched
    }
    let excluded = LogEvent.Excluded(
      seq: step.seq,
      at: step.at,
      origin: step.origin,
      patch: masked.patch,
      effects: masked.effects,
      shared: patch.isEmpty ? nil : session.places(in: new)
    )
    session.writeMasked(.excluded(excluded))
    return watched
  }
}
