package import TCACore

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
    /// The card was moved while it was worked on, which goes on where it is now.
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
