import ActionLog
import Foundation
import ReplayEngine
import SampleFeatures
import TCAReplay
import TestSupport

/// A user who moves cards.
enum BoardUser {
  static func action(_ state: JSON, _ random: inout SplitMix64) -> Board.Action? {
    let columns = state[path: "columns"]?.array ?? []
    let ids = columns.compactMap { $0[path: "id"]?.uuid }
    guard !ids.isEmpty else { return .task }
    if let destination = state[path: "destination"] {
      return presented(destination, columns: ids, &random).map { .destination($0) }
    }
    let cards = columns.flatMap { column in
      (column[path: "cards"]?.array ?? []).compactMap { $0[path: "card", "id"]?.uuid }
    }
    if state[path: "drag"] != nil {
      let index = Int.random(in: 0...3, using: &random)
      return .drag([.moved(to: ids.pick(&random), index: index), .ended, .cancelled].pick(&random))
    }
    switch Int.random(in: 0..<10, using: &random) {
    case 0: return .history([.undo, .undo, .redo].pick(&random))
    case 1:
      return [
        .addColumnButtonTapped, .columnMoved(from: 0, to: ids.count),
        .filterLabelTapped(CardLabel.allCases.pick(&random)), .filterTextChanged("a"), .saveDue,
      ].pick(&random)
    case 2, 3, 4: return cards.isEmpty ? .task : .drag(.began(cards.pick(&random)))
    default:
      let index = Int.random(in: ids.indices, using: &random)
      return .columns(.element(id: ids[index], action: column(columns[index], &random)))
    }
  }

  private static func column(_ state: JSON, _ random: inout SplitMix64) -> BoardColumn.Action {
    let cards = (state[path: "cards"]?.array ?? []).compactMap { $0[path: "card", "id"]?.uuid }
    guard !cards.isEmpty, Int.random(in: 0..<4, using: &random) > 0 else {
      return [
        .set(\.newTitle, "Paint"), .set(\.limit, 2), .addButtonTapped, .addButtonTapped,
        .sortButtonTapped, .moved(from: 0, to: 2), .deleteButtonTapped,
      ].pick(&random)
    }
    let action: CardRow.Action = [
      .workButtonTapped, .workButtonTapped, .labelTapped(CardLabel.allCases.pick(&random)),
      .tapped, .tapped, .deleteSwiped,
    ].pick(&random)
    return .cards(.element(id: cards.pick(&random), action: action))
  }

  private static func presented(
    _ destination: JSON,
    columns: [UUID],
    _ random: inout SplitMix64
  ) -> PresentationAction<Board.Destination.Action>? {
    if let dialog = destination[path: "deleteColumn", "_0"] {
      let button = dialog[path: "buttons"]?.array?.first
      guard let id = button?[path: "action", "action", "confirmed", "_0"]?.uuid else {
        return .dismiss
      }
      return [.dismiss, .presented(.deleteColumn(.confirmed(id)))].pick(&random)
    }
    guard let card = destination[path: "card", "_0"] else { return .dismiss }
    if card[path: "dialog"] != nil {
      return .presented(
        .card(.dialog([.dismiss, .presented(.revert), .presented(.delete)].pick(&random)))
      )
    }
    return .presented(
      .card(
        [
          .set(\.card.title, "Sweep"), .set(\.card.notes, "Soon"),
          .columnPicked(columns.pick(&random)),
          .deleteButtonTapped, .revertButtonTapped, .showButtonTapped, .doneButtonTapped,
        ].pick(&random)
      )
    )
  }
}
