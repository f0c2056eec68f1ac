import TCACore
import Testing

/// The end of a test: `finish`, skipping, and what the store checks when it goes away.
@MainActor
@Suite struct TestStoreEndTests {
  @Test func queuedActionsAtTheEndFailWhereTheStoreWasMade() async {
    var line: UInt = 0
    let issues = await StoreIssues.of {
      line = #line + 1
      let store = TestStore(initialState: Lab.State()) { Lab() }
      await store.send(.send([.add(1)]))
    }
    #expect(issues.messages.count == 1)
    #expect(
      issues.messages.first?
        .hasPrefix("The store received 1 unexpected action by the end of this test.") == true
    )
    #expect(issues.lines == [line])
  }

  @Test func runningEffectsAtTheEndFailAtTheSendThatStartedThem() async {
    var line: UInt = 0
    let issues = await StoreIssues.of {
      let store = TestStoreOf<Lab>.lab()
      line = #line + 1
      await store.send(.sendAtOnce([.sendAfter(.seconds(1), [])]))
      await store.receive(\.sendAfter)
    }
    #expect(issues.messages.count == 1)
    #expect(
      issues.messages.first?.contains(
        "It must complete before the end of the test."
      ) == true
    )
    #expect(issues.lines == [line])
  }

  @Test func nonExhaustiveTestsMayEndWithAnythingLeft() async {
    let issues = await StoreIssues.of {
      let store = TestStoreOf<Lab>.lab()
      store.exhaustivity = .off
      await store.send(.sendAfter(.seconds(1), []))
      await store.send(.send([.add(1)]))
    }
    #expect(issues.all.isEmpty)
  }

  @Test func finishWaitsForEffects() async {
    let clock = TestClock()
    let store = TestStoreOf<Lab>.lab(clock: clock)
    await store.send(.sendAfter(.seconds(1), [.add(1)]))
    let advance = Task {
      // Many times the turns that `finish` gives to others before it waits.
      await Task.megaYield(count: 100)
      await clock.advance(by: .seconds(1))
    }
    store.exhaustivity = .off
    await store.finish(timeout: .seconds(100))
    store.exhaustivity = .on
    await advance.value
    await store.receive(.add(1)) { $0.count = 1 }
  }

  @Test func finishFailsForRunningEffectsAndQueuedActionsOnce() async {
    var line: UInt = 0
    let issues = await StoreIssues.of {
      let store = TestStoreOf<Lab>.lab()
      await store.send(.sendAfter(.seconds(1), []))
      await store.send(.send([.add(1)]))
      line = #line + 1
      await store.finish(timeout: .zero)
    }
    #expect(issues.messages.count == 2)
    #expect(issues.lines == [line, line])
  }

  @Test func skippedEffectsMayStillDeliver() async {
    let clock = TestClock()
    let store = TestStoreOf<Lab>.lab(clock: clock)
    await store.send(.sendAfter(.seconds(1), [.add(1)]))
    let issues = await StoreIssues.of { await store.skipInFlightEffects() }
    #expect(issues.messages == [])
    #expect(issues.shown.count == 1)
    await store.finish()
    await clock.advance(by: .seconds(1))
    await store.receive(.add(1)) { $0.count = 1 }
  }

  @Test func skippedActionsMoveTheStateOn() async {
    let store = TestStoreOf<Lab>.lab()
    await store.send(.send([.add(1), .add(2)]))
    let issues = await StoreIssues.of { await store.skipReceivedActions() }
    #expect(issues.messages == [])
    #expect(issues.shown.count == 1)
    #expect(store.state.count == 3)
  }

  @Test func skippingNothingIsAnIssueUnlessItIsNotStrict() async {
    let store = TestStoreOf<Lab>.lab()
    let line: UInt = #line + 2
    let issues = await StoreIssues.of {
      await store.skipReceivedActions()
      await store.skipInFlightEffects()
      await store.skipReceivedActions(strict: false)
      await store.skipInFlightEffects(strict: false)
    }
    #expect(
      issues.messages == [
        """
        There were no received actions to skip. Remove "skipReceivedActions", or give it \
        "strict: false".
        """,
        """
        There were no running effects to skip. Remove "skipInFlightEffects", or give it \
        "strict: false".
        """,
      ]
    )
    #expect(issues.lines == [line, line + 1])
  }
}
