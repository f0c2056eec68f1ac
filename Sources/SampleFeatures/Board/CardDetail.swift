package import TCACore

/// A sheet that edits a card and updates the board after a pause in typing.
@Reducer
package struct CardDetail: Sendable {
  @ObservableState
  package struct State: Equatable, Identifiable, Sendable {
    package var card: Card
    package let original: Card
    package var column: BoardColumn.State.ID
    @Shared(.boardFilter) package var filter
    @Presents package var dialog: ConfirmationDialogState<Action.Dialog>?

    package init(card: Card, column: BoardColumn.State.ID) {
      self.card = card
      self.column = column
      original = card
    }

    package var id: Card.ID { card.id }
    /// Whether the filter hides the card on the board.
    package var isHidden: Bool { !filter.admits(card) }
  }

  package enum Action: BindableAction, Sendable {
    case binding(BindingAction<State>)
    case columnPicked(BoardColumn.State.ID)
    case delegate(Delegate)
    case deleteButtonTapped
    case dialog(PresentationAction<Dialog>)
    case doneButtonTapped
    case revertButtonTapped
    case showButtonTapped

    @CasePathable
    package enum Dialog: Equatable, Sendable { case delete, revert }

    @CasePathable
    package enum Delegate: Equatable, Sendable {
      case delete(Card.ID)
      case edited(Card)
      case move(Card.ID, to: BoardColumn.State.ID)
    }
  }

  private enum CancelID { case edit }

  @Dependency(\.continuousClock) private var clock
  @Dependency(\.dismiss) private var dismiss

  package var body: some ReducerOf<Self> {
    BindingReducer()
      .onChange(of: \.card) { _, state in
        .run(name: "edit") { [card = state.card] send in
          try await clock.sleep(for: .milliseconds(500))
          await send(.delegate(.edited(card)))
        }
        .cancellable(id: CancelID.edit, cancelInFlight: true)
      }
    Reduce { state, action in
      switch action {
      case .columnPicked(let id):
        guard state.column != id else { return .none }
        return .send(.delegate(.move(state.id, to: id)))
      case .deleteButtonTapped:
        state.dialog = .delete
        return .none
      case .dialog(.presented(.delete)):
        return .run { [id = state.id] send in
          await send(.delegate(.delete(id)))
          await dismiss()
        }
      case .dialog(.presented(.revert)):
        state.card = state.original
        return .concatenate(
          .cancel(id: CancelID.edit),
          .send(.delegate(.edited(state.original)))
        )
      case .doneButtonTapped:
        return .concatenate(
          .cancel(id: CancelID.edit),
          .send(.delegate(.edited(state.card))),
          .run { _ in await dismiss() }
        )
      case .revertButtonTapped:
        guard state.card != state.original else { return .none }
        state.dialog = .revert
        return .none
      case .showButtonTapped:
        state.$filter.withLock { $0 = BoardFilter() }
        return .none
      case .binding, .delegate, .dialog:
        return .none
      }
    }
    .ifLet(\.$dialog, action: \.dialog)
  }
}

extension ConfirmationDialogState where Action == CardDetail.Action.Dialog {
  package static let delete = Self {
    TextState("Delete this card?")
  } actions: {
    ButtonState(role: .destructive, action: .delete) { TextState("Delete") }
  }

  package static let revert = Self {
    TextState("Give up all changes?")
  } actions: {
    ButtonState(role: .destructive, action: .revert) { TextState("Give up") }
    ButtonState(role: .cancel) { TextState("Keep") }
  }
}
