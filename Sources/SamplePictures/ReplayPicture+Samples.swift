import Foundation
import ReplayEngine
import SampleFeatures
import TCACore

/// The screens of the sample features.
extension ReplayPicture {
  package static func counter(_ state: Counter.State) -> ReplayPicture {
    var screen = PhoneScreen()
    screen.title("Counter", trailing: "Reset")
    screen.large(String(state.count), below: state.isTimerRunning ? "the timer runs" : "")
    screen.row("Add one", tint: .blue)
    screen.row("Take one away", tint: .blue)
    screen.row(
      state.isTimerRunning ? "Stop the timer" : "Start the timer",
      tint: state.isTimerRunning ? .red : .blue
    )
    screen.row("Throw the die", detail: state.die.map(String.init) ?? "", tint: .blue)
    let timer = state.isTimerRunning ? "; the timer runs" : ""
    let die = state.die.map { "; the die shows \($0)" } ?? ""
    return screen.picture("The counter is at \(state.count)\(timer)\(die).")
  }

  package static func todos(_ state: Todos.State) -> ReplayPicture {
    var screen = PhoneScreen()
    screen.title("Todos", leading: state.isSaving ? "Saving …" : "", trailing: "Add")
    let filters = Todos.Filter.allCases
    screen.segments(
      filters.map(\.rawValue.capitalized),
      chosen: filters.firstIndex(of: state.filter) ?? 0
    )
    if let error = state.saveError { screen.caption("Not saved: \(error)", tint: .red) }
    let shown = state.todos.filter { todo in
      switch state.filter {
      case .all: true
      case .active: !todo.isDone
      case .completed: todo.isDone
      }
    }
    for todo in shown {
      screen.row(
        todo.title.isEmpty ? "New todo" : todo.title,
        mark: todo.isDone ? .done : .open,
        tint: todo.title.isEmpty || todo.isDone ? .gray : .ink
      )
    }
    if shown.isEmpty { screen.caption("Nothing to do here.") }
    let done = state.todos.count { $0.isDone }
    screen.toolbar(["\(state.todos.count - done) open", "Clear \(done) done"])
    return screen.picture(
      "\(shown.count) of \(state.todos.count) todos, \(done) of all done, filter \(state.filter.rawValue)."
    )
  }

  package static func board(_ state: Board.State) -> ReplayPicture {
    var screen = PhoneScreen()
    let saving =
      switch state.saving {
      case .saved: ""
      case .pending: "Edited"
      case .saving: "Saving …"
      case .failed: "Not saved"
      }
    screen.title("Board", leading: saving, trailing: "Add")
    for column in state.columns {
      let count = column.cards.count
      screen.section(column.title + (column.limit.map { "  \(count) of \($0)" } ?? ""))
      let cards = state.shownCards(of: column.id)
      if column.isCollapsed {
        screen.row("\(count) cards", tint: .gray, leadsOn: true)
      } else if cards.isEmpty {
        screen.row("No cards", tint: .gray)
      } else {
        for card in cards {
          add(card, of: column, isDragged: state.drag?.card == card.id, to: &screen)
        }
      }
    }
    screen.toolbar(
      [state.history.past.isEmpty ? "" : "Undo", state.history.future.isEmpty ? "" : "Redo"]
    )
    let what = present(state.destination, in: state, on: &screen)
    let cards = state.columns.reduce(0) { $0 + $1.cards.count }
    return screen.picture("A board of \(state.columns.count) columns with \(cards) cards\(what).")
  }

  private static func add(
    _ card: Card,
    of column: BoardColumn.State,
    isDragged: Bool,
    to screen: inout PhoneScreen
  ) {
    let row = column.cards[id: card.id]
    let label = card.labels.sorted { $0.rawValue < $1.rawValue }.first
    let tint: PhoneScreen.Tint =
      switch label {
      case .chore: .blue
      case .fault: .red
      case .idea: .green
      case nil: .gray
      }
    let seconds = row.map { $0.isWorkedOn || $0.secondsWorked > 0 ? $0.secondsWorked : -1 } ?? -1
    screen.row(
      card.title,
      detail: seconds < 0 ? "" : "\(seconds) s",
      mark: .dot(tint),
      tint: isDragged ? .blue : .ink
    )
  }

  private static func present(
    _ destination: Board.Destination.State?,
    in state: Board.State,
    on screen: inout PhoneScreen
  ) -> String {
    switch destination {
    case nil: return ""
    case .alert(let alert):
      screen.show(alert)
      return "; alert: \(String(state: alert.title))"
    case .deleteColumn(let dialog):
      screen.show(dialog)
      return "; dialog: \(String(state: dialog.title))"
    case .card(let detail):
      screen.sheet()
      screen.bar("Card", leading: "Revert", trailing: "Done")
      screen.field("Title", detail.card.title)
      screen.field("Notes", detail.card.notes)
      screen.section("Labels")
      for label in CardLabel.allCases {
        screen.row(
          label.rawValue.capitalized,
          mark: detail.card.labels.contains(label) ? .chosen : .none
        )
      }
      screen.section("Column")
      for column in state.columns {
        screen.row(column.title, mark: column.id == detail.column ? .chosen : .none)
      }
      if detail.isHidden { screen.caption("The filter hides this card.") }
      screen.row("Delete", tint: .red)
      if let dialog = detail.dialog { screen.show(dialog) }
      return "; a sheet with the card \(detail.card.title)"
    }
  }
}

extension PhoneScreen {
  /// Shows an alert.
  mutating func show<Action>(_ alert: AlertState<Action>) {
    self.alert(
      String(state: alert.title),
      message: alert.message.map { String(state: $0) } ?? "",
      buttons: alert.buttons.map { (String(state: $0.label), $0.role == .destructive) }
    )
  }

  /// Shows a dialog.
  mutating func show<Action>(_ dialog: ConfirmationDialogState<Action>) {
    self.dialog(
      String(state: dialog.title),
      buttons: dialog.buttons.filter { $0.role != .cancel }
        .map { (String(state: $0.label), $0.role == .destructive) }
    )
  }
}
