import TCACore
import Testing

/// F15: a child that goes with the very action that starts its effect takes the effect with it.
@MainActor
@Suite struct LeavingTests {
  @Reducer
  struct Leaver {
    @ObservableState
    struct State {
      @Presents var job: Job.State?
      var path = StackState<Job.State>()
      var done: [String] = []
    }

    enum Action {
      case job(PresentationAction<Job.Action>)
      case path(StackActionOf<Job>)
    }

    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .job(.presented(.work)): state.job = nil
        case .path(.element(let id, .work)): state.path[id: id] = nil
        case .job(.presented(.done(let name))), .path(.element(_, .done(let name))):
          state.done.append(name)
        default: break
        }
        return .none
      }
      .ifLet(\.$job, action: \.job) { Job() }
      .forEach(\.path, action: \.path) { Job() }
    }
  }

  @Test func effectsOfTheActionThatTakesAChildAwayAreCancelled() async {
    let store = Store(
      initialState: Leaver.State(job: Job.State(), path: StackState([Job.State()]))
    ) {
      Leaver()
    }
    let gates = (presented: Gate(), pushed: Gate())
    let id = store.path.ids[0]
    store.send(.job(.presented(.work(gates.presented, as: "presented"))))
    store.send(.path(.element(id: id, action: .work(gates.pushed, as: "pushed"))))
    #expect(store.job == nil)
    #expect(store.path.isEmpty)
    gates.presented.open()
    gates.pushed.open()
    await Task.megaYield()
    #expect(store.done == [])
  }
}
