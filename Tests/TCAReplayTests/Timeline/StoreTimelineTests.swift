import ActionLog
import Foundation
import TCAReplay
import Testing

@testable import TCAReplaying

/// Timelines of logs.
@MainActor
struct StoreTimelineTests {
  private static let actions: [Planner.Action] = [
    .increment, .add, .add, .rows(.element(id: 1, action: .rename("first"))), .open,
    .detail(.presented(.type("hello"))), .push(2), .push(99), .detail(.presented(.hit)), .raise,
    .ask, .alert(.presented(.confirm)), .detail(.dismiss), .reverse, .remove(1), .open, .raise,
  ]

  private func timeline() throws -> (StoreTimeline<Planner.State, Planner.Action>, [JSON]) {
    let (log, states) = try recordedPlanner(Self.actions)
    let timeline = try StoreTimeline(replaying: log) {
      Planner()
    } initialState: {
      Planner.State()
    } withDependencies: {
      $0.defaultAppStorage = .inMemory
    }
    return (timeline, states)
  }

  @Test func `a timeline has the recorded state at each position, however the position is reached`()
    throws
  {
    let (timeline, states) = try timeline()
    #expect(timeline.positions == 0...Self.actions.count)
    #expect(timeline.position == 0)
    for target in [5, 0, 17, 3, 16, 9, 10, 4, 12, 1, 15, 14, 13, 2, 11, 6, 8, 7, 0, 17] {
      timeline.position = target
      #expect(timeline.position == target)
      #expect(timeline.loggedState == states[target], "position \(target)")
    }
    #expect(timeline.problem == nil)
  }

  @Test func `steps of a timeline lead to adjacent positions and stop at both ends`() throws {
    let (timeline, states) = try timeline()
    timeline.step(by: -1)
    #expect(timeline.position == 0)
    for seq in 1...Self.actions.count {
      timeline.step(by: 1)
      #expect(timeline.position == seq)
      #expect(timeline.loggedState == states[seq])
    }
    timeline.step(by: 1)
    #expect(timeline.position == Self.actions.count)
    timeline.step(by: -4)
    #expect(timeline.position == Self.actions.count - 4)
    timeline.step(by: .min)
    #expect(timeline.position == 0)
    timeline.step(by: .max)
    #expect(timeline.position == Self.actions.count)
  }

  @Test
  func `a timeline reports a position with an undecodable state, and the store keeps its state`()
    throws
  {
    let (log, states) = try recordedPlanner(Self.actions)
    let text = String(decoding: try log.contents(), as: UTF8.self)
    let damaged = text.replacing(
      #""path":"/count","value":1}"#,
      with: #""path":"/count","value":"one"}"#
    )
    try #require(damaged != text)
    let timeline = try StoreTimeline(replaying: .bytes(Data(damaged.utf8))) {
      Planner()
    } initialState: {
      Planner.State()
    } withDependencies: {
      $0.defaultAppStorage = .inMemory
    }
    for move in [{ timeline.position = 1 }, { timeline.step(by: 1) }] {
      move()
      #expect(
        timeline.problem
          == "the state after action 1 cannot be read: 'count' should be a whole number from \(Int.min) to \(Int.max)"
          + " for Int; found \"one\""
      )
      #expect(timeline.position == 0)
      #expect(timeline.loggedState == states[0])
      timeline.position = 0
      #expect(timeline.problem == nil)
    }
    // A problem of the timeline is no mark in a recording.
    #expect(try String(decoding: timeline.export(), as: UTF8.self) == damaged)
  }

  @Test func `a timeline uses the same store and the same child stores at every position`() throws {
    let (timeline, _) = try timeline()
    let store = timeline.store
    timeline.position = 6
    let detail = try #require(store.scope(\.detail, action: \.detail))
    let row = try #require(Array(store.scope(\.rows, action: \.rows)).first)
    #expect(detail.text == "hello")
    #expect(row.title == "first")
    timeline.position = 9
    #expect(store === timeline.store)
    #expect(store.scope(\.detail, action: \.detail) === detail)
    #expect(detail.hits == 1)
    #expect(Array(store.scope(\.rows, action: \.rows)).first === row)
    timeline.position = 13
    #expect(store.scope(\.detail, action: \.detail) == nil)
  }
}
