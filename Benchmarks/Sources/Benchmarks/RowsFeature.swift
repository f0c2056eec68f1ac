import TCARecorder

/// A list of features, each with its own effect.
@Reducer
struct RowsFeature {
  @ObservableState
  struct State: Codable, Equatable {
    var title = "rows"
    var sum = 0
    var rows: IdentifiedArrayOf<RowFeature.State> = []
  }

  enum Action: Codable {
    case increment
    case rows(IdentifiedActionOf<RowFeature>)
    case remove(id: Int)
    case insert(id: Int, at: Int)
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .increment: state.sum += 1
      case .rows: break
      case .remove(let id): state.rows.remove(id: id)
      case .insert(let id, let index):
        state.rows.insert(RowFeature.State(id: id, title: "row"), at: index)
      }
      return .none
    }
    .forEach(\.rows, action: \.rows) { RowFeature() }
  }
}

@Reducer
struct RowFeature {
  @ObservableState
  struct State: Codable, Equatable, Identifiable, Sendable {
    let id: Int
    var title: String
    var count = 0
    var isLoading = false
  }

  enum Action: Codable {
    case increment
    case load
    case cancel
  }

  private enum CancelID { case loading }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .increment:
        state.count += 1
        return .none
      case .load:
        state.isLoading = true
        return .run { _ in try await Task.never() }.cancellable(id: CancelID.loading)
      case .cancel:
        state.isLoading = false
        return .cancel(id: CancelID.loading)
      }
    }
  }
}

extension RowsFeature.State {
  /// Creates a state with the given number of rows.
  init(rows count: Int) {
    self.init()
    rows = IdentifiedArray(
      uniqueElements: (0..<count).map {
        RowFeature.State(id: $0, title: "a row with the number \($0)")
      }
    )
  }
}
