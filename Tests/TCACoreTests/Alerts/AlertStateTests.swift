import TCACore
import Testing

/// The descriptions of alerts, dialogs and their buttons.
@Suite struct AlertStateTests {
  private func dialog(
    _ visibility: ConfirmationDialogTitleVisibility
  ) -> ConfirmationDialogState<Int> {
    ConfirmationDialogState(titleVisibility: visibility) {
      TextState("Sort by ") + TextState(verbatim: "what?")
    } actions: {
      ButtonState(role: .cancel) { TextState("Cancel") }
      for number in 1...2 {
        ButtonState(action: .send(number)) { TextState("\(number)") }
      }
    }
  }

  @Test func `alerts and dialogs are compared and hashed without their ids`() {
    #expect(Folder.question == Folder.question)
    #expect(Folder.question.hashValue == Folder.question.hashValue)
    #expect(Folder.question.id != Folder.question.id)
    #expect(dialog(.hidden) == dialog(.hidden))
    #expect(dialog(.hidden) != dialog(.visible))
  }

  @Test func `map of a dialog transforms its buttons' actions and keeps title and visibility`() {
    let mapped = dialog(.visible).map { $0.map { "\($0)" } }
    #expect(mapped.buttons.map(\.action.action) == [nil, "1", "2"])
    #expect(mapped.titleVisibility == .visible)
    #expect(String(state: mapped.title) == "Sort by what?")
  }

  @Test func `an alert and a dialog round-trip through the log`() throws {
    let json = JSON(logging: Folder.question)
    #expect(
      json == [
        "title": "Delete?", "message": "For good.",
        "buttons": [
          [
            "action": ["action": ["delete": [:]]], "label": "Delete",
            "role": ["destructive": [:]],
          ]
        ],
      ]
    )
    #expect(
      try LogDecoder(json).value(AlertState<Folder.Action.Alert>.self) == Folder.question
    )
    let written = JSON(logging: dialog(.hidden))
    #expect(try LogDecoder(written).value(ConfirmationDialogState<Int>.self) == dialog(.hidden))
  }
}
