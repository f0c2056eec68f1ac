import TCACore
import Testing

/// A feature whose effects change a shared value of its state, or one that no state holds.
private struct Ledger: Reducer {
  struct State: Equatable {
    @Shared var own: Int
    var rows: [Shared<Int>]
  }

  enum Action: CaseIterable { case changeForeign, changeOwn, changeRow }

  let foreign: Shared<Int>
  let gate: Gate

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    let changed =
      switch action {
      case .changeForeign: foreign
      case .changeOwn: state.$own
      case .changeRow: state.rows[0]
      }
    return .run { _ in
      await gate.wait()
      changed.withLock { $0 += 1 }
    }
  }
}

/// Changes of shared values, some of which a test must assert.
@MainActor
@Suite struct TestStoreForeignSharedTests {
  private func issues(_ action: Ledger.Action, finishing: Bool) async -> [String] {
    await StoreIssues.of {
      let state = Ledger.State(own: Shared(value: 0), rows: [Shared(value: 0)])
      let foreign = Shared(value: 0)
      let gate = Gate()
      let store = TestStore(initialState: state) { Ledger(foreign: foreign, gate: gate) }
      let task = await store.send(action)
      gate.open()
      await task.finish()
      #expect(state.own + state.rows[0].wrappedValue + foreign.wrappedValue == 1)
      if finishing { await store.finish() }
    }.messages
  }

  @Test(arguments: [true, false])
  func `a test store ignores changes of a shared value outside its state`(
    finishing: Bool
  ) async {
    #expect(await issues(.changeForeign, finishing: finishing) == [])
  }

  @Test(arguments: [Ledger.Action.changeOwn, .changeRow], [true, false])
  private func `a test store reports an unasserted change of a shared value in its state`(
    action: Ledger.Action,
    finishing: Bool
  ) async {
    let messages = await issues(action, finishing: finishing)
    #expect(
      messages.map { $0.prefix(68) } == [
        "Test store finished before asserting against changes to shared state"
      ]
    )
  }
}
