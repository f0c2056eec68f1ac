import TCACore
import Testing

/// A feature with optional state.
@Reducer
struct Office {
  @ObservableState
  struct State {
    var job: Job.State?
    var seen: [[String]] = []
    var done: [String] = []
  }

  enum Action {
    case job(Job.Action)
    case set(Job.State?)
    case setFromOutside(Job.State?)
    case work(Gate)
    case done
    case cancel
  }

  var body: some ReducerOf<Self> {
    CombineReducers {
      Reduce { state, action in
        state.seen.append(state.job?.done ?? [])
        switch action {
        case .set(let job): state.job = job
        case .work(let gate): return Job.work(gate) { .done }
        case .done: state.done.append("parent")
        case .cancel: return .cancel(id: Job.CancelID.work)
        case .job, .setFromOutside: break
        }
        return .none
      }
      .ifLet(\.job, action: \.job) { Job() }
    }
    Reduce { state, action in
      if case .setFromOutside(let job) = action { state.job = job }
      return .none
    }
  }
}

/// A child whose state exists only temporarily.
@MainActor
@Suite(.timeLimit(.minutes(30))) struct IfLetTests {
  private let store = Store(initialState: Office.State(job: Job.State())) { Office() }
  private let gate = Gate()

  @Test func `ifLet runs the child before the parent`() {
    store.send(.job(.done("a")))
    #expect(store.seen == [["a"]])
  }

  @Test func `ifLet reports an action without a child's state and runs the parent`() {
    store.send(.set(nil))
    let issues = recordingIssues { _ = store.send(.job(.done("a"))) }
    #expect(issues.count == 1)
    #expect(issues.first?.contains("    Office.Action.job(.done(\"a\"))\n") == true)
    #expect(store.seen.count == 2)
    #expect(store.job == nil)
  }

  @Test func `removing an optional child cancels its effects in the same send`() async {
    let task = store.send(.job(.work(gate, as: "a")))
    store.send(.set(nil))
    await task.finish()
    #expect(store.isIdle)
  }

  @Test func `an optional child with another id cancels the effects of the previous child`() async {
    let task = store.send(.job(.work(gate, as: "a")))
    store.send(.set(Job.State(id: 2)))
    await task.finish()
    #expect(store.job?.done == [])
    #expect(store.isIdle)
  }

  @Test func `replacing an optional child with one that has the same id keeps its effects`() async {
    let task = store.send(.job(.work(gate, as: "a")))
    store.send(.set(Job.State(done: ["new"])))
    gate.open()
    await task.finish()
    #expect(store.job?.done == ["new", "a"])
  }

  @Test func `changing the id of an optional child in its own action cancels the child's effects`()
    async
  {
    let task = store.send(.job(.work(gate, as: "a")))
    store.send(.job(.become(2)))
    await task.finish()
    #expect(store.job == Job.State(id: 2))
    #expect(store.isIdle)
  }

  @Test func `removing an optional child in an outer reducer does not cancel its effects`() async {
    let task = store.send(.job(.work(gate, as: "a")))
    store.send(.setFromOutside(nil))
    store.send(.setFromOutside(Job.State()))
    gate.open()
    await task.finish()
    #expect(store.job?.done == ["a"])
  }

  @Test func `a cancellation by the parent reaches effects of an optional child`() async {
    let own = Gate()
    let tasks = [store.send(.job(.work(gate, as: "a"))), store.send(.work(own))]
    store.send(.cancel)
    for task in tasks { await task.finish() }
    #expect(store.job?.done == [])
    #expect(store.done == [])
    #expect(store.isIdle)
  }

  @Test func `a cancellation by an optional child does not reach effects of the parent`() async {
    let own = Gate()
    let tasks = [store.send(.job(.work(gate, as: "a"))), store.send(.work(own))]
    store.send(.job(.cancel))
    own.open()
    for task in tasks { await task.finish() }
    #expect(store.job?.done == [])
    #expect(store.done == ["parent"])
  }

  @Test
  func `ifLet accepts actions without case paths and reports an action whose state is missing`() {
    let store = Store(initialState: Int?.none) {
      EmptyReducer<Int?, Void>().ifLet(\.self, action: \.self) {}
    }
    #expect(recordingIssues { _ = store.send(()) }.count == 1)
  }
}
