import Foundation
import SampleFeatures
import TCACore
import Testing

/// Undoing steps on the board.
@MainActor
@Suite(.timeLimit(.minutes(30))) struct BoardHistoryTests: BoardSuite {
  let clock = TestClock()
  let saved = LockIsolated<[BoardDocument]>([])

  @Test func `the board undoes and redoes a step`() async {
    let store = store()
    await store.send(\.columns[id: UUID(1)].remove, UUID(12)) {
      $0.step { $0.columns[id: UUID(1)]?.cards.remove(id: UUID(12)) }
    }
    let changed = store.state.document
    await store.send(\.history.undo) {
      $0.columns[id: UUID(1)]?.cards.insert(
        CardRow.State(card: Card(12, "The door jams", [.fault])),
        at: 1
      )
      $0.history = BoardHistory(future: [changed])
    }
    await store.send(\.history.redo) {
      $0.columns[id: UUID(1)]?.cards.remove(id: UUID(12))
      $0.history = BoardHistory(past: [sampleBoard])
    }
    await store.send(\.history.redo)
    await save(store)
  }

  @Test func `the next step removes undone steps from the history`() async {
    let store = store()
    await store.send(.columnMoved(from: 0, to: 2)) { $0.step { $0.columns.swapAt(0, 1) } }
    let changed = store.state.document
    await store.send(\.history.undo) {
      $0.columns.swapAt(0, 1)
      $0.history = BoardHistory(future: [changed])
    }
    await store.send(.columnMoved(from: 2, to: 1)) { $0.step { $0.columns.swapAt(1, 2) } }
    #expect(store.state.history.future == [])
    await store.send(\.history.redo)
    await save(store)
  }

  @Test func `the board undoes at most five steps`() async {
    let store = store()
    for step in 1...6 {
      await store.send(\.columns[id: UUID(3)].binding.title, "\(step)") {
        $0.step { $0.columns[id: UUID(3)]?.title = "\(step)" }
      }
    }
    #expect(store.state.history.past.map { $0.columns[2].title } == ["1", "2", "3", "4", "5"])
    store.exhaustivity = .off
    for _ in 1...9 { await store.send(\.history.undo) }
    store.exhaustivity = .on
    #expect(store.state.columns[id: UUID(3)]?.title == "1")
    await save(store)
  }

  @Test func `a board without steps undoes and redoes nothing`() async {
    let store = store()
    await store.send(\.history.undo)
    await store.send(\.history.redo)
  }

  @Test func `undoing the addition of a card ends the work on it`() async {
    let store = store()
    await store.send(\.columns[id: UUID(3)].binding.newTitle, "Roof") {
      $0.columns[id: UUID(3)]?.newTitle = "Roof"
    }
    await store.send(\.columns[id: UUID(3)].addButtonTapped) {
      $0.step {
        $0.columns[id: UUID(3)]?.newTitle = ""
        $0.columns[id: UUID(3)]?.cards.append(CardRow.State(card: Card(0, "Roof")))
      }
    }
    await work(on: 0, in: 3, store)
    let changed = store.state.document
    await store.send(\.history.undo) {
      $0.columns[id: UUID(3)]?.cards = []
      $0.history = BoardHistory(future: [changed])
    }
    await save(store)
    await clock.advance(by: .seconds(3))
  }

  @Test func `undoing a step continues the work on other cards`() async {
    let store = store()
    await work(on: 21, in: 2, store)
    await store.send(\.columns[id: UUID(2)].binding.title, "Now") {
      $0.step { $0.columns[id: UUID(2)]?.title = "Now" }
    }
    let changed = store.state.document
    await store.send(\.history.undo) {
      $0.columns[id: UUID(2)]?.title = "Doing"
      $0.history = BoardHistory(future: [changed])
    }
    await clock.advance(by: .seconds(1))
    await ticked(21, in: 2, store)
    await store.receive(\.saveDue) { $0.saving = .saving }
    await store.receive(\.saved.success) { $0.saving = .saved }
    await work(on: 21, in: 2, store)
  }
}
