internal import Foundation
package import TCACore

/// A board of columns with cards, which users drag between columns.
@Reducer
package struct Board: Sendable {
  @Reducer
  package enum Destination {
    case alert(AlertState<Board.Alert>)
    case card(CardDetail)
    case deleteColumn(ConfirmationDialogState<Board.DeleteColumn>)
  }

  @CasePathable
  package enum Alert: Equatable, Sendable { case loadAgain, saveAgain }

  @CasePathable
  package enum DeleteColumn: Equatable, Sendable { case confirmed(BoardColumn.State.ID) }

  @ObservableState
  package struct State: Equatable, Sendable {
    package var columns: IdentifiedArrayOf<BoardColumn.State>
    package var drag: Drag?
    @Shared(.boardFilter) package var filter
    package var history = BoardHistory()
    package var saving: Saving = .saved
    @Presents package var destination: Destination.State?

    package init(_ document: BoardDocument = BoardDocument()) {
      columns = IdentifiedArray(uniqueElements: document.columns.map { BoardColumn.State($0) })
    }

    /// The stored part of the board.
    package var document: BoardDocument {
      BoardDocument(columns: columns.map(\.document))
    }

    /// Returns the cards of a column that match the filter.
    package func shownCards(of id: BoardColumn.State.ID) -> [Card] {
      columns[id: id]?.cards.map(\.card).filter(filter.admits) ?? []
    }
  }

  /// A card that is being dragged.
  @LogValue
  package struct Drag: Equatable, Sendable {
    package let card: Card.ID
    /// The board before the drag began.
    package let origin: BoardDocument

    package init(card: Card.ID, origin: BoardDocument) {
      self.card = card
      self.origin = origin
    }
  }

  /// The progress of saving the board.
  @CasePathable
  package enum Saving: Equatable, Sendable {
    case saved
    case pending
    case saving
    case failed
  }

  package enum Action: Sendable {
    case addColumnButtonTapped
    case columns(IdentifiedActionOf<BoardColumn>)
    case columnMoved(from: Int, to: Int)
    case destination(PresentationAction<Destination.Action>)
    case drag(DragAction)
    case filterLabelTapped(CardLabel)
    case filterTextChanged(String)
    case history(BoardHistory.Action)
    case loaded(Result<BoardDocument, any Error>)
    case saveDue
    case saved(Result<Bool, any Error>)
    case task

    @CasePathable
    package enum DragAction: Equatable, Sendable {
      case began(Card.ID)
      case cancelled
      case ended
      case moved(to: BoardColumn.State.ID, index: Int)
    }
  }

  private enum CancelID { case save }

  @Dependency(\.board) private var board
  @Dependency(\.continuousClock) private var clock
  @Dependency(\.uuid) private var uuid

  package init() {}

  package var body: some ReducerOf<Self> {
    CombineReducers {
      CombineReducers { editing }
        .onChange(of: \.document) { old, state in
          // A drag is one undo step, which is added when the drag ends.
          if state.drag == nil { state.history.remember(old) }
          return .none
        }
      dragging
      undoing
    }
    .onChange(of: \.document) { _, state in
      state.saving = .pending
      return .run(name: "save later") { send in
        try await clock.sleep(for: .seconds(1))
        await send(.saveDue)
      }
      .cancellable(id: CancelID.save, cancelInFlight: true)
    }
    loadingAndSaving
  }

  /// Handles changes of columns and cards, except drags and undo.
  private var editing: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .addColumnButtonTapped:
        let column = BoardDocument.Column(id: uuid(), title: "Column \(state.columns.count + 1)")
        state.columns.append(BoardColumn.State(column))
        return .none
      case .columnMoved(let source, let destination):
        guard state.columns.indices.contains(source),
          (0...state.columns.count).contains(destination)
        else { return .none }
        state.columns.move(fromOffsets: [source], toOffset: destination)
        return .none
      case .columns(.element(let id, .delegate(let delegate))):
        return column(id, &state, delegate)
      case .destination(.presented(.card(.delegate(let delegate)))):
        return detail(&state, delegate)
      case .destination(.presented(.deleteColumn(.confirmed(let id)))):
        // Removing the column cancels the work on its cards.
        state.columns.remove(id: id)
        return .none
      case .filterLabelTapped(let label):
        state.$filter.labels.withLock { $0.formSymmetricDifference([label]) }
        return .none
      case .filterTextChanged(let text):
        state.$filter.text.withLock { $0 = text }
        return .none
      case .columns, .destination, .drag, .history, .loaded, .saveDue, .saved, .task:
        return .none
      }
    }
    .forEach(\.columns, action: \.columns) { BoardColumn() }
    .ifLet(\.$destination, action: \.destination)
  }

  private func column(
    _ id: BoardColumn.State.ID,
    _ state: inout State,
    _ delegate: BoardColumn.Action.Delegate
  ) -> Effect<Action> {
    guard let column = state.columns[id: id] else { return .none }
    switch delegate {
    case .delete:
      guard !column.cards.isEmpty else {
        state.columns.remove(id: id)
        return .none
      }
      state.destination = .deleteColumn(.delete(column.document))
    case .full:
      state.destination = .alert(.full(column.title))
    case .open(let card):
      guard let row = column.cards[id: card] else { return .none }
      state.destination = .card(CardDetail.State(card: row.card, column: id))
    }
    return .none
  }

  private func detail(
    _ state: inout State,
    _ delegate: CardDetail.Action.Delegate
  ) -> Effect<Action> {
    switch delegate {
    case .delete(let id):
      guard let column = state.column(of: id) else { return .none }
      return .send(.columns(.element(id: column, action: .remove(id))))
    case .edited(let card):
      guard let column = state.column(of: card.id) else { return .none }
      state.columns[id: column]?.cards[id: card.id]?.card = card
      return .none
    case .move(let card, let column):
      let effect = state.move(card, to: column, index: 0)
      state.destination.modify(\.card) { [place = state.column(of: card)] in
        if let place { $0.column = place }
      }
      return effect
    }
  }

  /// Drags a card, which moves to each position while the user drags it.
  private var dragging: some ReducerOf<Self> {
    Reduce { state, action in
      guard case .drag(let action) = action else { return .none }
      switch action {
      case .began(let card):
        guard state.column(of: card) != nil else { return .none }
        state.drag = Drag(card: card, origin: state.document)
        return .none
      case .cancelled:
        guard let drag = state.drag else { return .none }
        state.drag = nil
        return state.restore(drag.origin)
      case .ended:
        guard let drag = state.drag else { return .none }
        state.drag = nil
        if drag.origin != state.document { state.history.remember(drag.origin) }
        return .none
      case .moved(let column, let index):
        guard let drag = state.drag else { return .none }
        return state.move(drag.card, to: column, index: index)
      }
    }
  }

  /// Handles undo and redo.
  private var undoing: some ReducerOf<Self> {
    Reduce { state, action in
      guard case .history(let action) = action, state.drag == nil else { return .none }
      let document = state.document
      guard let other = state.history.step(action, from: document) else { return .none }
      return state.restore(other)
    }
  }

  private var loadingAndSaving: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .destination(.presented(.alert(.loadAgain))), .task:
        return .run(name: "load") { send in
          await send(.loaded(Result { try await board.load() }))
        }
      case .destination(.presented(.alert(.saveAgain))), .saveDue:
        state.saving = .saving
        return .run(name: "save", input: state.document) { [document = state.document] send in
          await send(
            .saved(
              Result {
                try await board.save(document: document)
                return true
              }
            )
          )
        }
        .cancellable(id: CancelID.save, cancelInFlight: true)
      case .loaded(.success(let document)):
        state.history = BoardHistory()
        return state.restore(document)
      case .loaded(.failure):
        state.destination = .alert(.notLoaded)
        return .none
      case .saved(.success):
        state.saving = .saved
        return .none
      case .saved(.failure):
        state.saving = .failed
        state.destination = .alert(.notSaved)
        return .none
      case .addColumnButtonTapped, .columnMoved, .columns, .destination, .drag, .filterLabelTapped,
        .filterTextChanged, .history:
        return .none
      }
    }
  }
}

extension Board.Destination.State: Equatable, Sendable {}
extension Board.Destination.Action: Sendable {}

extension AlertState where Action == Board.Alert {
  package static func full(_ column: String) -> Self {
    Self {
      TextState("\(column) is full")
    } message: {
      TextState("Finish something first.")
    }
  }

  package static let notLoaded = Self {
    TextState("The board cannot be read")
  } actions: {
    ButtonState(action: .loadAgain) { TextState("Try again") }
    ButtonState(role: .cancel) { TextState("Begin a new one") }
  }

  package static let notSaved = Self {
    TextState("The board was not saved")
  } actions: {
    ButtonState(action: .saveAgain) { TextState("Try again") }
    ButtonState(role: .cancel) { TextState("Later") }
  }
}

extension ConfirmationDialogState where Action == Board.DeleteColumn {
  package static func delete(_ column: BoardDocument.Column) -> Self {
    Self(titleVisibility: .visible) {
      TextState("Delete ") + TextState(verbatim: column.title) + TextState("?")
    } actions: {
      ButtonState(role: .destructive, action: .confirmed(column.id)) {
        TextState(column.cards.count == 1 ? "Delete its card too" : "Delete its cards too")
      }
    }
  }
}

extension Board.State {
  /// Returns the column of a card.
  func column(of card: Card.ID) -> BoardColumn.State.ID? {
    columns.first { $0.cards[id: card] != nil }?.id
  }

  /// Moves a card and continues its work there, unless the target column is full.
  mutating func move(
    _ card: Card.ID,
    to target: BoardColumn.State.ID,
    index: Int
  ) -> Effect<Board.Action> {
    guard let source = column(of: card), let column = columns[id: target] else { return .none }
    guard source != target else {
      guard let old = column.cards.index(id: card) else { return .none }
      let row = column.cards[old]
      columns[id: target]?.cards.remove(at: old)
      columns[id: target]?.cards.insert(row, at: min(max(index, 0), column.cards.count - 1))
      return .none
    }
    guard !column.isFull, let row = columns[id: source]?.cards.remove(id: card) else {
      return .none
    }
    columns[id: target]?.cards.insert(row, at: min(max(index, 0), column.cards.count))
    guard row.isWorkedOn else { return .none }
    let resume: CardRow.Action = .workResumed
    return .concatenate(
      .cancel(id: CardRow.CancelID.work(card)),
      .send(.columns(.element(id: target, action: .cards(.element(id: card, action: resume)))))
    )
  }

  /// Restores the board from a document; rows that stay in their column keep their effects.
  mutating func restore(_ document: BoardDocument) -> Effect<Board.Action> {
    let old = columns
    columns = IdentifiedArray(
      uniqueElements: document.columns.map { column in
        var state = BoardColumn.State(column)
        guard let former = old[id: column.id] else { return state }
        state.newTitle = former.newTitle
        state.isCollapsed = former.isCollapsed
        for id in state.cards.ids {
          guard let row = former.cards[id: id] else { continue }
          state.cards[id: id]?.isWorkedOn = row.isWorkedOn
          state.cards[id: id]?.secondsWorked = row.secondsWorked
        }
        return state
      }
    )
    // Cancels the work on cards that are gone or in another column.
    return .merge(
      old.flatMap { column in
        column.cards
          .filter { $0.isWorkedOn && columns[id: column.id]?.cards[id: $0.id] == nil }
          .map { .cancel(id: CardRow.CancelID.work($0.id)) }
      }
    )
  }
}
