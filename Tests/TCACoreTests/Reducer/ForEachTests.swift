import TCACore
import Testing

/// A feature with rows.
@Reducer
struct Crew {
  @ObservableState
  struct State {
    var jobs: IdentifiedArrayOf<Job.State> = [Job.State(id: 1), Job.State(id: 2)]
    var seen: [[String]] = []
    var done: [String] = []
  }

  enum Action {
    case jobs(IdentifiedActionOf<Job>)
    case remove(Int)
    case reverse
    case work(Gate)
    case done
    case cancel
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      state.seen.append(state.jobs.flatMap(\.done))
      switch action {
      case .remove(let id): state.jobs.remove(id: id)
      case .reverse: state.jobs.reverse()
      case .work(let gate): return Job.work(gate) { .done }
      case .done: state.done.append("parent")
      case .cancel: return .cancel(id: Job.CancelID.work)
      case .jobs: break
      }
      return .none
    }
    .forEach(\.jobs, action: \.jobs, element: Job.init)
  }
}

/// A child for each element of a list.
@MainActor
@Suite(.timeLimit(.minutes(30))) struct ForEachTests {
  private let store = Store(initialState: Crew.State()) { Crew() }
  private let gates = [Gate(), Gate()]

  private func startBoth() -> [StoreTask] {
    [
      store.send(.jobs(.element(id: 1, action: .work(gates[0], as: "a")))),
      store.send(.jobs(.element(id: 2, action: .work(gates[1], as: "b")))),
    ]
  }

  private func finish(_ tasks: [StoreTask]) async {
    for gate in gates { gate.open() }
    for task in tasks { await task.finish() }
  }

  @Test func `forEach runs the element before the parent`() {
    store.send(.jobs(.element(id: 2, action: .done("b"))))
    #expect(store.seen == [["b"]])
  }

  @Test func `forEach reports an action for a missing element and runs the parent`() {
    let issues = recordingIssues { _ = store.send(.jobs(.element(id: 3, action: .done("c")))) }
    #expect(issues.count == 1)
    #expect(issues.first?.contains("element 3") == true)
    #expect(store.seen == [[]])
  }

  @Test func `removing an element cancels only the effects of that element`() async {
    let tasks = startBoth()
    store.send(.remove(1))
    await finish(tasks)
    #expect(store.jobs.elements == [Job.State(id: 2, done: ["b"])])
    #expect(store.isIdle)
  }

  @Test func `reordering elements cancels no effects`() async {
    let tasks = startBoth()
    store.send(.reverse)
    await finish(tasks)
    #expect(store.jobs.elements == [Job.State(id: 2, done: ["b"]), Job.State(id: 1, done: ["a"])])
  }

  @Test func `a cancellation by an element reaches neither its siblings nor the parent`() async {
    let own = Gate()
    let tasks = startBoth() + [store.send(.work(own))]
    store.send(.jobs(.element(id: 1, action: .cancel)))
    own.open()
    await finish(tasks)
    #expect(store.jobs.elements == [Job.State(id: 1), Job.State(id: 2, done: ["b"])])
    #expect(store.done == ["parent"])
  }

  @Test func `a cancellation by the parent reaches effects of all elements`() async {
    let tasks = startBoth() + [store.send(.work(Gate()))]
    store.send(.cancel)
    for task in tasks { await task.finish() }
    #expect(store.jobs.flatMap(\.done) == [])
    #expect(store.isIdle)
  }

  @Test func `changing an element cancels no effects`() async {
    let tasks = startBoth()
    store.send(.jobs(.element(id: 1, action: .done("edited"))))
    await finish(tasks)
    #expect(store.jobs.map(\.done) == [["edited", "a"], ["b"]])
  }

  @Test func `removing an element in an outer reducer does not cancel its effects`() async {
    let store = Store(initialState: Crew.State()) {
      Crew()
      Reduce<Crew.State, Crew.Action> { state, action in
        if case .work = action { state.jobs.remove(id: 1) }
        if case .done = action { state.jobs.append(Job.State(id: 1)) }
        return .none
      }
    }
    let task = store.send(.jobs(.element(id: 1, action: .work(gates[0], as: "a"))))
    let own = Gate()
    own.open()
    await store.send(.work(own)).finish()
    gates[0].open()
    await task.finish()
    #expect(store.jobs[id: 1]?.done == ["a"])
  }
}
