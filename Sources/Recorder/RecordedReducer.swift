import ActionLog
import ActionRecording
internal import TCACore

/// A reducer that records another reducer, identified by the source location of the call to `recorded`.
///
/// The session is stored in the store, because `body` creates a new reducer for each action.
struct RecordedReducer<Base: Reducer>: Reducer {
  let base: Base
  let feature: String
  let configuration: RecorderConfiguration
  let recorder: Recorder?
  let place: StoreAttachmentKey

  func reduce(into state: inout Base.State, action: Base.Action) -> Effect<Base.Action> {
    let dependencies = DependencyValues._current
    guard let context = dependencies.storeContext, let stamp = context.current else {
      return base._reduce(into: &state, action: action)
    }
    let recording = recording(in: context, at: dependencies.navigationPath)
    let step = recording.willReduce(action, of: stamp, state: state)
    guard recording.session.ownsState else {
      let (effect, time) = perform(step, in: recording.session, &state, action)
      return recording.didReduce(step, from: state, to: state, effect: effect, us: time)
    }
    let old = state
    let (effect, time) = perform(step, in: recording.session, &state, action)
    return recording.didReduce(step, from: old, to: state, effect: effect, us: time)
  }

  /// Runs the recorded reducer, and records the values that it reads.
  ///
  /// - Returns: The reducer's effect, and its duration in microseconds.
  private func perform(
    _ step: RecordingSession.Step,
    in session: RecordingSession,
    _ state: inout Base.State,
    _ action: Base.Action
  ) -> (Effect<Base.Action>, us: Int) {
    let reads = ReadRecorder(session: session, seq: step.seq, isExcluded: step.isExcluded)
    let scope = ReducerReadScope(interceptor: reads, parent: ReducerReadScope.current)
    let start = Uptime.nanoseconds
    let effect = ReducerReadScope.$current.withValue(scope) {
      base._reduce(into: &state, action: action)
    }
    let time = Uptime.nanoseconds &- start
    scope.close()
    return (effect, Int(time / 1000))
  }

  private func recording(
    in context: StoreContext,
    at path: [NavigationID],
    isRoot: Bool? = nil
  ) -> StoreRecording<Base.State, Base.Action> {
    let key = StoreAttachmentKey(
      fileID: place.fileID,
      line: place.line,
      column: place.column,
      path: path
    )
    var isNew = false
    let recording = context.attachment(for: key) {
      isNew = true
      return StoreRecording<Base.State, Base.Action>(
        feature,
        at: path,
        isRoot: isRoot ?? (path.isEmpty && context.isRoot(Self.self)),
        configuration: configuration
      )
    }
    if isNew {
      // A recording that belongs to a child feature, or that missed the first action, doesn't continue the earlier log.
      let isFirst = isRoot == true || context.isFirst(context.current)
      if path.isEmpty, isFirst, let resumption = context.resumption {
        recording.resume(resumption)
      }
      context.observe(recording)
      recorder?.add(recording.session)
    }
    return recording
  }
}

/// A reducer whose recording can begin before the first action.
private protocol RecordingStarter<State> {
  associatedtype State

  func startRecording(with state: State, in context: StoreContext)
}

extension RecordedReducer: RecordingStarter {
  func startRecording(with state: Base.State, in context: StoreContext) {
    recording(in: context, at: [], isRoot: true).session.start(with: state)
  }
}

extension Reducer {
  /// Begins the log of a recorded reducer before the first action of its store.
  ///
  /// Call this with the dependencies of the store bound, on the store's root reducer. If that reducer is not the result
  /// of `recorded(as:to:)`, this does nothing.
  ///
  /// - Parameter state: The state of the store.
  package func startRecording(with state: State) {
    guard let context = DependencyValues._current.storeContext,
      let starter = self as? any RecordingStarter<State>
    else { return }
    starter.startRecording(with: state, in: context)
  }
}

/// An interceptor that returns live values to a reducer and records them.
///
/// Its three words fit into an existential without an allocation.
private struct ReadRecorder: DependencyReadInterceptor {
  let session: RecordingSession
  let seq: Int
  let isExcluded: Bool

  func read<Value>(_ key: String, standIn: () -> Value, live: () -> Value) -> Value {
    let value = live()
    session.didRead(key, value: value, seq: seq, isExcluded: isExcluded)
    return value
  }
}
