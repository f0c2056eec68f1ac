import ActionLog
import Foundation
import TCAReplay
import Testing

@testable import TCAReplaying

/// The content and actions of a timeline's views.
@MainActor
struct TimelinePanelTests {
  private func panel(
    _ actions: [Planner.Action] = []
  ) -> TimelinePanelModel<Planner.State, Planner.Action> {
    let timeline = StoreTimeline(initialState: Planner.State()) {
      Planner()
    } withDependencies: {
      $0.defaultAppStorage = .inMemory
    }
    for action in actions { timeline.store.send(action) }
    return TimelinePanelModel(timeline)
  }

  @Test func `the timeline panel lists actions around the position in Swift notation`() {
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

  @Test func `the timeline panel shows an excluded action as a row without a name`() {
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

  @Test func `the slider and title of the timeline panel follow the position`() {
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

  @Test
  func `bookmarks of the timeline panel stay in order, and those after a new branch are removed`() {
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

  @Test
  func `sharing from the timeline panel writes the log to a file and removes the previous file`()
    throws
  {
    let panel = panel([.increment])
    panel.share()
    let first = try #require(panel.shared)
    #expect(try Data(contentsOf: first) == panel.timeline.export())
    panel.share()
    let second = try #require(panel.shared)
    #expect(!FileManager.default.fileExists(atPath: first.path))
    try FileManager.default.removeItem(at: second)
  }

  @Test func `observers of a timeline are notified of moves and of actions in the present`() {
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
