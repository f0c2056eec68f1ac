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
    case look
  }

  let seen: LockIsolated<[State]>

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      seen.withValue { $0.append(state) }
      if case .set(let new) = action { state = new }
      return .none
    }
    .ifCaseLet(\.day, action: \.day) { Job() }
    .ifCaseLet(\.night, action: \.night) { Job() }
  }
}

/// A child for each case of the state.
@MainActor
@Suite(.timeLimit(.minutes(1))) struct IfCaseLetTests {
  private let seen = LockIsolated<[Shift.State]>([])
  private let gate = Gate()

  private func store() -> StoreOf<Shift> {
    Store(initialState: .day(Job.State())) { Shift(seen: seen) }
  }

  @Test func theChildRunsFirstAndTheParentSeesItsChange() {
    store().send(.day(.done("a")))
    #expect(seen.value == [.day(Job.State(done: ["a"]))])
  }

  @Test func anActionForAnotherCaseIsAnIssueAndTheParentRuns() {
    let store = store()
    let issues = recordingIssues { _ = store.send(.night(.done("a"))) }
    #expect(issues.count == 1)
    #expect(issues.first?.contains("another case, \"day\"") == true)
    #expect(seen.value == [.day(Job.State())])
    #expect(store.state == .day(Job.State()))
  }

  @Test func leavingTheCaseCancelsItsEffects() async {
    let store = store()
    let task = store.send(.day(.work(gate, as: "a")))
    store.send(.set(.night(Job.State())))
    await task.finish()
    #expect(store.state == .night(Job.State()))
    #expect(store.isIdle)
  }

  @Test func anotherIDWithinTheCaseCancelsItsEffects() async {
    let store = store()
    let task = store.send(.day(.work(gate, as: "a")))
    store.send(.set(.day(Job.State(id: 2))))
    await task.finish()
    #expect(store.isIdle)
  }

  @Test func theSameCaseAndIDKeepsEffects() async {
    let store = store()
    let task = store.send(.day(.work(gate, as: "a")))
    store.send(.set(.day(Job.State(done: ["new"]))))
    gate.open()
    await task.finish()
    #expect(store.state == .day(Job.State(done: ["new", "a"])))
  }
}
