import TCACore
import Testing

/// A presented feature and its parent.
@MainActor
@Suite(.timeLimit(.minutes(30))) struct PresentationTests {
  private let store = Store(initialState: Desk.State(job: Job.State())) { Desk() }
  private let gate = Gate()

  @Test func `ifLet runs the presented child before the parent`() {
    store.send(.job(.presented(.done("a"))))
    #expect(store.seen == [Job.State(done: ["a"])])
  }

  @Test(arguments: [PresentationAction.presented(Job.Action.done("a")), .dismiss])
  func `ifLet reports an action without a presented child and runs the parent`(
    action: PresentationAction<Job.Action>
  ) {
    store.send(.set(nil))
    let issues = recordingIssues { _ = store.send(.job(action)) }
    #expect(issues.count == 1)
    #expect(issues.first?.contains("    Desk.Action.job(") == true)
    #expect(store.seen.count == 2)
    #expect(store.job == nil)
  }

  @Test func `the parent sees the dismissed child before ifLet removes it`() {
    store.send(.job(.dismiss))
    #expect(store.seen == [Job.State()])
    #expect(store.job == nil)
  }

  @Test
  func `when a child is dismissed, the parent can replace it with a child that has another id`() {
    let store = Store(initialState: Desk.State(job: Job.State(id: 1))) {
      Desk(replacement: Job.State(id: 2))
    }
    store.send(.job(.dismiss))
    #expect(store.job == Job.State(id: 2))
  }

  @Test
  func `ifLet removes a dismissed child even if the parent sets a new state with the same id`() {
    let store = Store(initialState: Desk.State(job: Job.State(id: 1))) {
      Desk(replacement: Job.State(id: 1, done: ["new"]))
    }
    store.send(.job(.dismiss))
    #expect(store.job == nil)
  }

  @Test func `removing a presented child cancels its effects`() async {
    let task = store.send(.job(.presented(.work(gate, as: "a"))))
    store.send(.set(nil))
    await task.finish()
    #expect(await store.becomesIdle())
  }

  @Test func `presenting a child with another id cancels the effects of the previous one`() async {
    let task = store.send(.job(.presented(.work(gate, as: "a"))))
    store.send(.set(Job.State(id: 2)))
    await task.finish()
    #expect(store.job == Job.State(id: 2))
  }

  @Test func `replacing a child with one of the same id keeps its effects running`() async {
    let task = store.send(.job(.presented(.work(gate, as: "a"))))
    store.send(.set(Job.State(done: ["new"])))
    gate.open()
    await task.finish()
    #expect(store.job == Job.State(done: ["new", "a"]))
  }

  @Test func `changing the id of a presented child in its own action cancels the child's effects`()
    async
  {
    let task = store.send(.job(.presented(.work(gate, as: "a"))))
    store.send(.job(.presented(.become(2))))
    await task.finish()
    #expect(store.job == Job.State(id: 2))
  }

  @Test func `removing a child before ifLet cancels its effects in the same send`() async {
    let task = store.send(.job(.presented(.work(gate, as: "a"))))
    store.send(.setBefore(nil))
    await task.finish()
    #expect(await store.becomesIdle())
  }

  @Test func `removing a child after ifLet cancels effects at the next action`() async {
    let task = store.send(.job(.presented(.work(gate, as: "a"))))
    store.send(.setAfter(nil))
    #expect(!store.isIdle)
    store.send(.cancel)
    await task.finish()
    #expect(await store.becomesIdle())
  }

  @Test func `a cancellation by the parent reaches effects of the presented child`() async {
    let own = Gate()
    let tasks = [store.send(.job(.presented(.work(gate, as: "a")))), store.send(.work(own))]
    store.send(.cancel)
    gate.open()
    own.open()
    await tasks[1].finish()
    store.send(.job(.dismiss))
    await tasks[0].finish()
    #expect(store.seen.last == Job.State())
    #expect(store.done == [])
  }

  @Test func `a cancellation by the presented child does not reach effects of the parent`() async {
    let own = Gate()
    let task = store.send(.work(own))
    store.send(.job(.presented(.cancel)))
    own.open()
    store.send(.job(.dismiss))
    await task.finish()
    #expect(store.done == ["parent"])
    #expect(await store.becomesIdle())
  }

  @Test func `the task of the send that presents a child ends with the dismissal`() async {
    store.send(.set(nil))
    #expect(store.isIdle)
    let task = store.send(.set(Job.State()))
    #expect(!store.isIdle)
    store.send(.job(.dismiss))
    await task.finish()
    #expect(await store.becomesIdle())
  }

  @Test func `the task of a send does not wait for the dismissal of a child in the initial state`()
    async
  {
    let first = store.send(.cancel)
    #expect(first.isCancelled)
    await first.finish()
    // The first task does not affect the child: it can still dismiss itself.
    first.cancel()
    await store.send(.job(.presented(.close))).finish()
    #expect(store.job == nil)
    #expect(await store.becomesIdle())
  }

  @Test func `the task of the first send to a child ends with the effects that the send started`()
    async
  {
    let task = store.send(.job(.presented(.work(gate, as: "a"))))
    #expect(!task.isCancelled)
    gate.open()
    await task.finish()
    #expect(store.job?.done == ["a"])
    let cancelled = store.send(.job(.presented(.work(gate, as: "b"))))
    cancelled.cancel()
    await cancelled.finish()
    await store.send(.job(.presented(.close))).finish()
    #expect(store.job == nil)
    #expect(await store.becomesIdle())
  }

  @Test func `the task of a send does not wait for a child that a later reducer presents`() async {
    let store = Store(initialState: Desk.State()) { Desk() }
    store.send(.setAfter(Job.State()))
    await store.send(.job(.presented(.cancel))).finish()
    store.send(.job(.dismiss))
    #expect(store.job == nil)
    #expect(await store.becomesIdle())
  }

  @Test func `removing a child in its own action cancels that action's effects`() async {
    let store = Store(initialState: Desk.State(job: Job.State())) {
      Reduce<Desk.State, Desk.Action> { state, _ in
        state.job = nil
        return .none
      }
      .ifLet(\.$job, action: \.job) { Job() }
    }
    await store.send(.job(.presented(.work(gate, as: "a")))).finish()
    #expect(await store.becomesIdle())
  }

  @Test func `a child of the initial state can be dismissed by the first action`() {
    store.send(.job(.dismiss))
    #expect(store.job == nil)
    #expect(store.isIdle)
  }

  @Test func `the effect that waits for a dismissal is marked as internal to the library`() {
    let effect = DependencyValues.$_current.withValue(inStore) {
      var state = Desk.State()
      return Desk()._reduce(into: &state, action: .set(Job.State()))
    }
    var leaves: [Bool] = []
    _ = effect.mapLeaves { leaves.append($0.isInternal) }
    #expect(leaves == [true])
  }

  private var inStore: DependencyValues {
    var dependencies = DependencyValues()
    dependencies.storeContext = StoreContext()
    return dependencies
  }
}
