import ActionLog
import Synchronization
internal import TCACore

extension RecorderSession {
  /// Sees to it that the next action can be written: that there is a segment with room, and the state is as the log has it.
  func prepare(for state: some Any) {
    let (hasBegun, isDue) = contents.withLock { contents in
      (contents.hasBegun || contents.isClosed, contents.isCheckpointDue)
    }
    guard hasBegun else { return begin(with: state) }
    if isDue || !contents.withLock({ isRoot && $0.isReady }) { goOn(with: state, isDue) }
  }

  private func goOn(with state: some Any, _ isDue: Bool) {
    let patch = isPlain ? follow(state) : JSON.Patch()
    var written = contents.withLock { $0.state }
    let old = written.json
    let change = isPlain ? patch : written.update(state)
    let shared = change.isEmpty ? nil : SharedPlaces.json(of: state)
    let snapshot = isDue ? self.snapshot(of: state, json: JSON(logging: state)) : nil
    contents.withLock { contents in
      guard !contents.isClosed else { return }
      contents.state = written
      contents.goOn(change, shared: shared, from: old, snapshot)
    }
  }

  private func begin(with state: some Any) {
    var tracker = isPlain ? StateTracker(isOnlyWriter: isRoot) : nil
    let json = tracker?.begin(state)
    let written = isPlain ? WrittenState() : WrittenState(state)
    let snapshot = snapshot(of: state, json: json ?? written.json)
    contents.withLock { contents in
      contents.tracker = tracker.take()
      contents.state = written
      contents.begin(snapshot)
    }
  }

  /// What somebody else has changed in the state since the last action.
  private func follow<State>(_ state: State) -> JSON.Patch {
    var tracker: StateTracker?
    contents.withLock { tracker = $0.tracker.take() }
    var encoder = LogEncoder()
    encoder.beginArray()
    tracker?.write(state, into: &encoder)
    encoder.endArray()
    contents.withLock { $0.tracker = tracker.take() }
    // What this process has just written can be read.
    return (try? JSON.Patch(json: JSON(written: encoder))) ?? JSON.Patch()
  }

  private func snapshot(of state: some Any, json: JSON) -> SessionContents.Snapshot {
    let next = DependencyValues._current.stackElementIDs.peek().number
    return SessionContents.Snapshot(
      state: json,
      shared: SharedPlaces.json(of: state),
      nextStackElement: next > 0 ? next : nil
    )
  }
}
