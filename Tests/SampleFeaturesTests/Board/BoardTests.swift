import Foundation
import SampleFeatures
import TCACore
import Testing

/// The board: loading, saving, columns and the filter.
@MainActor
@Suite(.timeLimit(.minutes(30))) struct BoardTests: BoardSuite {
  let clock = TestClock()
  let saved = LockIsolated<[BoardDocument]>([])

  // MARK: Loading and saving

  @Test func `a loaded board is not saved again`() async {
    let store = store { $0.load = { BoardDocument(columns: Array(sampleBoard.columns.suffix(1))) } }
    await store.send(.task)
    await store.receive(\.loaded.success) {
      $0.columns = [BoardColumn.State(sampleBoard.columns[2])]
    }
    await clock.advance(by: .seconds(5))
    #expect(saved.value == [])
  }

  @Test func `loading an unreadable board can be tried again`() async {
    let isReadable = LockIsolated(false)
    let store = store {
      $0.load = {
        guard isReadable.value else { throw BoardError.unreadable }
        return BoardDocument()
      }
    }
    await store.send(.task)
    await store.receive(\.loaded.failure) { $0.destination = .alert(.notLoaded) }
    isReadable.setValue(true)
    await store.send(\.destination.alert.loadAgain) { $0.destination = nil }
    await store.receive(\.loaded.success) { $0.columns = [] }
  }

  @Test func `several changes of the board are saved once`() async {
    let store = store()
    for label in [CardLabel.idea, .chore] {
      await store.send(\.columns[id: UUID(1)].cards[id: UUID(12)].labelTapped, label) {
        $0.step { _ = $0.columns[id: UUID(1)]?.cards[id: UUID(12)]?.card.labels.insert(label) }
      }
      await clock.advance(by: .milliseconds(900))
    }
    #expect(saved.value == [])
    await save(store)
    #expect(saved.value.count == 1)
  }

  @Test func `a change during a save makes the board save again`() async {
    let store = store { [clock, saved] in
      $0.save = { document in
        try await clock.sleep(for: .seconds(3))
        saved.withValue { $0.append(document) }
      }
    }
    await store.send(.addColumnButtonTapped) {
      $0.step {
        $0.columns.append(
          BoardColumn.State(BoardDocument.Column(id: UUID(0), title: "Column 4"))
        )
      }
    }
    await clock.advance(by: .seconds(1))
    await store.receive(\.saveDue) { $0.saving = .saving }
    await clock.advance(by: .seconds(2))
    await store.send(.columnMoved(from: 3, to: 0)) {
      $0.step { $0.columns.insert($0.columns.removeLast(), at: 0) }
    }
    await clock.advance(by: .seconds(1))
    await store.receive(\.saveDue) { $0.saving = .saving }
    await clock.advance(by: .seconds(3))
    await store.receive(\.saved.success) { $0.saving = .saved }
    let titles = saved.value.map { $0.columns.map(\.title) }
    #expect(titles == [["Column 4", "To do", "Doing", "Done"]])
  }

  @Test func `saving the board can be tried again after a failure`() async {
    let hasRoom = LockIsolated(false)
    let store = store {
      $0.save = { _ in
        guard hasRoom.value else { throw BoardError.noRoom }
      }
    }
    await store.send(\.columns[id: UUID(3)].deleteButtonTapped)
    await store.receive(\.columns[id: UUID(3)].delegate.delete) {
      $0.step { $0.columns.remove(id: UUID(3)) }
    }
    await clock.advance(by: .seconds(1))
    await store.receive(\.saveDue) { $0.saving = .saving }
    await store.receive(\.saved.failure) {
      $0.saving = .failed
      $0.destination = .alert(.notSaved)
    }
    hasRoom.setValue(true)
    await store.send(\.destination.alert.saveAgain) {
      $0.destination = nil
      $0.saving = .saving
    }
    await store.receive(\.saved.success) { $0.saving = .saved }
  }

  @Test func `collapsing a column, typing a title and working on a card do not save the board`()
    async
  {
    let store = store()
    await store.send(\.columns[id: UUID(1)].binding.isCollapsed, true) {
      $0.columns[id: UUID(1)]?.isCollapsed = true
    }
    await store.send(\.columns[id: UUID(1)].binding.newTitle, "Roof") {
      $0.columns[id: UUID(1)]?.newTitle = "Roof"
    }
    await work(on: 11, in: 1, store)
    await clock.advance(by: .seconds(1))
    await ticked(11, in: 1, store)
    await work(on: 11, in: 1, store)
    #expect(saved.value == [])
  }

  // MARK: Columns

  @Test func `a new column is titled with its number`() async {
    let store = store()
    await store.send(.addColumnButtonTapped) {
      $0.step {
        let column = BoardDocument.Column(id: UUID(0), title: "Column 4")
        $0.columns.append(BoardColumn.State(column))
      }
    }
    await save(store)
  }

  @Test func `the board reorders columns and ignores invalid moves`() async {
    let store = store()
    await store.send(.columnMoved(from: 0, to: 3)) {
      $0.step { $0.columns.append($0.columns.removeFirst()) }
    }
    #expect(store.state.columns.map(\.title) == ["Doing", "Done", "To do"])
    await store.send(.columnMoved(from: 3, to: 0))
    await store.send(.columnMoved(from: 0, to: 9))
    await save(store)
  }

  @Test func `moving a column keeps the work on its cards`() async {
    let store = store()
    await work(on: 21, in: 2, store)
    await store.send(.columnMoved(from: 1, to: 0)) { $0.step { $0.columns.swapAt(0, 1) } }
    await clock.advance(by: .seconds(1))
    await ticked(21, in: 2, store)
    await store.receive(\.saveDue) { $0.saving = .saving }
    await store.receive(\.saved.success) { $0.saving = .saved }
    await work(on: 21, in: 2, store)
  }

  @Test func `a column with cards is deleted only after a confirmation`() async {
    let store = store()
    await work(on: 21, in: 2, store)
    await store.send(\.columns[id: UUID(2)].deleteButtonTapped)
    await store.receive(\.columns[id: UUID(2)].delegate.delete) {
      $0.destination = .deleteColumn(.delete(sampleBoard.columns[1]))
    }
    await store.send(\.destination.dismiss) { $0.destination = nil }
    await store.send(\.columns[id: UUID(2)].deleteButtonTapped)
    await store.receive(\.columns[id: UUID(2)].delegate.delete) {
      $0.destination = .deleteColumn(.delete(sampleBoard.columns[1]))
    }
    await store.send(\.destination.deleteColumn.confirmed, UUID(2)) {
      $0.destination = nil
      $0.step { $0.columns.remove(id: UUID(2)) }
    }
    // Work on the card ended when its column was removed.
    await save(store)
    await clock.advance(by: .seconds(3))
  }

  @Test func `adding a card to a full column shows an alert`() async {
    let store = store()
    await store.send(\.columns[id: UUID(2)].binding.limit, 1) {
      $0.step { $0.columns[id: UUID(2)]?.limit = 1 }
    }
    await save(store)
    await store.send(\.columns[id: UUID(2)].binding.newTitle, "Roof") {
      $0.columns[id: UUID(2)]?.newTitle = "Roof"
    }
    await store.send(\.columns[id: UUID(2)].addButtonTapped)
    await store.receive(\.columns[id: UUID(2)].delegate.full) {
      $0.destination = .alert(.full("Doing"))
    }
    await store.send(\.destination.dismiss) { $0.destination = nil }
  }

  // MARK: Filter

  @Test func `the filter shows only cards that match its labels and text`() async {
    let store = store()
    await store.send(.filterLabelTapped(.idea)) {
      $0.$filter.withLock { $0.labels = [.idea] }
    }
    #expect(store.state.shownCards(of: UUID(1)).map(\.title) == ["A bench"])
    await store.send(.filterTextChanged("GATE")) { $0.$filter.withLock { $0.text = "GATE" } }
    #expect(store.state.shownCards(of: UUID(1)) == [])
    #expect(store.state.shownCards(of: UUID(2)).map(\.title) == ["A gate"])
    await store.send(.filterLabelTapped(.idea)) { $0.$filter.withLock { $0.labels = [] } }
    await store.send(.filterTextChanged("")) { $0.$filter.withLock { $0.text = "" } }
    #expect(store.state.shownCards(of: UUID(1)).count == 3)
  }
}
