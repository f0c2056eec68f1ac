import Foundation
import SampleFeatures
import TCACore
import Testing

private let now = Date(timeIntervalSinceReferenceDate: 800_000_000)

/// A running recording.
@MainActor
@Suite(.timeLimit(.minutes(30))) struct RecordingTests {
  private let clock = TestClock()
  /// The calls of the recorder, in order.
  private let calls = LockIsolated<[String]>([])

  private func store(
    seconds: Int = 0,
    _ prepare: @escaping (inout AudioRecorder) -> Void = { _ in }
  ) -> TestStoreOf<Recording> {
    var state = Recording.State(id: UUID(1), date: now)
    state.seconds = seconds
    return TestStore(initialState: state) {
      Recording()
    } withDependencies: {
      $0.continuousClock = clock
      $0.audioRecorder = AudioRecorder(
        start: { [calls] _ in calls.withValue { $0.append("start") } },
        pause: { [calls] in calls.withValue { $0.append("pause") } },
        resume: { [calls] in calls.withValue { $0.append("resume") } },
        stop: { [calls] in
          calls.withValue { $0.append("stop") }
          return 100
        },
        delete: { [calls] _ in calls.withValue { $0.append("delete") } },
        levels: { .finished },
        interruptions: { .finished }
      )
      prepare(&$0.audioRecorder)
    }
  }

  private func start(_ store: TestStoreOf<Recording>) async {
    await store.send(.task)
    await store.receive(\.started.success) { $0.mode = .recording }
  }

  private func stop(_ store: TestStoreOf<Recording>, seconds: Int) async {
    await store.send(.stopButtonTapped) { $0.mode = .stopping }
    await store.receive(\.stopped.success, 100)
    await store.receive(
      \.delegate.finished,
      Memo(id: UUID(1), date: now, seconds: seconds)
    )
  }

  @Test func `a recording counts its seconds`() async {
    let store = store()
    await start(store)
    await clock.advance(by: .milliseconds(2500))
    await store.receive(\.ticked) { $0.seconds = 1 }
    await store.receive(\.ticked) { $0.seconds = 2 }
    await stop(store, seconds: 2)
    #expect(calls.value == ["start", "stop"])
  }

  @Test func `a pause does not count toward the seconds of a recording`() async {
    let store = store()
    await start(store)
    await clock.advance(by: .seconds(1))
    await store.receive(\.ticked) { $0.seconds = 1 }
    await store.send(.pauseButtonTapped) { $0.mode = .paused(.user) }
    await clock.advance(by: .seconds(60))
    await store.send(.pauseButtonTapped) { $0.mode = .recording }
    await clock.advance(by: .seconds(1))
    await store.receive(\.ticked) { $0.seconds = 2 }
    await stop(store, seconds: 2)
    #expect(calls.value == ["start", "pause", "resume", "stop"])
  }

  @Test func `a paused recording can be stopped`() async {
    let store = store()
    await start(store)
    await store.send(.pauseButtonTapped) { $0.mode = .paused(.user) }
    await stop(store, seconds: 0)
  }

  @Test func `a recording cannot be paused or stopped before it has started`() async {
    let store = store { $0.start = { _ in try await Task.never() } }
    let task = await store.send(.task)
    await store.send(.pauseButtonTapped)
    await store.send(.stopButtonTapped)
    await task.cancel()
  }

  @Test func `a recording keeps the four most recent audio levels`() async {
    let levels = AsyncStream.makeStream(of: Int.self)
    let store = store { $0.levels = { levels.stream } }
    await start(store)
    for level in 1...5 {
      levels.continuation.yield(level)
      await store.receive(\.levelMeasured, level) { $0.levels = Array(max(1, level - 3)...level) }
    }
    await stop(store, seconds: 0)
  }

  @Test func `a paused recording ignores levels`() async {
    let levels = AsyncStream.makeStream(of: Int.self)
    let store = store { $0.levels = { levels.stream } }
    await start(store)
    await store.send(.pauseButtonTapped) { $0.mode = .paused(.user) }
    levels.continuation.yield(50)
    await store.receive(\.levelMeasured, 50)
    await stop(store, seconds: 0)
  }

  @Test func `a call pauses the recording until the call ends`() async {
    let calls = AsyncStream.makeStream(of: Bool.self)
    let store = store { $0.interruptions = { calls.stream } }
    await start(store)
    calls.continuation.yield(true)
    await store.receive(\.interrupted, true) { $0.mode = .paused(.call) }
    calls.continuation.yield(false)
    await store.receive(\.interrupted, false) { $0.mode = .recording }
    await stop(store, seconds: 0)
  }

  @Test func `a recording that the user paused stays paused after a call`() async {
    let calls = AsyncStream.makeStream(of: Bool.self)
    let store = store { $0.interruptions = { calls.stream } }
    await start(store)
    await store.send(.pauseButtonTapped) { $0.mode = .paused(.user) }
    calls.continuation.yield(true)
    await store.receive(\.interrupted, true)
    calls.continuation.yield(false)
    await store.receive(\.interrupted, false)
    await stop(store, seconds: 0)
  }

  @Test func `a recording stops after an hour`() async {
    let store = store(seconds: Recording.State.limit - 1)
    await start(store)
    await clock.advance(by: .seconds(1))
    await store.receive(\.ticked) { $0.seconds = 3600 }
    await store.receive(\.stopButtonTapped) { $0.mode = .stopping }
    await store.receive(\.stopped.success)
    await store.receive(\.delegate.finished)
  }

  @Test(arguments: [AudioError.noMicrophone, .noRoom])
  func `a recording that cannot start reports the error to its parent`(error: AudioError) async {
    let store = store { $0.start = { _ in throw error } }
    await store.send(.task)
    await store.receive(\.started.failure)
    await store.receive(\.delegate.failed, error)
  }

  @Test func `a recording that cannot be stopped reports a failure to its parent`() async {
    struct Unknown: Error {}
    let store = store { $0.stop = { throw Unknown() } }
    await start(store)
    await store.send(.stopButtonTapped) { $0.mode = .stopping }
    await store.receive(\.stopped.failure)
    await store.receive(\.delegate.failed, nil)
  }

  @Test func `a recording is discarded only after a confirmation`() async {
    let store = store()
    await start(store)
    await store.send(.discardButtonTapped) { $0.dialog = .discard }
    await clock.advance(by: .seconds(1))
    await store.receive(\.ticked) { $0.seconds = 1 }
    await store.send(\.dialog.dismiss) { $0.dialog = nil }
    await store.send(.discardButtonTapped) { $0.dialog = .discard }
    await store.send(\.dialog.discard) { $0.dialog = nil }
    await store.receive(\.delegate.discarded)
    await clock.advance(by: .seconds(1))
    #expect(calls.value == ["start", "stop", "delete"])
  }
}
