import TCACore

/// A feature that presents a job, another desk, or one of several destinations.
@Reducer
struct Desk {
  @ObservableState
  struct State {
    @Presents var job: Job.State?
    @Presents var desk: Desk.State?
    /// The job as seen by this desk's reducer, one entry for each action.
    var seen: [Job.State?] = []
    var done: [String] = []
    var origins: [String] = []
  }

  indirect enum Action {
    case job(PresentationAction<Job.Action>)
    case desk(PresentationAction<Desk.Action>)
    case set(Job.State?)
    case setBefore(Job.State?)
    case setAfter(Job.State?)
    case setOnDismissal(Job.State)
    case setDesk(Desk.State?)
    case work(Gate)
    case done
    case cancel
  }

  /// The job that replaces a dismissed one.
  var replacement: Job.State?

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      if case .setBefore(let job) = action { state.job = job }
      return .none
    }
    Reduce { state, action in
      state.seen.append(state.job)
      switch action {
      case .job(.dismiss):
        if let replacement { state.job = replacement }
        state.origins.append(Self.origin)
      case .desk(.dismiss): state.origins.append(Self.origin)
      case .set(let job): state.job = job
      case .setDesk(let desk): state.desk = desk
      case .work(let gate): return Job.work(gate) { .done }
      case .done: state.done.append("parent")
      case .cancel: return .cancel(id: Job.CancelID.work)
      default: break
      }
      return .none
    }
    .ifLet(\.$job, action: \.job) { Job() }
    .ifLet(\.$desk, action: \.desk) { Self() }
    Reduce { state, action in
      if case .setAfter(let job) = action { state.job = job }
      return .none
    }
  }

  /// The origin of the action that is being reduced.
  static var origin: String {
    switch DependencyValues._current.storeContext?.current?.origin {
    case .effect(let tags, let via): "effect \(tags.map(\.id)) \(via ?? "")"
    case .view: "view"
    case .reentrant: "reentrant"
    case nil: "nowhere"
    }
  }
}
