import TCACore
import Testing

@Suite("Dumps of the library's own types")
struct DumpModelTests {
  @Test(arguments: cases)
  func `a dump of a library type shows the values that it contains`(_ dump: DumpCase) {
    #expect(dump.actual() == dump.expected)
  }

  nonisolated static let cases: [DumpCase] = [
    DumpCase(
      "identified array",
      dump: {
        String(customDumping: IdentifiedArray(uniqueElements: [Dumped.User(id: 1, name: "A")]))
      },
      is: """
        [
          [0]: Dumped.User(
            id: 1,
            name: "A",
            favorites: []
          )
        ]
        """
    ),
    DumpCase(
      "ids",
      dump: {
        String(customDumping: IdentifiedArray(uniqueElements: [Dumped.User(id: 1, name: "A")]).ids)
      },
      is: """
        [
          [0]: 1
        ]
        """
    ),
    DumpCase(
      "stack",
      dump: {
        String(customDumping: StackState.of(Dumped.Counter(count: 1), Dumped.Counter(count: 2)))
      },
      is: """
        [
          #0: Dumped.Counter(count: 1),
          #1: Dumped.Counter(count: 2)
        ]
        """
    ),
    DumpCase(
      "empty stack",
      dump: { String(customDumping: StackState<Int>()) },
      is: """
        [:]
        """
    ),
    DumpCase(
      "stack id",
      dump: { String(customDumping: StackElementID(integerLiteral: 3)) },
      is: """
        #3
        """
    ),
    DumpCase(
      "binding",
      dump: { String(customDumping: BindingAction<Dumped.Form>.set(\.count, 1)) },
      is: #"""
        BindingAction.set(\Dumped.Form.count, 1)
        """#
    ),
    DumpCase(
      "binding in an action",
      dump: { String(customDumping: Dumped.FormAction.binding(.set(\.count, 1))) },
      is: #"""
        Dumped.FormAction.binding(.set(\Dumped.Form.count, 1))
        """#
    ),
    DumpCase(
      "alert",
      dump: {
        String(
          customDumping: AlertState<Dumped.Button> {
            TextState("Delete?")
          } actions: {
            ButtonState(role: .destructive, action: .delete) { TextState("Yes") }
            ButtonState { TextState("No") }
          } message: {
            TextState("Gone")
          }
        )
      },
      is: """
        AlertState(
          title: "Delete?",
          actions: [
            [0]: ButtonState(
              role: .destructive,
              action: .send(.delete),
              label: "Yes"
            ),
            [1]: ButtonState(label: "No")
          ],
          message: "Gone"
        )
        """
    ),
    DumpCase(
      "dialog",
      dump: {
        String(
          customDumping: ConfirmationDialogState<Dumped.Button>(titleVisibility: .visible) {
            TextState("Delete?")
          }
        )
      },
      is: """
        ConfirmationDialogState(
          title: "Delete?",
          titleVisibility: .visible
        )
        """
    ),
    DumpCase(
      "text",
      dump: { String(customDumping: TextState("x")) },
      is: """
        "x"
        """
    ),
    DumpCase(
      "observed state",
      dump: { String(customDumping: Dumped.Form(count: 1, child: Dumped.Child(name: "x"))) },
      is: """
        Dumped.Form(
          count: 1,
          child: Dumped.Child(name: "x"),
          plain: true
        )
        """
    ),
    DumpCase(
      "presented state",
      dump: { String(customDumping: Dumped.Presenter(child: Dumped.Counter())) },
      is: """
        Dumped.Presenter(
          child: Dumped.Counter(count: 0),
          _own: 1
        )
        """
    ),
    DumpCase(
      "nothing presented",
      dump: { String(customDumping: Dumped.Presenter()) },
      is: """
        Dumped.Presenter(
          child: nil,
          _own: 1
        )
        """
    ),
    DumpCase(
      "presentation action",
      dump: { String(customDumping: PresentationAction<Dumped.Step>.presented(.idle)) },
      is: """
        PresentationAction.presented(.idle)
        """
    ),
    DumpCase(
      "stack action",
      dump: {
        String(
          customDumping: StackAction<Dumped.Counter, Dumped.Step>.element(
            id: 0,
            action: .loading(1)
          )
        )
      },
      is: """
        StackAction.element(
          id: #0,
          action: .loading(1)
        )
        """
    ),
    DumpCase(
      "value behind a lock",
      dump: { String(customDumping: LockIsolated([1])) },
      is: """
        [
          [0]: 1
        ]
        """
    ),
  ]
}
