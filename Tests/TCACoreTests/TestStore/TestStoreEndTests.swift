import TCACore
import Testing

/// The end of a test: `finish`, skipping, and the checks when the store is deallocated.
@MainActor
@Suite struct TestStoreEndTests {
  @Test
  func `actions not received by the end of a test are reported where its test store was created`()
    async
  {
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

  @Test func `effects running at the end of a test are reported at the send that started them`()
    async
  {
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

  @Test func `a non-exhaustive test may end with running effects and unreceived actions`() async {
    let issues = await StoreIssues.of {
      let store = TestStoreOf<Lab>.lab()
      store.exhaustivity = .off
      await store.send(.sendAfter(.seconds(1), []))
      await store.send(.send([.add(1)]))
    }
    #expect(issues.all.isEmpty)
  }

  @Test func `an action that arrives while finish waits can be received afterward`() async {
    let clock = TestClock()
    let store = TestStoreOf<Lab>.lab(clock: clock)
    await store.send(.sendAfter(.seconds(1), [.add(1)]))
    // On the main actor, so that it begins when `finish` waits.
    let advance = Task { @MainActor in
      while clock.sleeperCount == 0 { await Task.yield() }
      await clock.advance(by: .seconds(1))
    }
    await store.finish(timeout: .seconds(1800))
    await advance.value
    await store.receive(.add(1)) { $0.count = 1 }
  }

  @Test func `problems that the finish method reports are reported again at the end of the test`()
    async
  {
    var (start, effect, finish): (UInt, UInt, UInt) = (0, 0, 0)
    let issues = await StoreIssues.of {
      start = #line + 1
      let store = TestStore(initialState: Lab.State()) {
        Lab()
      } withDependencies: {
        $0.continuousClock = TestClock()
      }
      effect = #line + 1
      await store.send(.sendAfter(.seconds(1), []))
      await store.send(.send([.add(1)]))
      finish = #line + 1
      await store.finish(timeout: .zero)
    }
    #expect(
      issues.messages == [
        Self.receivedAtEnd,
        Self.effectsRunning,
        Self.receivedAtEnd,
        """
        An effect "waiting" returned for this action is still running. It must complete before \
        the end of the test. …

            Lab.Action.sendAfter(Duration(1.0 seconds), [])

        It was started at App/Lab.swift:7.

        Receive the actions that it sends, advance the test clock that it sleeps on, cancel it \
        through the task of its "send", or leave it running on purpose with \
        "skipInFlightEffects".
        """,
      ]
    )
    #expect(issues.lines == [finish, finish, start, effect])
  }

  @Test func `actions that the finish method reports as unreceived can still be received`() async {
    let issues = await StoreIssues.of {
      let store = TestStoreOf<Lab>.lab()
      await store.send(.send([.add(1)]))
      await store.finish()
      await store.receive(.add(1)) { $0.count = 1 }
    }
    #expect(issues.all.map(\.message) == [Self.receivedAtEnd])
  }

  @Test func `effects that the finish method reports as running can still be skipped`() async {
    let issues = await StoreIssues.of {
      let store = TestStoreOf<Lab>.lab()
      await store.send(.sendAfter(.seconds(1), []))
      await store.finish(timeout: .zero)
      await store.skipInFlightEffects()
    }
    #expect(issues.messages == [Self.effectsRunning])
    #expect(
      issues.shown == [
        """
        Skipped assertions: …

        1 running effect skipped: …

            App/Lab.swift:7 "waiting", started by Lab.Action.sendAfter(Duration(1.0 seconds), [])
        """
      ]
    )
  }

  @Test func `a non-exhaustive finish shows remaining actions and effects without dropping them`()
    async
  {
    let issues = await StoreIssues.of {
      let store = TestStoreOf<Lab>.lab()
      store.exhaustivity = .off(showSkippedAssertions: true)
      await store.send(.sendAfter(.seconds(1), []))
      await store.send(.send([.add(1)]))
      await store.finish(timeout: .zero)
      store.exhaustivity = .on
      await store.receive(.add(1)) { $0.count = 1 }
      store.exhaustivity = .off
    }
    #expect(issues.messages == [])
    #expect(
      issues.shown == [
        "Skipped assertions: …\n\n\(Self.receivedAtEnd)",
        "Skipped assertions: …\n\n\(Self.effectsRunning)",
      ]
    )
  }

  /// The message about one action that was not received.
  private static let receivedAtEnd = """
    The store received 1 unexpected action by the end of this test.

    Assert them with "receive", or leave them out with "skipReceivedActions". Unhandled \
    actions: …

        Lab.Action.add(1)
    """

  /// The message about one effect that `finish` does not wait for.
  private static let effectsRunning = """
    Expected effects to finish, but 1 is still running after 0.0 seconds: …

        App/Lab.swift:7 "waiting", started by Lab.Action.sendAfter(Duration(1.0 seconds), [])

    If an effect sleeps on a test clock, advance the clock. If it needs more time, give a \
    longer "timeout". If it never ends, cancel it.
    """

  @Test func `a skipped effect can still send actions to be received`() async {
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

  @Test func `skipReceivedActions applies the actions' state changes`() async {
    let store = TestStoreOf<Lab>.lab()
    await store.send(.send([.add(1), .add(2)]))
    let issues = await StoreIssues.of { await store.skipReceivedActions() }
    #expect(issues.messages == [])
    #expect(issues.shown.count == 1)
    #expect(store.state.count == 3)
  }

  @Test
  func `skipping actions or effects when there are none reports an issue unless strict is false`()
    async
  {
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
