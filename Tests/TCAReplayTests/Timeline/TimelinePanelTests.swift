import ActionLog
import Foundation
import TCAReplay
import Testing

@testable import TCAReplaying

/// What the views of a timeline show and do.
@MainActor
struct TimelinePanelTests {
  private func panel(
    _ actions: [Planner.Action] = []
  ) -> TimelinePanel<Planner.State, Planner.Action> {
    let timeline = StoreTimeline(initialState: Planner.State()) {
      Planner()
    } withDependencies: {
      $0.defaultAppStorage = .inMemory
    }
    for action in actions { timeline.store.send(action) }
    return TimelinePanel(timeline)
  }

  @Test func `actions are listed around the position in Swift notation`() {
    let panel = panel([.increment, .add, .rows(.element(id: 1, action: .rename("x"))), .open])
    let timeline = panel.timeline
    timeline.note("look here")
    #expect(panel.actions.map(\.seq) == [0, 1, 2, 3, 4])
    #expect(
      panel.actions.map(\.text) == [
        "the start", ".increment", ".add", #".rows[1].rename("x")"#, ".open",
      ]
    )
    #expect(panel.actions.map(\.notes) == [[], [], [], [], ["look here"]])
    timeline.position = 2
    #expect(timeline.actions(near: 2, count: 3).map(\.seq) == [1, 2, 3])
    #expect(timeline.actions(near: 0, count: 3).map(\.seq) == [0, 1, 2])
    #expect(timeline.actions(near: 99, count: 2).map(\.seq) == [4])
    #expect(timeline.actions(near: 2, count: 0) == [])
  }

  @Test func `an action that the recording leaves out is a row without a name`() {
    var configuration = TimelineConfiguration()
    configuration.actions.exclude = ["/add"]
    let timeline = StoreTimeline(initialState: Planner.State(), configuration: configuration) {
      Planner()
    } withDependencies: {
      $0.defaultAppStorage = .inMemory
    }
    for action in [Planner.Action.increment, .add] { timeline.store.send(action) }
    #expect(
      timeline.actions(near: 2).map(\.text) == [
        "the start", ".increment", "an action that the log leaves out",
      ]
    )
    timeline.position = 1
    timeline.position = 2
    #expect(timeline.store.rows.count == 1)
  }

  @Test func `slider and title follow the position`() {
    let panel = panel([.increment, .increment])
    #expect(panel.title == "2 of 2, live")
    #expect(panel.sliderPositions == 0...2)
    panel.sliderPosition = 1.2
    #expect(panel.timeline.position == 1)
    #expect(panel.title == "1 of 2")
    panel.sliderPosition = 2
    #expect(panel.title == "2 of 2, live")
    #expect(self.panel().sliderPositions == 0...1)
  }

  @Test func `bookmarks stay in order, and go with the actions of a branch that is left`() {
    let panel = panel([.increment, .increment, .increment])
    for position in [2, 1, 0] {
      panel.timeline.position = position
      panel.toggleBookmark()
    }
    #expect(panel.bookmarks == [0, 1, 2])
    panel.toggleBookmark()
    #expect(panel.bookmarks == [1, 2])
    panel.timeline.position = 1
    #expect(panel.isBookmarked)
    panel.continueFromHere()
    #expect(panel.bookmarks == [1])
    #expect(panel.message == nil)
    #expect(!panel.timeline.isInPast)
  }

  @Test func `the log is shared as a file, once`() throws {
    let panel = panel([.increment])
    panel.share()
    let first = try #require(panel.shared)
    #expect(try Data(contentsOf: first) == panel.timeline.export())
    panel.share()
    let second = try #require(panel.shared)
    #expect(!FileManager.default.fileExists(atPath: first.path))
    try FileManager.default.removeItem(at: second)
  }

  @Test func `observers of a timeline hear of moves, and of actions in the present`() {
    let panel = panel([.increment, .add])
    let timeline = panel.timeline
    let observers = Observers<Planner.State>([
      ("position", { timeline.position }), ("past", { timeline.isInPast }),
      ("playing", { timeline.isPlaying }), ("problem", { timeline.problem as Any }),
    ])
    _ = observers.take()
    timeline.store.send(.increment)
    #expect(observers.take() == ["past", "position"])
    timeline.position = 1
    #expect(observers.take() == ["past", "position"])
    timeline.position = 1
    #expect(observers.take() == [])
    timeline.play()
    #expect(observers.take() == ["playing"])
    timeline.pause()
    #expect(observers.take() == ["playing"])
    timeline.returnToPresent()
    #expect(observers.take() == ["past", "position"])
  }
}
