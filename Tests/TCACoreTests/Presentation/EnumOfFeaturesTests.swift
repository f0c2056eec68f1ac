import TCACore
import Testing

@Reducer
enum Stop {
  case job(Job)
  case alert(AlertState<StopAlert>)
}

@LogValue
enum StopAlert { case confirm }

@Reducer
struct Journey {
  @ObservableState
  struct State {
    @Presents var stop: Stop.State?
    var path = StackState<Stop.State>()
  }

  enum Action {
    case stop(PresentationAction<Stop.Action>)
    case path(StackActionOf<Stop>)
  }

  var body: some ReducerOf<Self> {
    EmptyReducer()
      .ifLet(\.$stop, action: \.stop)
      .forEach(\.path, action: \.path)
  }
}

/// An enum of features, presented and in a stack.
@MainActor
@Suite(.timeLimit(.minutes(30))) struct EnumOfFeaturesTests {
  @Test func `a presented feature in an enum of features dismisses itself`() async {
    let store = Store(initialState: Journey.State(stop: .job(Job.State()))) { Journey() }
    store.send(.stop(.presented(.job(.done("a")))))
    #expect(store.stop?.job?.done == ["a"])
    await store.send(.stop(.presented(.job(.close)))).finish()
    #expect(store.stop == nil)
  }

  @Test func `an alert in an enum of features closes after its action`() {
    let alert = AlertState<StopAlert> { TextState("?") }
    let store = Store(initialState: Journey.State(stop: .alert(alert))) { Journey() }
    store.send(.stop(.presented(.alert(.confirm))))
    #expect(store.stop == nil)
  }

  @Test func `an enum element of a stack pops itself and all above it`() async {
    let path: StackState<Stop.State> = [.job(Job.State()), .job(Job.State())]
    let store = Store(initialState: Journey.State(path: path)) { Journey() }
    let ids = Array(store.path.ids)
    let started = store.send(.path(.element(id: ids[0], action: .job(.done("a")))))
    await store.send(.path(.element(id: ids[0], action: .job(.close)))).finish()
    await started.finish()
    #expect(store.path.isEmpty)
    #expect(await store.becomesIdle())
  }
}
