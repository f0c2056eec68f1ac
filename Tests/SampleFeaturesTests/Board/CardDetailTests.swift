import Foundation
import SampleFeatures
import TCACore
import Testing

/// The sheet of a card.
@MainActor
@Suite(.timeLimit(.minutes(30))) struct CardDetailTests: BoardSuite {
  let clock = TestClock()
  let saved = LockIsolated<[BoardDocument]>([])

  @Test func `edits in the sheet reach the board half a second after the last one`() async {
    let store = store()
    await open(12, in: 1, store)
    for title in ["The d", "The door"] {
      await store.send(.destination(.presented(.card(.set(\.card.title, title))))) {
        $0.destination?.modify(\.card) { $0.card.title = title }
      }
      await clock.advance(by: .milliseconds(400))
    }
    await clock.advance(by: .milliseconds(100))
    await store.receive(\.destination.card.delegate.edited) {
      $0.step { $0.columns[id: UUID(1)]?.cards[id: UUID(12)]?.card.title = "The door" }
    }
    await save(store)
    await store.send(\.destination.dismiss) { $0.destination = nil }
  }

  @Test func `the done button of the sheet applies pending edits`() async {
    let store = store()
    await open(12, in: 1, store)
    await store.send(.destination(.presented(.card(.set(\.card.notes, "In winter"))))) {
      $0.destination?.modify(\.card) { $0.card.notes = "In winter" }
    }
    await store.send(\.destination.card.doneButtonTapped)
    await store.receive(\.destination.card.delegate.edited) {
      $0.step { $0.columns[id: UUID(1)]?.cards[id: UUID(12)]?.card.notes = "In winter" }
    }
    await store.receive(\.destination.dismiss) { $0.destination = nil }
    await save(store)
  }

  @Test func `swiping the sheet away discards pending edits`() async {
    let store = store()
    await open(12, in: 1, store)
    await store.send(.destination(.presented(.card(.set(\.card.title, "The gate"))))) {
      $0.destination?.modify(\.card) { $0.card.title = "The gate" }
    }
    await store.send(\.destination.dismiss) { $0.destination = nil }
    await clock.advance(by: .seconds(1))
    #expect(store.state.document == sampleBoard)
  }

  @Test func `a card is deleted from its sheet after a confirmation`() async {
    let store = store()
    await work(on: 12, in: 1, store)
    await open(12, in: 1, store)
    await store.send(\.destination.card.deleteButtonTapped) {
      $0.destination?.modify(\.card) { $0.dialog = .delete }
    }
    await store.send(\.destination.card.dialog.delete) {
      $0.destination?.modify(\.card) { $0.dialog = nil }
    }
    await store.receive(\.destination.card.delegate.delete, UUID(12))
    await store.receive(\.columns[id: UUID(1)].remove, UUID(12)) {
      $0.step { $0.columns[id: UUID(1)]?.cards.remove(id: UUID(12)) }
    }
    await store.receive(\.destination.dismiss) { $0.destination = nil }
    await save(store)
  }

  @Test func `picking another column in the sheet moves the card and resumes its work`() async {
    let store = store()
    await work(on: 12, in: 1, store)
    await open(12, in: 1, store)
    await store.send(\.destination.card.columnPicked, UUID(1))
    await store.send(\.destination.card.columnPicked, UUID(3))
    await store.receive(\.destination.card.delegate.move) {
      $0.step { $0.take(12, from: 1, to: 3) }
      $0.destination?.modify(\.card) { $0.column = UUID(3) }
    }
    await store.receive(\.columns[id: UUID(3)].cards[id: UUID(12)].workResumed)
    await work(on: 12, in: 3, store)
    await store.send(\.destination.dismiss) { $0.destination = nil }
    await save(store)
  }

  @Test func `a full column cannot be picked in the sheet`() async {
    let store = store()
    await store.send(\.columns[id: UUID(2)].binding.limit, 1) {
      $0.step { $0.columns[id: UUID(2)]?.limit = 1 }
    }
    await save(store)
    await open(12, in: 1, store)
    await store.send(\.destination.card.columnPicked, UUID(2))
    await store.receive(\.destination.card.delegate.move)
    await store.send(\.destination.dismiss) { $0.destination = nil }
  }

  @Test func `reverting in the sheet restores the card on the board`() async {
    let store = store()
    await open(12, in: 1, store)
    await store.send(\.destination.card.revertButtonTapped)
    await store.send(.destination(.presented(.card(.set(\.card.labels, [.idea]))))) {
      $0.destination?.modify(\.card) { $0.card.labels = [.idea] }
    }
    await clock.advance(by: .milliseconds(500))
    await store.receive(\.destination.card.delegate.edited) {
      $0.step { $0.columns[id: UUID(1)]?.cards[id: UUID(12)]?.card.labels = [.idea] }
    }
    await store.send(.destination(.presented(.card(.set(\.card.labels, []))))) {
      $0.destination?.modify(\.card) { $0.card.labels = [] }
    }
    await store.send(\.destination.card.revertButtonTapped) {
      $0.destination?.modify(\.card) { $0.dialog = .revert }
    }
    await store.send(\.destination.card.dialog.revert) {
      $0.destination?.modify(\.card) {
        $0.dialog = nil
        $0.card = $0.original
      }
    }
    await store.receive(\.destination.card.delegate.edited) {
      $0.step { $0.columns[id: UUID(1)]?.cards[id: UUID(12)]?.card.labels = [.fault] }
    }
    await store.send(\.destination.dismiss) { $0.destination = nil }
    await save(store)
    #expect(saved.value == [sampleBoard])
  }

  @Test func `the sheet's show button clears the filter that hides its card on the board`() async {
    let store = store()
    await open(12, in: 1, store)
    await store.send(.filterLabelTapped(.chore)) {
      $0.$filter.withLock { $0.labels = [.chore] }
    }
    #expect(store.state.destination?.card?.isHidden == true)
    await store.send(\.destination.card.showButtonTapped) {
      $0.$filter.withLock { $0 = BoardFilter() }
    }
    #expect(store.state.shownCards(of: UUID(1)).count == 3)
    await store.send(\.destination.dismiss) { $0.destination = nil }
  }
}
