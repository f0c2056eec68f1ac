import TCACore
import Testing

/// A feature that reports a result to its parent.
@Reducer
private struct Teller {
  @ObservableState
  struct State: Equatable {}

  enum Action {
    case ask
    case delegate(Result<Int, Never>)
    case rows(IdentifiedAction<Int, Row>)

    @CasePathable
    enum Row { case renamed(String) }
  }

  var body: some ReducerOf<Self> {
    Reduce { _, action in
      guard case .ask = action else { return .none }
      return .merge(
        .send(.delegate(.success(41))),
        .send(.rows(.element(id: 1, action: .renamed("a"))))
      )
    }
  }
}

/// A failing `receive` by a case path shows the complete action, including the cases around the value.
@MainActor
@Suite struct ReceivedPathTests {
  @Test func `the issue of a received action shows the action's value and its case path`() async {
    let issues = await recordingIssues {
      let store = TestStore(initialState: Teller.State()) { Teller() }
      await store.send(.ask)
      await store.receive(\.delegate.success, 42)
      await store.receive(\.rows[id: 1].renamed, "b")
    }
    // The blank of the proportional format is a wide one.
    #expect(
      issues.map { $0.replacing("\u{2007}", with: " ") } == [
        """
        Received unexpected action: …

            − Teller.Action.delegate(.success(42))
            + Teller.Action.delegate(.success(41))

        (Expected: −, Actual: +)
        """,
        """
        Received unexpected action: …

              Teller.Action.rows(
                .element(
                  id: 1,
            −     action: .renamed("b")
            +     action: .renamed("a")
                )
              )

        (Expected: −, Actual: +)
        """,
      ]
    )
  }
}
