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

/// A child whose state is there now and then.
@MainActor
@Suite(.timeLimit(.minutes(30))) struct IfLetTests {
  private let store = Store(initialState: Office.State(job: Job.State())) { Office() }
  private let gate = Gate()

  @Test func theChildRunsFirstAndTheParentSeesItsChange() {
    store.send(.job(.done("a")))
    #expect(store.seen == [["a"]])
  }

  @Test func anActionWithoutStateIsAnIssueAndTheParentRuns() {
    store.send(.set(nil))
    let issues = recordingIssues { _ = store.send(.job(.done("a"))) }
    #expect(issues.count == 1)
    #expect(issues.first?.contains("    Office.Action.job(.done(\"a\"))\n") == true)
    #expect(store.seen.count == 2)
    #expect(store.job == nil)
  }

  @Test func removingTheStateCancelsItsEffectsInTheSameSend() async {
    let task = store.send(.job(.work(gate, as: "a")))
    store.send(.set(nil))
    await task.finish()
    #expect(store.isIdle)
  }

  @Test func anotherIDCancelsTheEffectsOfTheOldOne() async {
    let task = store.send(.job(.work(gate, as: "a")))
    store.send(.set(Job.State(id: 2)))
    await task.finish()
    #expect(store.job?.done == [])
    #expect(store.isIdle)
  }

  @Test func theSameIDKeepsEffectsAndFeedsTheNewValue() async {
    let task = store.send(.job(.work(gate, as: "a")))
    store.send(.set(Job.State(done: ["new"])))
    gate.open()
    await task.finish()
    #expect(store.job?.done == ["new", "a"])
  }

  @Test func aChildThatChangesItsOwnIDLosesItsEffects() async {
    let task = store.send(.job(.work(gate, as: "a")))
    store.send(.job(.become(2)))
    await task.finish()
    #expect(store.job == Job.State(id: 2))
    #expect(store.isIdle)
  }

  @Test func removalByAnOuterReducerIsNotNoticed() async {
    let task = store.send(.job(.work(gate, as: "a")))
    store.send(.setFromOutside(nil))
    store.send(.setFromOutside(Job.State()))
    gate.open()
    await task.finish()
    #expect(store.job?.done == ["a"])
  }

  @Test func aCancellationOfTheParentReachesTheChild() async {
    let own = Gate()
    let tasks = [store.send(.job(.work(gate, as: "a"))), store.send(.work(own))]
    store.send(.cancel)
    for task in tasks { await task.finish() }
    #expect(store.job?.done == [])
    #expect(store.done == [])
    #expect(store.isIdle)
  }

  @Test func aCancellationOfTheChildDoesNotReachTheParent() async {
    let own = Gate()
    let tasks = [store.send(.job(.work(gate, as: "a"))), store.send(.work(own))]
    store.send(.job(.cancel))
    own.open()
    for task in tasks { await task.finish() }
    #expect(store.job?.done == [])
    #expect(store.done == ["parent"])
  }

  @Test func actionsNeedNoCasePaths() {
    let store = Store(initialState: Int?.none) {
      EmptyReducer<Int?, Void>().ifLet(\.self, action: \.self) {}
    }
    #expect(recordingIssues { _ = store.send(()) }.count == 1)
  }
}
