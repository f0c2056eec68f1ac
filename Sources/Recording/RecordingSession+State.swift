import ActionLog
import Synchronization

extension RecordingSession {
  /// Sees to it that the next action can be written: that there is a segment with room, and the state is as the log has it.
  func prepare(for state: some Any) {
    let (hasBegun, isDue) = contents.withLock { contents in
      (contents.hasBegun || contents.isClosed, contents.isCheckpointDue)
    }
    guard hasBegun else { return begin(with: state) }
    if isDue || !contents.withLock({ isOnlyWriter && $0.isReady }) { goOn(with: state, isDue) }
  }

  private func goOn(with state: some Any, _ isDue: Bool) {
    let patch = follow { tracker, encoder in tracker.write(state, into: &encoder) }
    let masked = isMasked ? masked(patch, [], from: state, to: state).patch : patch
    let shared = patch.isEmpty ? nil : places(in: state)
    let snapshot = isDue ? self.snapshot(of: state, json: JSON(logging: state)) : nil
    contents.withLock { $0.goOn(masked, shared: shared, snapshot) }
  }

  private func begin(with state: some Any) {
    var tracker: StateTracker? = StateTracker(isOnlyWriter: isOnlyWriter, splices: !isMasked)
    let json = tracker?.begin(state) ?? .null
    let snapshot = snapshot(of: state, json: json)
    let environment = RecordingEnvironment.json(with: model.environment)
    let scope = model.scope
    contents.withLock { contents in
      contents.tracker = tracker.take()
      contents.begin(snapshot, environment: environment, scope: scope)
    }
  }

  /// What has changed in the state.
  ///
  /// - Parameter write: Has the tracker write the operations into the array that the encoder has opened.
  /// - Returns: The operations.
  func follow(_ write: (inout StateTracker, inout LogEncoder) -> Void) -> JSON.Patch {
    guard var tracker = contents.withLock({ $0.tracker.take() }) else { return JSON.Patch() }
    var encoder = LogEncoder()
    encoder.beginArray()
    write(&tracker, &encoder)
    encoder.endArray()
    contents.withLock { $0.tracker = tracker }
    // What this process has just written can be read.
    return encoder.count == 2
      ? JSON.Patch() : (try? JSON.Patch(json: JSON(written: encoder))) ?? JSON.Patch()
  }

  private func snapshot(of state: some Any, json: JSON) -> SessionContents.Snapshot {
    SessionContents.Snapshot(
      state: json,
      shared: model.sharedPlaces(in: state),
      nextStackElement: model.nextStackElement
    )
  }
}
