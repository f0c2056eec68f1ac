import TCACore
import Testing

/// Presented features, stacks and dismissals in tests.
@MainActor
@Suite struct TestStoreDismissTests {
  @Test func `a test store rejects actions after its feature has dismissed itself`() async {
    let store = TestStoreOf<Lab>.lab()
    await store.send(.sendAfter(.seconds(1), []))
    #expect(!store.isDismissed)
    await store.send(.close)
    #expect(store.isDismissed)
    let line: UInt = #line + 2
    let issues = await StoreIssues.of {
      let task = await store.send(.add(1))
      #expect(task.isCancelled)
    }
    #expect(
      issues.messages.first?.hasPrefix("Can't send action to dismissed test store.") == true
    )
    #expect(issues.lines == [line])
    #expect(store.state.count == 0)
    // The sleeping effect is ignored.
    await store.finish(timeout: .zero)
  }

  @Test func `a presented child without effects does not count as a running effect`() async {
    let store = TestStore(initialState: Gallery.State()) { Gallery() }
    let task = await store.send(.present) { $0.child = Leaf.State() }
    await store.finish(timeout: .zero)
    await store.send(.push) { $0.path.append(Leaf.State()) }
    #expect(!task.isCancelled)
    let issues = await StoreIssues.of { await task.finish(timeout: .zero) }
    #expect(issues.messages.count == 1)
    await task.cancel()
    #expect(task.isCancelled)
  }

  @Test func `a running effect of a child fails the test at the send that started it`() async {
    var line: UInt = 0
    let issues = await StoreIssues.of {
      let store = TestStore(initialState: Gallery.State(child: Leaf.State())) { Gallery() }
      line = #line + 1
      await store.send(\.child.wait)
    }
    #expect(issues.messages.count == 1)
    #expect(issues.lines == [line])
  }

  @Test func `a test store receives the dismissal of a child that dismisses itself`() async {
    let store = TestStore(initialState: Gallery.State(child: Leaf.State())) { Gallery() }
    await store.send(\.child.wait)
    await store.send(\.child.close)
    await store.receive(\.child.dismiss) { $0.child = nil }
    await store.send(.present) { $0.child = Leaf.State() }
    await store.send(.child(.presented(.close)))
    await store.receive(.child(.dismiss)) { $0.child = nil }
  }

  @Test func `a test store receives popFrom when a stack element dismisses itself`() async {
    let store = TestStore(initialState: Gallery.State(path: StackState([Leaf.State()]))) {
      Gallery()
    }
    await store.send(\.path[id: 0].wait)
    await store.send(\.path[id: 0].close)
    await store.receive(\.path.popFrom) { $0.path = StackState() }
  }

  @Test func `stack elements that an assertion adds get the same ids as in the reducer`() async {
    let store = TestStore(initialState: Gallery.State()) { Gallery() }
    await store.send(.push) { $0.path.append(Leaf.State()) }
    await store.send(\.path.push, (id: 1, state: Leaf.State())) {
      $0.path[id: 1] = Leaf.State()
    }
    await store.send(\.path.popFrom, 1) { $0.path.pop(from: 1) }
    await store.send(\.path.push, (id: 2, Leaf.State(name: "two"))) {
      $0.path[id: 2] = Leaf.State(name: "two")
    }
    await store.send(.push) {
      // Ids that are assigned here do not shift later ones.
      let drawn = StackState([Leaf.State(), Leaf.State()])
      #expect(Array(drawn.ids) == [3, 4])
      $0.path[id: 3] = Leaf.State()
    }
    await store.send(.pushTwiceFromEffect)
    await store.receive(.push) { $0.path.append(Leaf.State()) }
    await store.receive(.push) { $0.path.append(Leaf.State()) }
    #expect(Array(store.state.path.ids) == [0, 2, 3, 4, 5])
    await store.send(\.path[id: 4].rename, "four") { $0.path[id: 4]?.name = "four" }
  }

  @Test func `a test store does not reuse ids of stack elements made before the store`() async {
    let state = Gallery.State(path: StackState([Leaf.State()]))
    let store = TestStore(initialState: state) { Gallery() }
    await store.send(\.path.popFrom, 0) { $0.path.pop(from: 0) }
    await store.send(.push) { $0.path.append(Leaf.State()) }
    #expect(Array(store.state.path.ids) == [1])
    let live = Store(initialState: state) { Gallery() }
    live.send(.path(.popFrom(id: 0)))
    live.send(.push)
    #expect(Array(live.state.path.ids) == [1])
  }

  @Test func `sending dismiss to a test store sets the child to nil and ends its effects`() async {
    let store = TestStore(initialState: Gallery.State(child: Leaf.State())) { Gallery() }
    await store.send(\.child.wait)
    await store.send(\.child.dismiss) { $0.child = nil }
    let issues = await StoreIssues.of { await store.send(\.child.rename, "gone") }
    #expect(issues.messages.count == 1)
    await store.finish(timeout: .zero)
  }

  @Test func `a test store sees no change of state if an alert presents an equal alert`() async {
    let store = TestStore(initialState: Gallery.State()) { Gallery() }
    await store.send(.warn) { $0.alert = .warning }
    await store.send(\.alert.again)
    await store.send(\.alert.confirm) { $0.alert = nil }
    await store.send(.warn) { $0.alert = .warning }
    await store.send(\.alert.dismiss) { $0.alert = nil }
  }
}
