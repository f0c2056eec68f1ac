import ActionLog
import ActionRecording
internal import TCACore

/// A reducer and the place in the source where its recording was asked for.
///
/// It holds no recording of its own, for a `body` makes it anew for every action: the session lives in the store.
struct RecordedReducer<Base: Reducer>: Reducer {
  let base: Base
  let feature: String
  let configuration: RecorderConfiguration
  let recorder: Recorder?
  let place: AttachmentKey

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

  /// Runs the reducer, with what it reads recorded.
  ///
  /// - Returns: Its effect, and how many microseconds it took.
  private func perform(
    _ step: RecordingSession.Step,
    in session: RecordingSession,
    _ state: inout Base.State,
    _ action: Base.Action
  ) -> (Effect<Base.Action>, us: Int) {
    let reads = ReadRecorder(session: session, seq: step.seq, isExcluded: step.isExcluded)
    let scope = ReadScope(interceptor: reads, parent: ReadScope.current)
    let start = Uptime.nanoseconds
    let effect = ReadScope.$current.withValue(scope) {
      base._reduce(into: &state, action: action)
    }
    let time = Uptime.nanoseconds &- start
    scope.close()
    return (effect, Int(time / 1000))
  }

  private func recording(
    in context: StoreContext,
    at path: [NavigationID]
  ) -> RecordedFeature<Base.State, Base.Action> {
    let key = AttachmentKey(
      fileID: place.fileID,
      line: place.line,
      column: place.column,
      path: path
    )
    var isNew = false
    let recording = context.attachment(for: key) {
      isNew = true
      return RecordedFeature<Base.State, Base.Action>(
        feature,
        at: path,
        isRoot: path.isEmpty && context.isRoot(Self.self),
        configuration: configuration
      )
    }
    if isNew {
      // A recording that misses the first action, or is of a part, is one of its own.
      if path.isEmpty, context.current?.number == 1, let resumption = context.resumption {
        recording.resume(resumption)
      }
      context.observe(recording)
      recorder?.add(recording.session)
    }
    return recording
  }
}

/// Answers reads as ever, and has the answers recorded.
///
/// It has three words, which need no box.
private struct ReadRecorder: ReadInterceptor {
  let session: RecordingSession
  let seq: Int
  let isExcluded: Bool

  func read<Value>(_ key: String, standIn: () -> Value, live: () -> Value) -> Value {
    let value = live()
    session.didRead(key, value: value, seq: seq, isExcluded: isExcluded)
    return value
  }
}
