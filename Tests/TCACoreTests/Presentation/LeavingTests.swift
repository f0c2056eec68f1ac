import TCACore
import Testing

/// A child that is removed by the action that starts its effect also cancels the effect.
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

  @Test
  func `if an action starts an effect and removes the presented child, the effect is canceled`()
    async
  {
    let store = Store(initialState: Leaver.State(job: Job.State())) { Leaver() }
    let gate = Gate()
    store.send(.job(.presented(.work(gate, as: "presented"))))
    #expect(store.job == nil)
    gate.open()
    await Task.megaYield()
    #expect(store.done == [])
  }

  @Test
  func `if an action starts an effect and removes the stack element, the effect is canceled`()
    async
  {
    let store = Store(initialState: Leaver.State(path: StackState([Job.State()]))) { Leaver() }
    let gate = Gate()
    store.send(.path(.element(id: store.path.ids[0], action: .work(gate, as: "pushed"))))
    #expect(store.path.isEmpty)
    gate.open()
    await Task.megaYield()
    #expect(store.done == [])
  }
}
