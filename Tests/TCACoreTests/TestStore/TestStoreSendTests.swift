import Foundation
import TCACore
import Testing

/// Sent actions, the comparison of states, and the values in the closures of assertions.
@MainActor
@Suite struct TestStoreSendTests {
  @Test func `an exhaustive send asserts each change of state`() async {
    let store = TestStoreOf<Lab>.lab()
    await store.send(.add(1)) { $0.count = 1 }
    await store.send(\.add, 2) { $0.count = 3 }
    await store.send(\.nothing)
    #expect(store.state == Lab.State(count: 3))
  }

  @Test func `a wrong assertion fails, and the test store continues with the actual state`() async {
    let store = TestStoreOf<Lab>.lab()
    let line: UInt = #line + 2
    let issues = await StoreIssues.of {
      await store.send(.add(1)) { $0.count = 2 }
    }
    #expect(issues.messages.count == 1)
    #expect(issues.lines == [line])
    await store.send(.add(1)) { $0.count = 2 }
  }

  @Test func `a non-exhaustive assertion receives the state after the action`() async {
    let store = TestStoreOf<Lab>.lab()
    store.exhaustivity = .off
    await store.send(.add(2)) { state in
      #expect(state.count == 2)
      state.count -= 0
    }
    await store.send(.add(2))
    let issues = await StoreIssues.of {
      await store.send(.add(2)) { $0.count += 2 }
    }
    #expect(issues.messages.count == 1)
  }

  @Test func `if skipped assertions are shown, a test with skipped assertions still passes`() async
  {
    let store = TestStoreOf<Lab>.lab()
    store.exhaustivity = .off(showSkippedAssertions: true)
    let issues = await StoreIssues.of {
      await store.send(.add(2))
      await store.send(.send([.add(1)]))
      await store.send(.nothing)
      await store.send(.add(1)) { $0.count = 4 }
    }
    #expect(issues.messages == [])
    #expect(issues.shown.count == 2)
  }

  @Test func `withExhaustivity changes the exhaustivity during its operation only`() async {
    let store = TestStoreOf<Lab>.lab()
    await store.withExhaustivity(.off) {
      await store.send(.add(1))
    }
    #expect(store.exhaustivity == .on)
    store.withExhaustivity(.off) {
      store.assert { $0.count = 1 }
    }
    #expect(store.exhaustivity == .on)
  }

  @Test func `assert checks the state of a test store without an action`() async {
    let store = TestStoreOf<Lab>.lab()
    await store.send(.add(1)) { $0.count = 1 }
    store.assert { $0.count = 1 }
    let issues = await StoreIssues.of { store.assert { $0.count = 2 } }
    #expect(issues.messages.count == 1)
  }

  @Test func `a test store sets dependencies once, for its state and reducer`() async {
    struct State: Equatable {
      @Dependency(\.uuid) private var uuid
      let id: UUID
      var now = Date.distantPast
      init() {
        @Dependency(\.uuid) var uuid
        id = uuid()
      }
      static func == (lhs: State, rhs: State) -> Bool { lhs.id == rhs.id && lhs.now == rhs.now }
    }
    var calls = 0
    func makeReducer() -> some Reducer<State, Void> {
      @Dependency(\.date) var date
      return Reduce<State, Void> { [now = date()] state, _ in
        state.now = now
        return .none
      }
    }
    let store = TestStore(initialState: State()) {
      makeReducer()
    } withDependencies: {
      calls += 1
      $0.uuid = .incrementing
      $0.date = .constant(Date(timeIntervalSince1970: 7))
    }
    #expect(calls == 1)
    #expect(store.state.id == UUID(uuidString: "00000000-0000-0000-0000-000000000000"))
    await store.send(()) {
      @Dependency(\.date.now) var now
      $0.now = now
    }
  }

  @Test func `dependencies set on a test store apply only to later sends`() async {
    let store = TestStoreOf<Lab>.lab()
    store.dependencies.date = .constant(Date(timeIntervalSince1970: 1))
    await store.send(.readDate) {
      @Dependency(\.date.now) var now
      $0.notes = ["\(now.timeIntervalSince1970)"]
    }
    store.dependencies.date.now = Date(timeIntervalSince1970: 2)
    await store.send(.readDate) { $0.notes = ["1.0", "2.0"] }
    await store.withDependencies {
      $0.date.now = Date(timeIntervalSince1970: 3)
    } operation: {
      await store.send(.readDate) { $0.notes.append("3.0") }
    }
    store.withDependencies {
      $0.date.now = Date(timeIntervalSince1970: 3)
    } operation: {
      #expect(store.dependencies.date.now == Date(timeIntervalSince1970: 3))
    }
    await store.send(.readDate) { $0.notes.append("2.0") }
  }

  @Test func `the task of an action without effects is finished in a test store`() async {
    let store = TestStoreOf<Lab>.lab()
    let task = await store.send(.nothing)
    #expect(task.isCancelled)
    await task.finish(timeout: .zero)
    await task.cancel()
  }

  @Test
  func `the task of a test store's send also waits for effects that its effects have started`()
    async
  {
    let store = TestStoreOf<Lab>.lab()
    let task = await store.send(.send([.sendAfter(.seconds(1), [.add(1)])]))
    await store.receive(\.sendAfter)
    let line: UInt = #line + 2
    let issues = await StoreIssues.of {
      await task.finish(timeout: .milliseconds(10))
    }
    #expect(issues.messages.count == 1)
    #expect(issues.lines == [line])
    #expect(!task.isCancelled)
    await task.cancel()
    #expect(task.isCancelled)
    await store.finish(timeout: .zero)
  }

  @Test func `when the task of a test store's send has finished, all its actions can be received`()
    async
  {
    let clock = TestClock()
    let store = TestStoreOf<Lab>.lab(clock: clock)
    let task = await store.send(.sendAfter(.seconds(1), [.add(1)]))
    await clock.advance(by: .seconds(1))
    await task.finish()
    await store.receive(.add(1), timeout: .zero) { $0.count = 1 }
  }
}
