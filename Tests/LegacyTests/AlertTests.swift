import TCACore
import Testing

@MainActor
@Suite("Alerts and dialogs as they used to be made")
struct AlertTests {
  enum Action: Equatable {
    case delete
    case keep
  }

  nonisolated static var deletion: AlertState<Action> {
    AlertState {
      TextState("Sure?")
    } actions: {
      ButtonState(role: .destructive, action: .delete) { TextState("Delete") }
      ButtonState(role: .cancel, action: .send(.keep, animation: .default)) { TextState("Keep") }
    } message: {
      TextState("Gone.")
    }
  }

  @Test func `deprecated initializers of AlertState create alerts with buttons`() async throws {
    struct Code: OldCode {
      @available(*, deprecated)
      func run() async throws {
        let buttons: [AlertState<Action>.Button] = [
          .destructive(TextState("Delete"), action: .send(.delete)),
          .cancel(TextState("Keep"), action: .send(.keep, animation: .default)),
        ]
        #expect(
          AlertState(title: TextState("Sure?"), message: TextState("Gone."), buttons: buttons)
            == AlertTests.deletion
        )
        #expect(
          AlertState(
            title: TextState("Sure?"),
            message: TextState("Gone."),
            primaryButton: buttons[0],
            secondaryButton: buttons[1]
          ) == AlertTests.deletion
        )
        #expect(
          AlertState<Action>(title: TextState("Done")) == AlertState { TextState("Done") }
        )
        #expect(
          AlertState<Action>(
            title: TextState("Done"),
            dismissButton: .default(TextState("OK"), send: .keep)
          )
            == AlertState {
              TextState("Done")
            } actions: {
              ButtonState(action: .keep) { TextState("OK") }
            }
        )
      }
    }
    try await LegacyTests.run(Code.self)
  }

  @Test func `deprecated initializers of ConfirmationDialogState create dialogs with buttons`()
    async throws
  {
    struct Code: OldCode {
      @available(*, deprecated)
      func run() async throws {
        let sheet = ActionSheetState<Action>(
          title: TextState("Sure?"),
          message: TextState("Gone."),
          buttons: [
            .destructive(TextState("Delete"), send: .delete),
            .default(TextState("Keep"), action: .send(.keep)),
            .cancel(),
          ]
        )
        #expect(
          sheet
            == ConfirmationDialogState {
              TextState("Sure?")
            } actions: {
              ButtonState(role: .destructive, action: .delete) { TextState("Delete") }
              ButtonState(action: .keep) { TextState("Keep") }
              ButtonState(role: .cancel) { TextState("Cancel") }
            } message: {
              TextState("Gone.")
            }
        )
        let hidden = ConfirmationDialogState<Action>(
          title: TextState("Sure?"),
          titleVisibility: .hidden,
          buttons: [.cancel(TextState("No"), send: .keep)]
        )
        #expect(hidden.titleVisibility == .hidden)
        #expect(hidden.buttons.map(\.role) == [.cancel])
        #expect(hidden.buttons.map(\.action.action) == [.keep])
      }
    }
    try await LegacyTests.run(Code.self)
  }

  @Test func `alerts can be changed, and buttons run asynchronous closures with their action`()
    async
  {
    var alert = Self.deletion
    alert.title = TextState("Really?")
    alert.message = nil
    alert.buttons.removeLast()
    #expect(
      alert
        == AlertState {
          TextState("Really?")
        } actions: {
          ButtonState(role: .destructive, action: .delete) { TextState("Delete") }
        }
    )
    var performed: [Action?] = []
    for button in Self.deletion.buttons {
      await button.withAction { action in
        await Task.yield()
        performed.append(action)
      }
    }
    #expect(performed == [.delete, .keep])
  }
}
