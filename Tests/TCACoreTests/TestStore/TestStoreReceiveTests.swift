import TCACore
import Testing

/// Received actions: how they are queued, awaited and skipped.
@MainActor
@Suite struct TestStoreReceiveTests {
  @Test func `a test store applies an effect's action when it is received`() async {
    let store = TestStoreOf<Lab>.lab()
    await store.send(.send([.add(1), .add(10)]))
    #expect(store.state.count == 0)
    await store.receive(.add(1)) {
      #expect(store.state.count == 0)
      $0.count = 1
    }
    #expect(store.state.count == 1)
    await store.receive(.add(10)) { $0.count = 11 }
    await store.finish()
  }

  @Test func `a test store receives the actions of send effects in order`() async {
    let store = TestStoreOf<Lab>.lab()
    await store.send(.sendAtOnce([.add(1), .sendAtOnce([.add(2)])]))
    await store.receive(.add(1)) { $0.count = 1 }
    await store.receive(\.sendAtOnce)
    await store.receive(\.add, 2) { $0.count = 3 }
  }

  @Test func `receive waits while effects run`() async {
    let store = TestStoreOf<Lab>.lab()
    let gate = Gate()
    await store.send(.sendWhenOpen(gate, [.add(1)]))
    let opening = Task {
      // Many more yields than `receive` performs before it waits.
      await Task.megaYield(count: 100)
      gate.open()
    }
    await store.receive(.add(1), timeout: .seconds(10_000)) { $0.count = 1 }
    await opening.value
  }

  @Test func `receive fails immediately when no effect runs`() async {
    let store = TestStoreOf<Lab>.lab()
    let start = ContinuousClock.now
    let issues = await StoreIssues.of {
      await store.receive(\.add, timeout: .seconds(10_000))
    }
    #expect(start.duration(to: .now) < .seconds(1800))
    #expect(issues.messages.count == 1)
    #expect(issues.lines == [#line - 4])
  }

  @Test func `an exhaustive receive consumes the first action even if it does not match`() async {
    let store = TestStoreOf<Lab>.lab()
    await store.send(.send([.add(1), .note("a"), .add(2)]))
    let issues = await StoreIssues.of {
      await store.receive(.note("a"))
      #expect(store.state.count == 1)
      await store.receive(.note("a")) { $0.notes = ["a"] }
      await store.receive(.add(2)) { $0.count = 3 }
    }
    #expect(issues.messages.count == 1)
    #expect(
      issues.messages.first?.hasPrefix("Received unexpected action before this one: …") == true
    )
  }

  @Test func `a non-exhaustive receive waits for a match and drops earlier actions`() async {
    let store = TestStoreOf<Lab>.lab()
    store.exhaustivity = .off
    let gate = Gate()
    await store.send(.send([.add(1), .note("a")]))
    await store.send(.sendWhenOpen(gate, [.add(20), .note("b"), .note("c")]))
    gate.open()
    await store.receive(.note("b")) { $0.notes = ["a", "b"] }
    #expect(store.state == Lab.State(count: 21, notes: ["a", "b"]))
    await store.receive({ $0 == .note("c") })
  }

  @Test func `a non-exhaustive receive without a match fails and drops no action`() async {
    let store = TestStoreOf<Lab>.lab()
    store.exhaustivity = .off
    await store.send(.send([.add(1)]))
    let issues = await StoreIssues.of { await store.receive(\.note) }
    #expect(issues.messages.count == 1)
    await store.receive(\.add)
    #expect(store.state.count == 1)
  }

  @Test func `an exhaustive send with unreceived actions reports an issue`() async {
    let store = TestStoreOf<Lab>.lab()
    await store.send(.send([.add(1)]))
    let issues = await StoreIssues.of { await store.send(.nothing) { $0.count = 1 } }
    #expect(
      issues.messages.first?.hasPrefix("Must handle 1 received action before sending an action.")
        == true
    )
    #expect(issues.lines == [#line - 5])
    await store.skipReceivedActions()
  }

  @Test func `a non-exhaustive send applies and skips unreceived actions`() async {
    let store = TestStoreOf<Lab>.lab()
    store.exhaustivity = .off
    await store.send(.send([.add(1)]))
    #expect(store.state.count == 0)
    await store.send(.nothing)
    #expect(store.state.count == 1)
    await store.skipReceivedActions(strict: false)
    await store.finish()
  }
}
