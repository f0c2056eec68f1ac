import TCARecorder

/// A feature in a feature in a feature: a presented child with a list of counters.
@Reducer
struct NestedFeature {
  @ObservableState
  struct State: Codable, Equatable {
    var title = "outer"
    @Presents var list: ListFeature.State?
  }

  enum Action: Codable {
    case list(PresentationAction<ListFeature.Action>)
  }

  var body: some ReducerOf<Self> {
    EmptyReducer().ifLet(\.$list, action: \.list) { ListFeature() }
  }
}

@Reducer
struct ListFeature {
  @ObservableState
  struct State: Codable, Equatable {
    var title = "list"
    var counters: IdentifiedArrayOf<CounterFeature.State> = []
  }

  enum Action: Codable {
    case counters(IdentifiedActionOf<CounterFeature>)
  }

  var body: some ReducerOf<Self> {
    EmptyReducer().forEach(\.counters, action: \.counters) { CounterFeature() }
  }
}

@Reducer
struct CounterFeature {
  @ObservableState
  struct State: Codable, Equatable, Identifiable {
    let id: Int
    var count = 0
  }

  enum Action: Codable { case increment }

  var body: some ReducerOf<Self> {
    Reduce { state, _ in
      state.count += 1
      return .none
    }
  }
}

extension NestedFeature.State {
  /// Creates a state with the given number of counters in its child.
  init(counters count: Int) {
    self.init()
    list = ListFeature.State(
      counters: IdentifiedArray(uniqueElements: (0..<count).map { CounterFeature.State(id: $0) })
    )
  }
}
