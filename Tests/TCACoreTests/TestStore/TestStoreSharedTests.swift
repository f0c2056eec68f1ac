import TCACore
import Testing

/// Shared values in a test store.
@MainActor
@Suite struct TestStoreSharedTests {
  private let clock = TestClock()

  private func store(exhaustivity: Exhaustivity = .on) -> TestStoreOf<Tally> {
    let store = TestStore(initialState: Tally.State(count: Shared(value: 0))) {
      Tally()
    } withDependencies: {
      $0.continuousClock = clock
    }
    store.exhaustivity = exhaustivity
    return store
  }

  @Test func `a test store asserts changes of shared values like those of other values`() async {
    let store = store()
    await store.send(.add(1)) { $0.$count.withLock { $0 = 1 } }
    await store.send(.add(1)) { state in
      // The snapshot. The value itself is already 2.
      #expect(state.count == 1)
      state.$count.withLock { $0 += 1 }
    }
    #expect(store.state.count == 2)
    await store.finish()
  }

  @Test func `a test store reports a wrong change of a shared value as a difference`() async {
    let store = store()
    let issues = await StoreIssues.of {
      await store.send(.add(1)) { $0.$count.withLock { $0 = 2 } }
    }
    #expect(
      issues.messages == [
        """
        A state change does not match expectation: …

              Tally.State(
            −   count: 2,
            +   count: 1,
                own: 0
              )

        (Expected: −, Actual: +)
        """
      ]
    )
    #expect(store.state.count == 1)
    await store.send(.add(1)) { $0.$count.withLock { $0 = 2 } }
  }

  @Test func `a test store reports an unasserted change of a shared value as a difference`() async {
    let store = store()
    let issues = await StoreIssues.of { await store.send(.add(1)) }
    #expect(
      issues.messages == [
        """
        State was not expected to change, but a change occurred: …

              Tally.State(
            −   count: 0,
            +   count: 1,
                own: 0
              )

        (Expected: −, Actual: +)
        """
      ]
    )
  }

  @Test func `a test store reports an asserted change of a shared value that did not happen`() async
  {
    let store = store()
    let issues = await StoreIssues.of {
      await store.send(.add(0)) { $0.$count.withLock { $0 = 1 } }
      await store.send(.add(0)) { $0.$count.withLock { _ in } }
      await store.send(.add(0)) { _ in }
    }
    #expect(
      issues.messages.map { $0.prefix(20) } == ["A state change does ", "Expected state to ch"]
    )
    #expect(store.state.count == 0)
  }

  @Test func `one assertion can cover changes of plain and shared values`() async {
    let store = store()
    await store.send(.addToBoth(1)) {
      $0.own = 1
      $0.$count.withLock { $0 = 1 }
    }
  }

  @Test func `receiving an action includes shared changes of actions that are not yet received`()
    async
  {
    let store = store()
    await store.send(.addLater([1, 10]))
    await clock.advance()
    await store.receive(.add(1)) { $0.$count.withLock { $0 = 11 } }
    await store.receive(.add(10))
  }

  @Test func `assert covers changes of shared values that an effect made`() async {
    let store = store()
    await store.send(.addInEffect(1))
    await clock.advance()
    store.assert { $0.$count.withLock { $0 = 1 } }
    await store.finish()
  }

  // On the main actor, the effect could begin at the first suspension.
  @Test func `an effect's change of a shared value is not part of its send`() async {
    let store = store()
    await store.send(.addAtOnceInEffect(1))
    #expect(store.state.count == 1)
    store.assert { $0.$count.withLock { $0 = 1 } }
    await store.finish()
  }

  @Test func `the finish method reports unasserted changes of shared values`() async {
    let store = store()
    await store.send(.addInEffect(1))
    await clock.advance()
    let line: UInt = #line + 1
    let issues = await StoreIssues.of { await store.finish() }
    #expect(
      issues.messages == [
        """
        Test store finished before asserting against changes to shared state.

        Assert them where they happen, or with "assert" at the end of the test. Unasserted \
        changes: …

        Int: …

            − 0
            + 1

        (Expected: −, Actual: +)
        """
      ]
    )
    #expect(issues.lines == [line])
  }

  @Test func `the end of a test reports unasserted changes of shared values`() async {
    let issues = await StoreIssues.of {
      let store = store()
      await store.send(.addInEffect(1))
      await clock.advance()
    }
    #expect(
      issues.messages.map { $0.prefix(68) } == [
        "Test store finished before asserting against changes to shared state"
      ]
    )
  }

  @Test func `unasserted changes of shared values are reported at the end even if effects run`()
    async
  {
    let finish: UInt = #line + 5
    let issues = await StoreIssues.of {
      let store = store()
      await store.send(.addLater([1]))
      await store.send(.addAtOnceInEffect(1))
      await store.finish(timeout: .zero)
      await store.skipInFlightEffects()
    }
    #expect(
      issues.messages.map { $0.prefix(44) } == [
        "Expected effects to finish, but 1 is still r",
        "Test store finished before asserting against",
      ]
    )
    #expect(issues.lines.first == finish)
  }

  @Test func `a non-exhaustive finish drops unasserted changes of shared values`() async {
    let issues = await StoreIssues.of {
      let store = store(exhaustivity: .off)
      await store.send(.addInEffect(1))
      await clock.advance()
      await store.finish()
      store.exhaustivity = .on
    }
    #expect(issues.all.isEmpty)
  }

  @Test func `a non-exhaustive test ignores unasserted changes of shared values`() async {
    let issues = await StoreIssues.of {
      let store = store(exhaustivity: .off)
      await store.send(.add(1))
      await store.send(.add(1)) { $0.$count.withLock { $0 = 2 } }
      await store.send(.addLater([1]))
      await clock.advance()
      await store.receive(\.add)
      await store.send(.addInEffect(1))
      await clock.advance()
      await store.finish()
    }
    #expect(issues.all.isEmpty)
  }

  @Test func `a non-exhaustive test reports wrong assertions of shared values`() async {
    let store = store(exhaustivity: .off)
    let issues = await StoreIssues.of {
      await store.send(.add(1)) { $0.$count.withLock { $0 = 2 } }
    }
    #expect(issues.messages.map { $0.prefix(20) } == ["A state change does "])
  }

  @Test func `skipReceivedActions also skips the actions' changes of shared values`() async {
    let store = store()
    await store.send(.addLater([1]))
    await clock.advance()
    await store.skipReceivedActions()
    await store.finish()
  }

  @Test func `two features with the same shared key share one value`() async {
    let store = TestStore(initialState: Lists.State()) { Lists() }
    await store.send(.append("a")) { $0.$first.withLock { $0 = ["a"] } }
    await store.send(.append("b")) { state in
      state.$second.withLock { $0.append("b") }
      #expect(state.first == ["a", "b"])
    }
    #expect(store.state.first == ["a", "b"])
  }
}

/// A feature with a shared count.
@Reducer
private struct Tally {
  @ObservableState
  struct State: Equatable {
    @Shared var count: Int
    var own = 0
  }

  enum Action: Equatable {
    case add(Int)
    case addToBoth(Int)
    case addLater([Int])
    case addInEffect(Int)
    case addAtOnceInEffect(Int)
  }

  @Dependency(\.continuousClock) private var clock

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .add(let number):
        state.$count.withLock { $0 += number }
        return .none
      case .addToBoth(let number):
        state.own += number
        state.$count.withLock { $0 += number }
        return .none
      case .addLater(let numbers):
        return .run { [clock] send in
          try await clock.sleep(for: .zero)
          for number in numbers { await send(.add(number)) }
        }
      case .addInEffect(let number):
        return .run { [clock, count = state.$count] _ in
          try await clock.sleep(for: .zero)
          count.withLock { $0 += number }
        }
      case .addAtOnceInEffect(let number):
        return .run { @MainActor [count = state.$count] _ in count.withLock { $0 += number } }
      }
    }
  }
}

/// A feature with two references to one list.
@Reducer
private struct Lists {
  @ObservableState
  struct State: Equatable {
    @Shared(.inMemory("test store lists")) var first: [String] = []
    @Shared(.inMemory("test store lists")) var second: [String] = []
  }

  enum Action {
    case append(String)
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .append(let text): state.$first.withLock { $0.append(text) }
      }
      return .none
    }
  }
}
