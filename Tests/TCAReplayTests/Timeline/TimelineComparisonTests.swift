import ActionLog
import Foundation
import TCAReplay
import Testing

@testable import TCAReplaying

/// Timelines of logs that another build has recorded.
@MainActor
struct TimelineComparisonTests {
  /// A planner that counts by two from its third action on.
  private struct FasterPlanner: Reducer {
    func reduce(into state: inout Planner.State, action: Planner.Action) -> Effect<Planner.Action> {
      if case .increment = action, state.count >= 2 { state.count += 1 }
      return Planner().reduce(into: &state, action: action)
    }
  }

  private func timeline<R: Reducer<Planner.State, Planner.Action> & Sendable>(
    _ log: RecordedLog,
    _ reducer: R
  ) throws -> StoreTimeline<Planner.State, Planner.Action> {
    try StoreTimeline(replaying: log) {
      reducer
    } initialState: {
      Planner.State()
    } withDependencies: {
      $0.defaultAppStorage = .inMemory
    }
  }

  @Test func `a timeline that replays the code of the recording shows the recorded states`() throws
  {
    let (log, states) = try recordedPlanner([.increment, .add, .open, .raise, .increment])
    let timeline = try timeline(log, Planner())
    #expect(try timeline.compare() == nil)
    timeline.states = .replayed
    for position in [5, 2, 0, 4] {
      timeline.position = position
      #expect(timeline.loggedState == states[position])
    }
  }

  @Test
  func `a timeline of changed code shows its own states, and playback stops at the divergence`()
    async throws
  {
    let (log, states) = try recordedPlanner([.increment, .increment, .add, .increment, .open])
    let timeline = try timeline(log, FasterPlanner())
    timeline.states = .replayed
    #expect(timeline.states == .recorded)
    #expect(timeline.divergence == nil)
    let divergence = try #require(try timeline.compare())
    #expect(divergence.seq == 4)
    #expect(divergence.description == "action 4: count  − 3  + 4")
    #expect(timeline.loggedState == states[0])
    timeline.position = 4
    #expect(timeline.store.count == 3)
    timeline.states = .replayed
    #expect(timeline.position == 4)
    #expect(timeline.store.count == 4)
    timeline.position = 5
    #expect(timeline.store.count == 4)
    #expect(timeline.store.detail != nil)
    timeline.states = .recorded
    #expect(timeline.store.count == 3)
    timeline.position = 0
    timeline.play(speed: .infinity, stoppingAt: .divergences)
    while timeline.isPlaying { await Task.yield() }
    #expect(timeline.position == 4)
  }

  @Test func `a timeline that continues from a replayed state records the replayed branch`() throws
  {
    let (log, _) = try recordedPlanner([.increment, .increment, .increment])
    let timeline = try timeline(log, FasterPlanner())
    try timeline.compare()
    timeline.states = .replayed
    timeline.position = 3
    #expect(timeline.store.count == 4)
    try timeline.continueFromHere()
    timeline.store.send(.increment)
    #expect(timeline.store.count == 6)
    timeline.position = 2
    #expect(timeline.store.count == 2)
    timeline.returnToPresent()
    #expect(timeline.store.count == 6)
  }
}
