import Foundation
import SampleFeatures
import TCACore
import Testing

/// Three columns.
///
/// The second one has room for one more card, and the third one is empty.
let sampleBoard = BoardDocument(
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
  /// Performs a step that can be undone.
  mutating func step(_ change: (inout Board.State) -> Void) {
    history = BoardHistory(past: history.past.suffix(BoardHistory.limit - 1) + [self.document])
    saving = .pending
    change(&self)
  }

  /// Moves a card to another column.
  mutating func take(_ card: Int, from: Int, to: Int, at index: Int = 0) {
    guard let row = columns[id: UUID(from)]?.cards.remove(id: UUID(card)) else { return }
    columns[id: UUID(to)]?.cards.insert(row, at: index)
  }
}

/// Tests of a board with a separate clock and client.
@MainActor protocol BoardSuite {
  var clock: TestClock<Duration> { get }
  /// The saved boards.
  var saved: LockIsolated<[BoardDocument]> { get }
}

extension BoardSuite {
  func store(
    _ prepare: @escaping (inout BoardClient) -> Void = { _ in }
  ) -> TestStoreOf<Board> {
    TestStore(initialState: Board.State(sampleBoard)) {
      Board()
    } withDependencies: {
      $0.continuousClock = clock
      $0.uuid = .incrementing
      $0.board.save = { [saved] document in saved.withValue { $0.append(document) } }
      prepare(&$0.board)
    }
  }

  /// Advances the clock until the board is saved.
  func save(_ store: TestStoreOf<Board>) async {
    await clock.advance(by: .seconds(1))
    await store.receive(\.saveDue) { $0.saving = .saving }
    await store.receive(\.saved.success) { $0.saving = .saved }
    #expect(saved.value.last == store.state.document)
  }

  /// Starts or ends the work on a card.
  func work(on card: Int, in column: Int, _ store: TestStoreOf<Board>) async {
    await store.send(\.columns[id: UUID(column)].cards[id: UUID(card)].workButtonTapped) {
      $0.columns[id: UUID(column)]?.cards[id: UUID(card)]?.isWorkedOn.toggle()
    }
  }

  /// Receives the tick of a second of work.
  func ticked(_ card: Int, in column: Int, _ store: TestStoreOf<Board>) async {
    await store.receive(\.columns[id: UUID(column)].cards[id: UUID(card)].ticked) {
      $0.columns[id: UUID(column)]?.cards[id: UUID(card)]?.secondsWorked += 1
    }
  }

  /// Opens the sheet of a card.
  func open(_ card: Int, in column: Int, _ store: TestStoreOf<Board>) async {
    await store.send(\.columns[id: UUID(column)].cards[id: UUID(card)].tapped)
    await store.receive(\.columns[id: UUID(column)].cards[id: UUID(card)].delegate.open)
    await store.receive(\.columns[id: UUID(column)].delegate.open) {
      guard let row = $0.columns[id: UUID(column)]?.cards[id: UUID(card)] else { return }
      $0.destination = .card(CardDetail.State(card: row.card, column: UUID(column)))
    }
  }
}
