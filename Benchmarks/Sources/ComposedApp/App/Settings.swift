import TCARecorder

/// The settings that several features share.
struct Preferences: Equatable, Sendable, Codable {
  var currency = "EUR"
  var orders = 0
}

extension SharedKey where Self == InMemoryKey<Preferences>.Default {
  static var preferences: Self { Self[.inMemory("preferences"), default: Preferences()] }
}

/// A form for the settings.
@Reducer
struct Settings {
  @ObservableState
  struct State: Equatable {
    var isCompact = false
    var changes = 0
    @Shared(.preferences) var preferences
  }

  enum Action: BindableAction {
    case binding(BindingAction<State>)
    case currencyTapped
  }

  var body: some ReducerOf<Self> {
    BindingReducer()
      .onChange(of: \.isCompact) { _, state in
        state.changes += 1
        return .none
      }
    Reduce { state, action in
      if case .currencyTapped = action {
        state.$preferences.withLock { $0.currency = $0.currency == "EUR" ? "USD" : "EUR" }
      }
      return .none
    }
  }
}

/// A search, whose results an effect finds.
@Reducer
struct Search {
  @ObservableState
  struct State: Equatable {
    var query = ""
    var isSearching = false
    var results: [String] = []
  }

  enum Action: BindableAction {
    case binding(BindingAction<State>)
    case searchTapped
    case found([String])
  }

  private enum CancelID { case search }

  var body: some ReducerOf<Self> {
    BindingReducer()
    Reduce { state, action in
      switch action {
      case .binding:
        return .none
      case .searchTapped:
        state.isSearching = true
        return .run { [query = state.query] send in
          await send(.found([query, query + "shade"]))
        }
        .cancellable(id: CancelID.search, cancelInFlight: true)
      case .found(let results):
        state.isSearching = false
        state.results = results
        return .none
      }
    }
  }
}
