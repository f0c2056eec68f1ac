import TCACore

/// A feature that pushes jobs.
@Reducer
struct Trip {
  @ObservableState
  struct State {
    var path = StackState<Job.State>()
    /// The ids as this reducer saw them, one entry for each action.
    var seen: [[StackElementID]] = []
    /// The results of the elements as this reducer saw them, one entry for each action.
    var seenDone: [[String]] = []
    var done: [String] = []
    var origins: [String] = []
  }

  enum Action {
    case path(StackActionOf<Job>)
    case append(Job.State)
    case remove(StackElementID)
    case removeBefore(StackElementID)
    case removeBehind(StackElementID)
    case work(Gate)
    case done
    case cancel
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      if case .removeBefore(let id) = action { state.path[id: id] = nil }
      return .none
    }
    Reduce { state, action in
      state.seen.append(Array(state.path.ids))
      state.seenDone.append(state.path.flatMap(\.done))
      switch action {
      case .append(let job): state.path.append(job)
      case .remove(let id): state.path[id: id] = nil
      case .work(let gate): return Job.work(gate) { .done }
      case .done: state.done.append("parent")
      case .cancel: return .cancel(id: Job.CancelID.work)
      case .path(.popFrom): state.origins.append(Desk.origin)
      default: break
      }
      return .none
    }
    .forEach(\.path, action: \.path) { Job() }
    Reduce { state, action in
      if case .removeBehind(let id) = action { state.path[id: id] = nil }
      return .none
    }
  }
}

extension Trip.Action {
  /// The case, for tests that use the library's own `path`.
  static var pathCase: CaseKeyPath<Trip.Action, StackActionOf<Job>> { \.path }
}
