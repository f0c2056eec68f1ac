import Foundation
import SampleFeatures
import TCACore
import Testing

/// Dragging cards.
@MainActor
@Suite(.timeLimit(.minutes(30))) struct BoardDragTests: BoardSuite {
  let clock = TestClock()
  let saved = LockIsolated<[BoardDocument]>([])

  @Test func `a drag over several columns is one step of the history`() async {
    let store = store()
    await store.send(\.drag.began, UUID(11)) {
      $0.drag = Board.Drag(card: UUID(11), origin: sampleBoard)
    }
    await store.send(\.drag.moved, (to: UUID(2), index: 1)) {
      $0.take(11, from: 1, to: 2, at: 1)
      $0.saving = .pending
    }
    await store.send(\.drag.moved, (to: UUID(3), index: 0)) { $0.take(11, from: 2, to: 3) }
    await store.send(\.drag.ended) {
      $0.drag = nil
      $0.history = BoardHistory(past: [sampleBoard])
    }
    await save(store)
  }

  @Test func `a drag that ends where it began is no step of the history`() async {
    let store = store()
    await store.send(\.drag.began, UUID(11)) {
      $0.drag = Board.Drag(card: UUID(11), origin: sampleBoard)
    }
    await store.send(\.drag.moved, (to: UUID(3), index: 0)) {
      $0.take(11, from: 1, to: 3)
      $0.saving = .pending
    }
    await store.send(\.drag.moved, (to: UUID(1), index: 0)) { $0.take(11, from: 3, to: 1) }
    await store.send(\.drag.ended) { $0.drag = nil }
    await save(store)
  }

  @Test func `a canceled drag puts the card back`() async {
    let store = store()
    await store.send(\.drag.began, UUID(12)) {
      $0.drag = Board.Drag(card: UUID(12), origin: sampleBoard)
    }
    await store.send(\.drag.moved, (to: UUID(2), index: 0)) {
      $0.take(12, from: 1, to: 2)
      $0.saving = .pending
    }
    await store.send(\.drag.cancelled) {
      $0.drag = nil
      $0.take(12, from: 2, to: 1, at: 1)
    }
    await save(store)
    #expect(saved.value == [sampleBoard])
  }

  @Test func `a full column accepts no dragged card`() async {
    let store = store()
    await store.send(\.drag.began, UUID(11)) {
      $0.drag = Board.Drag(card: UUID(11), origin: sampleBoard)
    }
    await store.send(\.drag.moved, (to: UUID(2), index: 0)) {
      $0.take(11, from: 1, to: 2)
      $0.saving = .pending
    }
    await store.send(\.drag.ended) {
      $0.drag = nil
      $0.history = BoardHistory(past: [sampleBoard])
    }
    let full = store.state.document
    await store.send(\.drag.began, UUID(12)) {
      $0.drag = Board.Drag(card: UUID(12), origin: full)
    }
    await store.send(\.drag.moved, (to: UUID(2), index: 0))
    await store.send(\.drag.ended) { $0.drag = nil }
    await save(store)
  }

  @Test(
    arguments: [(11, 9, [12, 13, 11]), (11, 1, [12, 11, 13]), (12, -1, [12, 11, 13])]
  )
  func `dragging a card within its column reorders the cards`(
    card: Int,
    index: Int,
    order: [Int]
  ) async {
    let store = store()
    await store.send(\.drag.began, UUID(card)) {
      $0.drag = Board.Drag(card: UUID(card), origin: sampleBoard)
    }
    await store.send(\.drag.moved, (to: UUID(1), index: index)) {
      let rows = order.compactMap { number in
        sampleBoard.columns[0].cards.first { $0.id == UUID(number) }
      }
      $0.columns[id: UUID(1)]?.cards = IdentifiedArray(
        uniqueElements: rows.map { CardRow.State(card: $0) }
      )
      $0.saving = .pending
    }
    await store.send(\.drag.ended) {
      $0.drag = nil
      $0.history = BoardHistory(past: [sampleBoard])
    }
    await save(store)
  }

  @Test func `work on a dragged card resumes in the other column`() async {
    let store = store()
    await work(on: 11, in: 1, store)
    await clock.advance(by: .milliseconds(400))
    await store.send(\.drag.began, UUID(11)) {
      $0.drag = Board.Drag(card: UUID(11), origin: sampleBoard)
    }
    await store.send(\.drag.moved, (to: UUID(3), index: 0)) {
      $0.take(11, from: 1, to: 3)
      $0.saving = .pending
    }
    await store.receive(\.columns[id: UUID(3)].cards[id: UUID(11)].workResumed)
    await store.send(\.drag.ended) {
      $0.drag = nil
      $0.history = BoardHistory(past: [sampleBoard])
    }
    // The second that began in the first column is not counted. It starts again in the third one.
    await clock.advance(by: .milliseconds(600))
    await store.send(.columnMoved(from: 0, to: 2)) { $0.step { $0.columns.swapAt(0, 1) } }
    await clock.advance(by: .milliseconds(400))
    await ticked(11, in: 3, store)
    await work(on: 11, in: 3, store)
    await save(store)
  }

  @Test func `a drag of a card that does not exist changes nothing`() async {
    let store = store()
    await store.send(\.drag.began, UUID(99))
    await store.send(\.drag.moved, (to: UUID(3), index: 0))
    await store.send(\.drag.ended)
    await store.send(\.drag.cancelled)
  }

  @Test func `the board undoes nothing during a drag`() async {
    let store = store()
    await store.send(.columnMoved(from: 0, to: 2)) { $0.step { $0.columns.swapAt(0, 1) } }
    let origin = store.state.document
    await store.send(\.drag.began, UUID(11)) {
      $0.drag = Board.Drag(card: UUID(11), origin: origin)
    }
    await store.send(\.history.undo)
    await store.send(\.drag.cancelled) { $0.drag = nil }
    await save(store)
  }
}
