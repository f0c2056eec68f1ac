package import Foundation
package import TCACore

/// A column of the board, with a row for each card.
@Reducer
package struct BoardColumn: Sendable {
  @ObservableState
  package struct State: Equatable, Identifiable, Sendable {
    package let id: UUID
    package var title: String
    package var limit: Int?
    package var cards: IdentifiedArrayOf<CardRow.State>
    /// The text in the field below the cards.
    package var newTitle = ""
    package var isCollapsed = false

    package init(_ column: BoardDocument.Column) {
      id = column.id
      title = column.title
      limit = column.limit
      cards = IdentifiedArray(uniqueElements: column.cards.map { CardRow.State(card: $0) })
    }

    /// The stored part of the column.
    package var document: BoardDocument.Column {
      BoardDocument.Column(id: id, title: title, limit: limit, cards: cards.map(\.card))
    }

    package var isFull: Bool { limit.map { cards.count >= $0 } ?? false }
  }

  package enum Action: BindableAction, Sendable {
    case addButtonTapped
    case binding(BindingAction<State>)
    case cards(IdentifiedActionOf<CardRow>)
    case delegate(Delegate)
    case deleteButtonTapped
    case moved(from: Int, to: Int)
    case remove(Card.ID)
    case sortButtonTapped

    @CasePathable
    package enum Delegate: Equatable, Sendable {
      case delete
      case full
      case open(Card.ID)
    }
  }

  @Dependency(\.uuid) private var uuid

  package init() {}

  package var body: some ReducerOf<Self> {
    BindingReducer()
      .onChange(of: \.limit) { _, state in
        // The smallest limit is one card.
        state.limit = state.limit.map { max($0, 1) }
        return .none
      }
    Reduce { state, action in
      switch action {
      case .addButtonTapped:
        return add(&state)
      case .cards(.element(let id, .delegate(.delete))), .remove(let id):
        state.cards.remove(id: id)
        return .none
      case .cards(.element(let id, .delegate(.open))):
        return .send(.delegate(.open(id)))
      case .deleteButtonTapped:
        return .send(.delegate(.delete))
      case .moved(let source, let destination):
        guard state.cards.indices.contains(source), (0...state.cards.count).contains(destination)
        else { return .none }
        state.cards.move(fromOffsets: [source], toOffset: destination)
        return .none
      case .sortButtonTapped:
        state.cards.sort { $0.card.title < $1.card.title }
        return .none
      case .binding, .cards, .delegate:
        return .none
      }
    }
    .forEach(\.cards, action: \.cards) { CardRow() }
  }

  private func add(_ state: inout State) -> Effect<Action> {
    let title = state.newTitle.trimmingCharacters(in: .whitespaces)
    guard !title.isEmpty else { return .none }
    guard !state.isFull else { return .send(.delegate(.full)) }
    state.newTitle = ""
    state.cards.append(CardRow.State(card: Card(id: uuid(), title: title)))
    return .none
  }
}

/// A card in its column.
@Reducer
package struct CardRow: Sendable {
  @ObservableState
  package struct State: Equatable, Identifiable, Sendable {
    package var card: Card
    package var isWorkedOn = false
    package var secondsWorked = 0

    package init(card: Card) {
      self.card = card
    }

    package var id: Card.ID { card.id }
  }

  package enum Action: Sendable {
    case delegate(Delegate)
    case deleteSwiped
    case labelTapped(CardLabel)
    case tapped
    case ticked
    /// The card was moved during its work, which continues in the new column.
    case workResumed
    case workButtonTapped

    @CasePathable
    package enum Delegate: Equatable, Sendable { case delete, open }
  }

  package enum CancelID: Hashable, Sendable { case work(Card.ID) }

  @Dependency(\.continuousClock) private var clock

  package var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .deleteSwiped:
        return .send(.delegate(.delete))
      case .labelTapped(let label):
        state.card.labels.formSymmetricDifference([label])
        return .none
      case .tapped:
        return .send(.delegate(.open))
      case .ticked:
        state.secondsWorked += 1
        return .none
      case .workButtonTapped:
        state.isWorkedOn.toggle()
        return state.isWorkedOn ? work(state) : .cancel(id: CancelID.work(state.id))
      case .workResumed:
        return state.isWorkedOn ? work(state) : .none
      case .delegate:
        return .none
      }
    }
  }

  private func work(_ state: State) -> Effect<Action> {
    .run(name: "work") { send in
      for await _ in clock.timer(interval: .seconds(1)) { await send(.ticked) }
    }
    .cancellable(id: CancelID.work(state.id), cancelInFlight: true)
  }
}
