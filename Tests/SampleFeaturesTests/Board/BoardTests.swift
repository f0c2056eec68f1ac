import Foundation
import SampleFeatures
import TCACore
import Testing

/// Three columns, of which the second one has room for one more card, and the third one is empty.
private let document = BoardDocument(
  columns: [
    BoardDocument.Column(
      id: UUID(1),
      title: "To do",
      cards: [
        Card(11, "Oil the hinges", [.chore]), Card(12, "The door jams", [.fault]),
        Card(13, "A bench", [.idea]),
      ]
    ),
    BoardDocument.Column(
      id: UUID(2),
      title: "Doing",
      limit: 2,
      cards: [Card(21, "A gate", [.idea])]
    ),
    BoardDocument.Column(id: UUID(3), title: "Done"),
  ]
)

extension Board.State {
  /// What a step that can be undone makes of the board.
  fileprivate mutating func step(_ change: (inout Board.State) -> Void) {
    history = BoardHistory(past: history.past.suffix(BoardHistory.limit - 1) + [self.document])
    saving = .pending
    change(&self)
  }

  /// Takes a card to another column.
  fileprivate mutating func take(_ card: Int, from: Int, to: Int, at index: Int = 0) {
    guard let row = columns[id: UUID(from)]?.cards.remove(id: UUID(card)) else { return }
    columns[id: UUID(to)]?.cards.insert(row, at: index)
  }
}

/// The board: its columns, undoing and saving.
@MainActor
@Suite(.timeLimit(.minutes(10))) struct BoardTests {
  private let clock = TestClock()
  private let saved = LockIsolated<[BoardDocument]>([])

  private func store(
    _ prepare: @escaping (inout BoardClient) -> Void = { _ in }
  ) -> TestStoreOf<Board> {
    TestStore(initialState: Board.State(document)) {
      Board()
    } withDependencies: {
      $0.continuousClock = clock
      $0.uuid = .incrementing
      $0.board.save = { [saved] document in saved.withValue { $0.append(document) } }
      prepare(&$0.board)
    }
  }

  /// Lets the time go by after which the board is saved.
  private func save(_ store: TestStoreOf<Board>) async {
    await clock.advance(by: .seconds(1))
    await store.receive(\.saveDue) { $0.saving = .saving }
    await store.receive(\.saved.success) { $0.saving = .saved }
    #expect(saved.value.last == store.state.document)
  }

  /// Starts or ends the work on a card.
  private func work(on card: Int, in column: Int, _ store: TestStoreOf<Board>) async {
    await store.send(\.columns[id: UUID(column)].cards[id: UUID(card)].workButtonTapped) {
      $0.columns[id: UUID(column)]?.cards[id: UUID(card)]?.isWorkedOn.toggle()
    }
  }

  /// Says that a second of work has gone by.
  private func ticked(_ card: Int, in column: Int, _ store: TestStoreOf<Board>) async {
    await store.receive(\.columns[id: UUID(column)].cards[id: UUID(card)].ticked) {
      $0.columns[id: UUID(column)]?.cards[id: UUID(card)]?.secondsWorked += 1
    }
  }

  // MARK: Loading and saving

  @Test func aBoardIsLoadedAndNotSavedAgain() async {
    let store = store { $0.load = { BoardDocument(columns: Array(document.columns.suffix(1))) } }
    await store.send(.task)
    await store.receive(\.loaded.success) {
      $0.columns = [BoardColumn.State(document.columns[2])]
    }
    await clock.advance(by: .seconds(5))
    #expect(saved.value == [])
  }

  @Test func aBoardThatCannotBeReadIsTriedAgain() async {
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

  @Test func severalChangesAreSavedOnce() async {
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

  @Test func aChangeWhileTheBoardIsSavedSavesItAnew() async {
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

  @Test func aBoardThatWasNotSavedIsSavedAgain() async {
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

  @Test func whatIsNotKeptIsNotSaved() async {
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

  @Test func columnsAreNumbered() async {
    let store = store()
    await store.send(.addColumnButtonTapped) {
      $0.step {
        let column = BoardDocument.Column(id: UUID(0), title: "Column 4")
        $0.columns.append(BoardColumn.State(column))
      }
    }
    await save(store)
  }

  @Test func columnsAreReorderedWithinTheBoard() async {
    let store = store()
    await store.send(.columnMoved(from: 0, to: 3)) {
      $0.step { $0.columns.append($0.columns.removeFirst()) }
    }
    #expect(store.state.columns.map(\.title) == ["Doing", "Done", "To do"])
    await store.send(.columnMoved(from: 3, to: 0))
    await store.send(.columnMoved(from: 0, to: 9))
    await save(store)
  }

  @Test func aColumnThatIsMovedKeepsItsWork() async {
    let store = store()
    await work(on: 21, in: 2, store)
    await store.send(.columnMoved(from: 1, to: 0)) { $0.step { $0.columns.swapAt(0, 1) } }
    await clock.advance(by: .seconds(1))
    await ticked(21, in: 2, store)
    await store.receive(\.saveDue) { $0.saving = .saving }
    await store.receive(\.saved.success) { $0.saving = .saved }
    await work(on: 21, in: 2, store)
  }

  @Test func aColumnWithCardsIsDeletedOnlyWhenTheUserSaysSo() async {
    let store = store()
    await work(on: 21, in: 2, store)
    await store.send(\.columns[id: UUID(2)].deleteButtonTapped)
    await store.receive(\.columns[id: UUID(2)].delegate.delete) {
      $0.destination = .deleteColumn(.delete(document.columns[1]))
    }
    await store.send(\.destination.dismiss) { $0.destination = nil }
    await store.send(\.columns[id: UUID(2)].deleteButtonTapped)
    await store.receive(\.columns[id: UUID(2)].delegate.delete) {
      $0.destination = .deleteColumn(.delete(document.columns[1]))
    }
    await store.send(\.destination.deleteColumn.confirmed, UUID(2)) {
      $0.destination = nil
      $0.step { $0.columns.remove(id: UUID(2)) }
    }
    // The card was worked on, which ended with its column.
    await save(store)
    await clock.advance(by: .seconds(3))
  }

  @Test func aFullColumnIsToldOf() async {
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

  // MARK: Undoing

  @Test func aStepIsUndoneAndDoneAgain() async {
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
      $0.history = BoardHistory(past: [document])
    }
    await store.send(\.history.redo)
    await save(store)
  }

  @Test func whatWasUndoneIsForgottenWithTheNextStep() async {
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

  @Test func fiveStepsCanBeUndone() async {
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

  @Test func withoutAStepThereIsNothingToUndo() async {
    let store = store()
    await store.send(\.history.undo)
    await store.send(\.history.redo)
  }

  @Test func theWorkOnACardThatIsUndoneEnds() async {
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

  @Test func theWorkOnOtherCardsGoesOn() async {
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

  // MARK: Dragging

  @Test func aDragIsOneStep() async {
    let store = store()
    await store.send(\.drag.began, UUID(11)) {
      $0.drag = Board.Drag(card: UUID(11), origin: document)
    }
    await store.send(\.drag.moved, (to: UUID(2), index: 1)) {
      $0.take(11, from: 1, to: 2, at: 1)
      $0.saving = .pending
    }
    await store.send(\.drag.moved, (to: UUID(3), index: 0)) { $0.take(11, from: 2, to: 3) }
    await store.send(\.drag.ended) {
      $0.drag = nil
      $0.history = BoardHistory(past: [document])
    }
    await save(store)
  }

  @Test func aDragBackToTheBeginningIsNoStep() async {
    let store = store()
    await store.send(\.drag.began, UUID(11)) {
      $0.drag = Board.Drag(card: UUID(11), origin: document)
    }
    await store.send(\.drag.moved, (to: UUID(3), index: 0)) {
      $0.take(11, from: 1, to: 3)
      $0.saving = .pending
    }
    await store.send(\.drag.moved, (to: UUID(1), index: 0)) { $0.take(11, from: 3, to: 1) }
    await store.send(\.drag.ended) { $0.drag = nil }
    await save(store)
  }

  @Test func aDragThatIsCancelledPutsTheCardBack() async {
    let store = store()
    await store.send(\.drag.began, UUID(12)) {
      $0.drag = Board.Drag(card: UUID(12), origin: document)
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
    #expect(saved.value == [document])
  }

  @Test func aFullColumnTakesNoCard() async {
    let store = store()
    await store.send(\.drag.began, UUID(11)) {
      $0.drag = Board.Drag(card: UUID(11), origin: document)
    }
    await store.send(\.drag.moved, (to: UUID(2), index: 0)) {
      $0.take(11, from: 1, to: 2)
      $0.saving = .pending
    }
    await store.send(\.drag.ended) {
      $0.drag = nil
      $0.history = BoardHistory(past: [document])
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
  func aCardIsDraggedWithinItsColumn(card: Int, index: Int, order: [Int]) async {
    let store = store()
    await store.send(\.drag.began, UUID(card)) {
      $0.drag = Board.Drag(card: UUID(card), origin: document)
    }
    await store.send(\.drag.moved, (to: UUID(1), index: index)) {
      let rows = order.compactMap { number in
        document.columns[0].cards.first { $0.id == UUID(number) }
      }
      $0.columns[id: UUID(1)]?.cards = IdentifiedArray(
        uniqueElements: rows.map { CardRow.State(card: $0) }
      )
      $0.saving = .pending
    }
    await store.send(\.drag.ended) {
      $0.drag = nil
      $0.history = BoardHistory(past: [document])
    }
    await save(store)
  }

  @Test func theWorkOnADraggedCardGoesOnInTheOtherColumn() async {
    let store = store()
    await work(on: 11, in: 1, store)
    await clock.advance(by: .milliseconds(400))
    await store.send(\.drag.began, UUID(11)) {
      $0.drag = Board.Drag(card: UUID(11), origin: document)
    }
    await store.send(\.drag.moved, (to: UUID(3), index: 0)) {
      $0.take(11, from: 1, to: 3)
      $0.saving = .pending
    }
    await store.receive(\.columns[id: UUID(3)].cards[id: UUID(11)].workResumed)
    await store.send(\.drag.ended) {
      $0.drag = nil
      $0.history = BoardHistory(past: [document])
    }
    // The second that began in the first column is not counted; it begins anew in the third one.
    await clock.advance(by: .milliseconds(600))
    await store.send(.columnMoved(from: 0, to: 2)) { $0.step { $0.columns.swapAt(0, 1) } }
    await clock.advance(by: .milliseconds(400))
    await ticked(11, in: 3, store)
    await work(on: 11, in: 3, store)
    await save(store)
  }

  @Test func whatIsNotThereIsNotDragged() async {
    let store = store()
    await store.send(\.drag.began, UUID(99))
    await store.send(\.drag.moved, (to: UUID(3), index: 0))
    await store.send(\.drag.ended)
    await store.send(\.drag.cancelled)
  }

  @Test func nothingIsUndoneDuringADrag() async {
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

  // MARK: Filter

  @Test func theFilterHidesCards() async {
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

  // MARK: A card

  private func open(_ card: Int, in column: Int, _ store: TestStoreOf<Board>) async {
    await store.send(\.columns[id: UUID(column)].cards[id: UUID(card)].tapped)
    await store.receive(\.columns[id: UUID(column)].cards[id: UUID(card)].delegate.open)
    await store.receive(\.columns[id: UUID(column)].delegate.open) {
      guard let row = $0.columns[id: UUID(column)]?.cards[id: UUID(card)] else { return }
      $0.destination = .card(CardDetail.State(card: row.card, column: UUID(column)))
    }
  }

  @Test func theBoardFollowsWhatIsTyped() async {
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

  @Test func whatWasJustTypedIsTakenOverWhenTheUserIsDone() async {
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

  @Test func whatWasJustTypedIsLostWhenTheSheetIsSwipedAway() async {
    let store = store()
    await open(12, in: 1, store)
    await store.send(.destination(.presented(.card(.set(\.card.title, "The gate"))))) {
      $0.destination?.modify(\.card) { $0.card.title = "The gate" }
    }
    await store.send(\.destination.dismiss) { $0.destination = nil }
    await clock.advance(by: .seconds(1))
    #expect(store.state.document == document)
  }

  @Test func aCardIsDeletedFromItsSheet() async {
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

  @Test func aCardIsMovedFromItsSheetAndTheWorkGoesOn() async {
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

  @Test func aFullColumnCannotBePickedInTheSheet() async {
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

  @Test func changesAreGivenUp() async {
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
    #expect(saved.value == [document])
  }

  @Test func theSheetShowsACardThatIsHiddenOnTheBoard() async {
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
