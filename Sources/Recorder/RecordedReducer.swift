import ActionLog
internal import TCACore

/// A reducer and the place in the source where its recording was asked for.
///
/// It holds no recording of its own, for a `body` makes it anew for every action: the session lives in the store.
struct RecordedReducer<Base: Reducer>: Reducer {
  let base: Base
  let feature: String
  let destination: LogDestination
  let place: AttachmentKey

  func reduce(into state: inout Base.State, action: Base.Action) -> Effect<Base.Action> {
    guard let context = DependencyValues._current.storeContext, let stamp = context.current else {
      return base._reduce(into: &state, action: action)
    }
    let session = session(in: context)
    let seq = session.willReduce(action, of: stamp, state: state)
    let old = session.needsOldState ? state : nil
    let scope = ReadScope(
      interceptor: ReadRecorder(session: session, seq: seq),
      parent: ReadScope.current
    )
    let clock = ContinuousClock()
    let start = clock.now
    let effect = ReadScope.$current.withValue(scope) {
      base._reduce(into: &state, action: action)
    }
    let duration = clock.now - start
    scope.close()
    return session.didReduce(seq, from: old, to: state, effect: effect, duration: duration)
  }

  private func session(in context: StoreContext) -> RecorderSession {
    let path = DependencyValues._current.navigationPath
    let key = AttachmentKey(
      fileID: place.fileID,
      line: place.line,
      column: place.column,
      path: path
    )
    var isNew = false
    let session = context.attachment(for: key) {
      isNew = true
      return RecorderSession(
        feature: feature,
        stateType: LogTypeName.of(Base.State.self),
        destination: destination,
        isRoot: path.isEmpty && context.isRoot(Self.self)
      )
    }
    if isNew { context.observe(session) }
    return session
  }
}

/// Answers reads as ever, and has the answers recorded.
private struct ReadRecorder: ReadInterceptor {
  let session: RecorderSession
  let seq: Int

  func read<Value>(_ key: String, standIn: () -> Value, live: () -> Value) -> Value {
    let value = live()
    session.didRead(key, value: value, seq: seq)
    return value
  }
}
