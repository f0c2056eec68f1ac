import TCACore

/// A number that may be NaN.
@Reducer
struct Gauge {
  @ObservableState
  struct State: Equatable {
    var value = 1.0
    var readings = 0
  }

  enum Action {
    case read(Double)
    case reset
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .read(let value):
        state.value = value
        state.readings += 1
      case .reset: state.value = 0
      }
      return .none
    }
  }
}
