import Foundation
import SampleFeatures
import TCACore
import Testing

private let memo = Memo(
  id: UUID(1),
  date: Date(timeIntervalSinceReferenceDate: 800_000_000),
  seconds: 3
)

/// A row of the list, and its playback.
@MainActor
@Suite(.timeLimit(.minutes(30))) struct MemoRowTests {
  private let clock = TestClock()

  /// Returns a store whose player takes as long as the memo.
  private func store(
    _ playback: MemoRow.Playback = .stopped,
    play: (@Sendable (UUID, Int, Double) async throws -> Void)? = nil
  ) -> TestStoreOf<MemoRow> {
    var state = MemoRow.State(memo: memo)
    state.playback = playback
    return TestStore(initialState: state) {
      MemoRow()
    } withDependencies: {
      $0.continuousClock = clock
      $0.audioPlayer.play =
        play ?? { [clock] _, second, rate in
          try await clock.sleep(for: .seconds(Double(memo.seconds - second) / rate + 0.5))
        }
    }
  }

  @Test func `a memo plays to its end`() async {
    let store = store()
    await store.send(.playButtonTapped) { $0.playback = .playing(second: 0) }
    await store.receive(\.delegate.plays)
    for second in 1...3 {
      await clock.advance(by: .seconds(1))
      await store.receive(\.ticked) { $0.playback = .playing(second: second) }
    }
    await clock.advance(by: .milliseconds(500))
    await store.receive(\.played.success) { $0.playback = .stopped }
  }

  @Test func `a paused memo resumes at the second where it was paused`() async {
    let seconds = LockIsolated<[Int]>([])
    let store = store { _, second, _ in
      seconds.withValue { $0.append(second) }
      try await Task.never()
    }
    await store.send(.playButtonTapped) { $0.playback = .playing(second: 0) }
    await store.receive(\.delegate.plays)
    await clock.advance(by: .seconds(1))
    await store.receive(\.ticked) { $0.playback = .playing(second: 1) }
    await store.send(.playButtonTapped) { $0.playback = .paused(second: 1) }
    await clock.advance(by: .seconds(9))
    await store.send(.playButtonTapped) { $0.playback = .playing(second: 1) }
    await store.receive(\.delegate.plays)
    await store.send(.stop) { $0.playback = .stopped }
    #expect(seconds.value == [0, 1])
  }

  @Test func `a memo's slider cannot leave the length of the memo`() async {
    let store = store()
    await store.send(.sliderMoved(to: 2)) { $0.playback = .paused(second: 2) }
    await store.send(.sliderMoved(to: 9)) { $0.playback = .paused(second: 3) }
    await store.send(.sliderMoved(to: -1)) { $0.playback = .paused(second: 0) }
  }

  @Test func `moving the slider of a playing memo restarts playback at that second`() async {
    let seconds = LockIsolated<[Int]>([])
    let store = store { _, second, _ in
      seconds.withValue { $0.append(second) }
      try await Task.never()
    }
    await store.send(.playButtonTapped) { $0.playback = .playing(second: 0) }
    await store.receive(\.delegate.plays)
    await clock.advance(by: .milliseconds(900))
    // The pending tick belongs to the playback that ends here.
    await store.send(.sliderMoved(to: 2)) { $0.playback = .playing(second: 2) }
    await clock.advance(by: .milliseconds(900))
    await clock.advance(by: .milliseconds(100))
    await store.receive(\.ticked) { $0.playback = .playing(second: 3) }
    await store.send(.stop) { $0.playback = .stopped }
    #expect(seconds.value == [0, 2])
  }

  @Test func `a memo without a file informs its parent of the failure`() async {
    let store = store { _, _, _ in throw AudioError.noFile }
    await store.send(.playButtonTapped) { $0.playback = .playing(second: 0) }
    await store.receive(\.delegate.plays)
    await store.receive(\.played.failure) { $0.playback = .stopped }
    await store.receive(\.delegate.failed)
  }

  @Test func `the seconds of a playing memo stop at its end`() async {
    let store = store(.paused(second: 3)) { _, _, _ in try await Task.never() }
    await store.send(.playButtonTapped) { $0.playback = .playing(second: 3) }
    await store.receive(\.delegate.plays)
    await clock.advance(by: .seconds(1))
    await store.receive(\.ticked)
    await store.send(.stop) { $0.playback = .stopped }
  }

  @Test(arguments: [(0.5, 2000), (2, 500)])
  func `the seconds of a playing memo pass at the chosen rate`(
    rate: Double,
    milliseconds: Int
  ) async {
    @Shared(.playbackRate) var playbackRate
    $playbackRate.withLock { $0 = rate }
    let store = store()
    await store.send(.playButtonTapped) { $0.playback = .playing(second: 0) }
    await store.receive(\.delegate.plays)
    await clock.advance(by: .milliseconds(milliseconds - 1))
    await clock.advance(by: .milliseconds(1))
    await store.receive(\.ticked) { $0.playback = .playing(second: 1) }
    await store.send(.playButtonTapped) { $0.playback = .paused(second: 1) }
  }

  @Test func `deleting and renaming a memo are left to its parent`() async {
    let store = store()
    await store.send(.deleteButtonTapped)
    await store.receive(\.delegate.deletes)
    await store.send(.renameButtonTapped)
    await store.receive(\.delegate.renames)
  }
}
