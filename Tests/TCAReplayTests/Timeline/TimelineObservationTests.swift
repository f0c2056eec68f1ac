import ActionLog
import Foundation
import TCAReplay
import Testing

@testable import TCAReplaying

/// The notifications of a store's observers when its timeline moves.
@MainActor
struct TimelineObservationTests {
  private struct Move: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let before: [Planner.Action]
    let action: Planner.Action
    let heard: [String]
  }

  private nonisolated static let moves = [
    Move(
      testDescription: "a number",
      before: [],
      action: .increment,
      heard: ["count", "didSetCount", "title"]
    ),
    Move(testDescription: "a new row", before: [.add], action: .add, heard: ["rows"]),
    Move(
      testDescription: "a member of a row",
      before: [.add, .add],
      action: .rows(.element(id: 2, action: .rename("second"))),
      heard: ["row 2 title"]
    ),
    Move(
      testDescription: "what is presented",
      before: [],
      action: .open,
      heard: ["detail", "detail hits", "detail text"]
    ),
    Move(
      testDescription: "a member of what is presented",
      before: [.open],
      action: .detail(.presented(.type("x"))),
      heard: ["detail text"]
    ),
    Move(testDescription: "a pushed screen", before: [], action: .push(9), heard: ["path"]),
    Move(
      testDescription: "a member of a screen",
      before: [.push(9)],
      action: .path(.element(id: 0, action: .detail(.hit))),
      heard: ["screen hits"]
    ),
    Move(testDescription: "an alert", before: [], action: .ask, heard: ["alert"]),
    Move(testDescription: "a shared value", before: [], action: .raise, heard: ["total"]),
    Move(testDescription: "nothing", before: [], action: .stop, heard: []),
  ]

  private func observers(of store: StoreOf<Planner>) -> Observers<Planner.State> {
    Observers([
      ("count", { store.count }), ("title", { store.title }),
      ("didSetCount", { store.didSetCount }),
      ("rows", { store.rows.ids }),
      ("row 1 title", { store.rows[id: 1]?.title as Any }),
      ("row 1 isDone", { store.rows[id: 1]?.isDone as Any }),
      ("row 2 title", { store.rows[id: 2]?.title as Any }),
      ("row 2 isDone", { store.rows[id: 2]?.isDone as Any }),
      ("path", { store.path.ids }),
      ("screen hits", { store.path.first?.detail?.hits as Any }),
      ("detail", { store.detail != nil }),
      ("detail hits", { store.detail?.hits as Any }),
      ("detail text", { store.detail?.text as Any }),
      ("alert", { store.alert != nil }), ("total", { store.total }),
    ])
  }

  @Test(arguments: moves)
  private func `moving between two positions notifies the observers that the action notified`(
    _ move: Move
  ) throws {
    let (log, states) = try recordedPlanner(move.before + [move.action])
    let live = Store(initialState: Planner.State()) {
      Planner()
    } withDependencies: {
      $0.defaultAppStorage = .inMemory
    }
    for action in move.before { live.send(action) }
    let liveObservers = observers(of: live)
    _ = liveObservers.take()
    live.send(move.action)
    let heard = liveObservers.take()
    #expect(Set(heard).isSuperset(of: move.heard))

    let timeline = try StoreTimeline(replaying: log) {
      Planner()
    } initialState: {
      Planner.State()
    } withDependencies: {
      $0.defaultAppStorage = .inMemory
    }
    timeline.position = move.before.count
    let observers = observers(of: timeline.store)
    _ = observers.take()
    timeline.step(by: 1)
    #expect(timeline.loggedState == states.last)
    #expect(observers.take() == heard, "forward")
    timeline.step(by: -1)
    #expect(observers.take() == heard, "back")
    timeline.step(by: 1)
    #expect(observers.take() == heard, "forward again")
  }
}
