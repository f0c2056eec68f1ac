import TCACore
import Testing

/// A method of removing a presented state.
struct Departure: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let leave: @Sendable (inout Reception.State) -> Void

  init(_ description: String, _ leave: @escaping @Sendable (inout Reception.State) -> Void) {
    testDescription = description
    self.leave = leave
  }

  static let all = [
    Departure("= nil") { $0.job = nil },
    Departure("another id") { $0.job = Job.State(id: 9) },
    Departure("= PresentationState(wrappedValue: nil)") {
      $0.$job = PresentationState(wrappedValue: nil)
    },
    Departure("$job.wrappedValue = nil") { $0.$job.wrappedValue = nil },
    Departure("the whole state, without") { $0 = Reception.State(arrived: $0.arrived) },
    Departure("the whole state, with another") {
      $0 = Reception.State(job: Job.State(id: 9), arrived: $0.arrived)
    },
  ]
}

/// A feature that presents a job.
///
/// Reducers at each position around the operator remove it.
@Reducer
struct Reception {
  @ObservableState
  struct State {
    @Presents var job: Job.State?
    var arrived: [String] = []
  }

  enum Action {
    case job(PresentationAction<Job.Action>)
    case leaveBefore(Departure)
    case leaveWithin(Departure)
    case leaveAfter(Departure)
    case look
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      if case .leaveBefore(let departure) = action { departure.leave(&state) }
      return .none
    }
    Reduce { state, action in
      if case .leaveWithin(let departure) = action { departure.leave(&state) }
      if case .job(.presented(.done(let name))) = action { state.arrived.append(name) }
      return .none
    }
    .ifLet(\.$job, action: \.job) { Job() }
    Reduce { state, action in
      if case .leaveAfter(let departure) = action { departure.leave(&state) }
      return .none
    }
  }
}

/// A feature around two receptions.
@Reducer
struct Hotel {
  @ObservableState
  struct State {
    var front = Reception.State(job: Job.State(id: 1))
    var back = Reception.State(job: Job.State(id: 2))
  }

  enum Action {
    case front(Reception.Action)
    case back(Reception.Action)
    case leave(Departure)
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      if case .leave(let departure) = action { departure.leave(&state.front) }
      return .none
    }
    Scope(\.front, action: \.front) { Reception() }
    Scope(\.back, action: \.back) { Reception() }
  }
}

/// The effects of a presented feature are canceled by any reducer and any method that removes it.
@MainActor
@Suite(.timeLimit(.minutes(30))) struct RemovedPresentationTests {
  private let gate = Gate()

  private func check(
    _ store: StoreOf<Hotel>,
    _ actions: [Hotel.Action],
    sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    let task = store.send(.front(.job(.presented(.work(gate, as: "front")))))
    let issues = await recordingIssues {
      for action in actions { store.send(action) }
      gate.open()
      await task.finish()
    }
    #expect(store.front.arrived == [], sourceLocation: sourceLocation)
    #expect(issues == [], sourceLocation: sourceLocation)
  }

  private func store() -> StoreOf<Hotel> { Store(initialState: Hotel.State()) { Hotel() } }

  @Test(arguments: Departure.all)
  func `a reducer before ifLet that removes a child cancels its effects in the same send`(
    departure: Departure
  ) async {
    await check(store(), [.front(.leaveBefore(departure))])
  }

  @Test(arguments: Departure.all)
  func `the reducer that ifLet wraps cancels a removed child's effects in the same send`(
    departure: Departure
  ) async {
    await check(store(), [.front(.leaveWithin(departure))])
  }

  @Test(arguments: Departure.all)
  func `a reducer after ifLet that removes a child cancels its effects with the next action`(
    departure: Departure
  ) async {
    await check(store(), [.front(.leaveAfter(departure)), .front(.look)])
  }

  @Test(arguments: Departure.all)
  func `a parent's parent that removes a child cancels its effects with the next action`(
    departure: Departure
  ) async {
    await check(store(), [.leave(departure), .front(.look)])
  }

  @Test func `an action of a sibling scope cancels no effects of a presented child`() async {
    let store = store()
    let task = store.send(.front(.job(.presented(.work(gate, as: "front")))))
    store.send(.back(.look))
    store.send(.front(.look))
    gate.open()
    await task.finish()
    #expect(store.front.arrived == ["front"])
  }

  @Test func `a child in a state copied from another store can dismiss itself`() async {
    let first = store()
    first.send(.front(.look))
    let second = Store(initialState: first.state) { Hotel() }
    await second.send(.front(.job(.presented(.close)))).finish()
    #expect(second.front.job == nil)
  }

  @Test func `a child that is presented again can dismiss itself again`() async {
    let store = store()
    for _ in 1...2 {
      store.send(.front(.leaveWithin(Departure("new") { $0.job = Job.State(id: 5) })))
      store.send(.leave(Departure.all[2]))
      store.send(.front(.look))
      store.send(.front(.leaveWithin(Departure("new") { $0.job = Job.State(id: 5) })))
      await store.send(.front(.job(.presented(.close)))).finish()
      #expect(store.front.job == nil)
    }
  }
}
