internal import Foundation
internal import TCACore

extension Board.State {
  /// In which column a card is.
  func column(of card: Card.ID) -> BoardColumn.State.ID? {
    columns.first { $0.cards[id: card] != nil }?.id
  }

  /// Moves a card, unless the other column is full; the work on it goes on there.
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

  /// Makes the board what a document says; rows that stay where they are keep what they are doing.
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
    // The work on cards that have gone, or are elsewhere, ends.
    return .merge(
      old.flatMap { column in
        column.cards
          .filter { $0.isWorkedOn && columns[id: column.id]?.cards[id: $0.id] == nil }
          .map { .cancel(id: CardRow.CancelID.work($0.id)) }
      }
    )
  }
}
