package import ComposableArchitecture
package import ComposableRecorder

/// A count whose reducer sends actions itself.
///
/// Its state is a value, so that a search can restore it.
@Reducer @Loggable
package struct Tally {
  @ObservableState
  package struct State: Equatable {
    package var count = 0
    package var limit = 3

    package init() {}
  }

  package enum Action {
    case raised
    case checked
    case limitChanged(Int)
  }

  package init() {}

  package var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .raised:
        state.count += 1
        return .send(.checked)
      case .checked:
        if state.count > state.limit { state.count = 0 }
        return .none
      case .limitChanged(let limit):
        state.limit = limit
        return .none
      }
    }
  }
}
