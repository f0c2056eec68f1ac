import Foundation
import SampleFeatures
import TCACore
import Testing

extension Card {
  /// Creates a card whose id is a number.
  init(_ number: Int, _ title: String, _ labels: Set<CardLabel> = []) {
    self.init(id: UUID(number), title: title, labels: labels)
  }
}

/// A column and its rows.
@MainActor
@Suite(.timeLimit(.minutes(30))) struct BoardColumnTests {
  private let clock = TestClock()

  private func store(limit: Int? = nil) -> TestStoreOf<BoardColumn> {
    let column = BoardDocument.Column(
      id: UUID(1),
      title: "To do",
      limit: limit,
      cards: [Card(11, "Hinges"), Card(12, "Door"), Card(13, "Bench")]
    )
    return TestStore(initialState: BoardColumn.State(column)) {
      BoardColumn()
    } withDependencies: {
      $0.continuousClock = clock
      $0.uuid = .incrementing
    }
  }

  /// Starts or ends the work on a card.
  private func work(on number: Int, _ store: TestStoreOf<BoardColumn>) async {
    await store.send(\.cards[id: UUID(number)].workButtonTapped) {
      $0.cards[id: UUID(number)]?.isWorkedOn.toggle()
    }
  }

  /// Advances the clock by a second in which one card is worked on.
  private func tick(_ number: Int, _ store: TestStoreOf<BoardColumn>) async {
    await clock.advance(by: .seconds(1))
    await store.receive(\.cards[id: UUID(number)].ticked) {
      $0.cards[id: UUID(number)]?.secondsWorked += 1
    }
  }

  @Test func `a column adds a card at the bottom with a trimmed title`() async {
    let store = store()
    await store.send(\.binding.newTitle, " Roof ") { $0.newTitle = " Roof " }
    await store.send(.addButtonTapped) {
      $0.newTitle = ""
      $0.cards.append(CardRow.State(card: Card(0, "Roof")))
    }
  }

  @Test(arguments: ["", "   "])
  func `a column does not add a card without a title`(title: String) async {
    let store = store()
    await store.send(.set(\.isCollapsed, true)) { $0.isCollapsed = true }
    if !title.isEmpty { await store.send(\.binding.newTitle, title) { $0.newTitle = title } }
    await store.send(.addButtonTapped)
  }

  @Test func `a full column reports that it is full instead of adding a card`() async {
    let store = store(limit: 3)
    await store.send(\.binding.newTitle, "Roof") { $0.newTitle = "Roof" }
    await store.send(.addButtonTapped)
    await store.receive(\.delegate.full)
    await store.send(\.binding.limit, 4) { $0.limit = 4 }
    await store.send(.addButtonTapped) {
      $0.newTitle = ""
      $0.cards.append(CardRow.State(card: Card(0, "Roof")))
    }
  }

  @Test(arguments: [(0, 1), (-3, 1), (7, 7)])
  func `the limit of a column is at least one card`(entered: Int, limit: Int) async {
    let store = store()
    await store.send(\.binding.limit, entered) { $0.limit = limit }
    await store.send(\.binding.limit, nil) { $0.limit = nil }
  }

  @Test func `a column reorders its cards and ignores invalid moves`() async {
    let store = store()
    await store.send(.moved(from: 0, to: 3)) {
      $0.cards.append($0.cards.removeFirst())
    }
    #expect(store.state.cards.ids == [UUID(12), UUID(13), UUID(11)])
    await store.send(.moved(from: 3, to: 0))
    await store.send(.moved(from: 0, to: 4))
  }

  @Test func `sorting a column keeps the work on its cards`() async {
    let store = store()
    await work(on: 11, store)
    await tick(11, store)
    await store.send(.sortButtonTapped) { $0.cards.swapAt(0, 2) }
    #expect(store.state.cards.map(\.card.title) == ["Bench", "Door", "Hinges"])
    await tick(11, store)
    await work(on: 11, store)
  }

  @Test func `deleting a card ends only the work on that card`() async {
    let store = store()
    await work(on: 11, store)
    await work(on: 12, store)
    await store.send(\.cards[id: UUID(11)].deleteSwiped)
    await store.receive(\.cards[id: UUID(11)].delegate.delete) { $0.cards.remove(id: UUID(11)) }
    await tick(12, store)
    await store.send(.remove(UUID(12))) { $0.cards.remove(id: UUID(12)) }
    await clock.advance(by: .seconds(5))
  }

  @Test func `a column works on several cards simultaneously`() async {
    let store = store()
    await work(on: 11, store)
    await clock.advance(by: .milliseconds(500))
    await work(on: 13, store)
    await clock.advance(by: .milliseconds(500))
    await store.receive(\.cards[id: UUID(11)].ticked) {
      $0.cards[id: UUID(11)]?.secondsWorked = 1
    }
    await clock.advance(by: .milliseconds(500))
    await store.receive(\.cards[id: UUID(13)].ticked) {
      $0.cards[id: UUID(13)]?.secondsWorked = 1
    }
    await work(on: 11, store)
    await work(on: 13, store)
  }

  @Test func `tapping a label of a card adds or removes the label`() async {
    let store = store()
    await store.send(\.cards[id: UUID(12)].labelTapped, .fault) {
      $0.cards[id: UUID(12)]?.card.labels = [.fault]
    }
    await store.send(\.cards[id: UUID(12)].labelTapped, .idea) {
      $0.cards[id: UUID(12)]?.card.labels = [.fault, .idea]
    }
    await store.send(\.cards[id: UUID(12)].labelTapped, .fault) {
      $0.cards[id: UUID(12)]?.card.labels = [.idea]
    }
  }

  @Test func `a tap on a card asks the parent to open it`() async {
    let store = store()
    await store.send(\.cards[id: UUID(12)].tapped)
    await store.receive(\.cards[id: UUID(12)].delegate.open)
    await store.receive(\.delegate.open, UUID(12))
  }

  @Test func `the delete button of a column asks the parent to delete the column`() async {
    let store = store()
    await store.send(.deleteButtonTapped)
    await store.receive(\.delegate.delete)
  }

  @Test func `work is not resumed on a card without work`() async {
    let store = store()
    await store.send(\.cards[id: UUID(11)].workResumed)
  }
}
