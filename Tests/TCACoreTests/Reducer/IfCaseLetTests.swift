import TCACore
import Testing

/// A feature that is one of two jobs.
@Reducer
struct Shift {
  @ObservableState
  enum State: Equatable {
    case day(Job.State)
    case night(Job.State)
  }

  enum Action {
    case day(Job.Action)
    case night(Job.Action)
    case set(State)
    case work(Gate)
    case done
    case cancel
  }

  let seen: LockIsolated<[State]>

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      seen.withValue { $0.append(state) }
      switch action {
      case .set(let new): state = new
      case .work(let gate): return Job.work(gate) { .done }
      case .cancel: return .cancel(id: Job.CancelID.work)
      case .day, .night, .done: break
      }
      return .none
    }
    .ifCaseLet(\.day, action: \.day) { Job() }
    .ifCaseLet(\.night, action: \.night) { Job() }
  }
}

/// A child for each case of the state.
@MainActor
@Suite(.timeLimit(.minutes(30))) struct IfCaseLetTests {
  private let seen = LockIsolated<[Shift.State]>([])
  private let gate = Gate()

  private func store() -> StoreOf<Shift> {
    Store(initialState: .day(Job.State())) { Shift(seen: seen) }
  }

  @Test func `ifCaseLet runs the child before the parent`() {
    store().send(.day(.done("a")))
    #expect(seen.value == [.day(Job.State(done: ["a"]))])
  }

  @Test func `ifCaseLet reports an action for another case and runs the parent`() {
    let store = store()
    let issues = recordingIssues { _ = store.send(.night(.done("a"))) }
    #expect(issues.count == 1)
    #expect(issues.first?.contains("    State: Shift.State.day\n") == true)
    #expect(seen.value == [.day(Job.State())])
    #expect(store.state == .day(Job.State()))
  }

  @Test func `leaving a case cancels the effects of its child`() async {
    let store = store()
    let task = store.send(.day(.work(gate, as: "a")))
    store.send(.set(.night(Job.State())))
    await task.finish()
    #expect(store.state == .night(Job.State()))
    #expect(store.isIdle)
  }

  @Test func `a new child with another id in the same case cancels the previous child's effects`()
    async
  {
    let store = store()
    let task = store.send(.day(.work(gate, as: "a")))
    store.send(.set(.day(Job.State(id: 2))))
    await task.finish()
    #expect(store.isIdle)
  }

  @Test func `a child with the same case and id keeps its effects`() async {
    let store = store()
    let task = store.send(.day(.work(gate, as: "a")))
    store.send(.set(.day(Job.State(done: ["new"]))))
    gate.open()
    await task.finish()
    #expect(store.state == .day(Job.State(done: ["new", "a"])))
  }

  @Test func `a cancellation by an ifCaseLet child does not reach effects of the parent`() async {
    let store = store()
    let own = Gate()
    let tasks = [store.send(.day(.work(gate, as: "a"))), store.send(.work(own))]
    store.send(.day(.cancel))
    await tasks[0].finish()
    own.open()
    await tasks[1].finish()
    #expect(store.state == .day(Job.State()))
    // Four actions: three from outside, and one that the parent's effect sent.
    #expect(seen.value.count == 4)
  }

  @Test func `a cancellation by the parent reaches effects of an ifCaseLet child`() async {
    let store = store()
    let tasks = [store.send(.day(.work(gate, as: "a"))), store.send(.work(Gate()))]
    store.send(.cancel)
    for task in tasks { await task.finish() }
    #expect(seen.value.count == 3)
    #expect(store.isIdle)
  }
}
