import TCACore
import Testing

/// A child whose states have no id.
private struct Plain: Reducer {
  struct State: Equatable { var done: [String] = [] }

  func reduce(into state: inout State, action: Job.Action) -> Effect<Job.Action> {
    switch action {
    case .work(let gate, let name): return Job.work(gate) { .done(name) }
    case .done(let name): state.done.append(name)
    default: break
    }
    return .none
  }
}

/// A child that is an enum without features.
private struct Modal: Reducer {
  enum State: Equatable {
    case first([String])
    case second([String])

    var done: [String] {
      switch self {
      case .first(let done), .second(let done): done
      }
    }
  }

  func reduce(into state: inout State, action: Job.Action) -> Effect<Job.Action> {
    switch (action, state) {
    case (.work(let gate, let name), _): return Job.work(gate) { .done(name) }
    case (.done(let name), .first(let done)): state = .first(done + [name])
    case (.done(let name), .second(let done)): state = .second(done + [name])
    // The child changes its own case.
    case (.look, .first(let done)): state = .second(done)
    default: break
    }
    return .none
  }
}

/// A parent that sets its child with its own action.
private struct Parent<Child: Reducer>: Reducer where Child.Action == Job.Action {
  typealias State = Child.State?

  @CasePathable
  enum Action {
    case child(Job.Action)
    case set(Child.State?)
  }

  let child: Child

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      if case .set(let child) = action { state = child }
      return .none
    }
    .ifLet(\.self, action: \.child) { child }
  }
}

/// The conditions under which a value counts as another child.
@MainActor
@Suite(.timeLimit(.minutes(30))) struct ChildIdentityTests {
  private let gate = Gate()

  @Test func `replacing a child that has no id does not cancel the child's effects`() async {
    let store = Store(initialState: Plain.State()) { Parent(child: Plain()) }
    let task = store.send(.child(.work(gate, as: "a")))
    store.send(.set(Plain.State(done: ["new"])))
    gate.open()
    await task.finish()
    #expect(store.state == Plain.State(done: ["new", "a"]))
  }

  @Test func `a child enum that stays in the same case keeps its effects`() async {
    let store = Store(initialState: Modal.State.first([])) { Parent(child: Modal()) }
    let task = store.send(.child(.work(gate, as: "a")))
    store.send(.set(.first(["new"])))
    gate.open()
    await task.finish()
    #expect(store.state == .first(["new", "a"]))
  }

  @Test(arguments: [true, false])
  func `changing the case of a child enum cancels the child's effects`(
    changedByTheChild: Bool
  ) async {
    let store = Store(initialState: Modal.State.first([])) { Parent(child: Modal()) }
    let task = store.send(.child(.work(gate, as: "a")))
    store.send(changedByTheChild ? .child(.look) : .set(.second([])))
    // The gate is still closed, so only a cancellation ends the effect.
    await task.finish()
    #expect(store.state == .second([]))
    #expect(store.isIdle)
  }

  @Test func `removing a child cancels the effects of the child's own children`() async {
    let store = Store(initialState: Desk.State()) { Desk() }
    let tasks = [
      store.send(.setDesk(Desk.State(job: Job.State()))),
      store.send(.desk(.presented(.job(.presented(.work(gate, as: "a")))))),
      store.send(.setDesk(nil)),
    ]
    for task in tasks { await task.finish() }
    #expect(store.isIdle)
  }
}
