import TCACore

/// Children that may be missing when an action for them arrives.
@Reducer
struct Screens {
  @Reducer
  struct Page {
    @ObservableState
    struct State: Equatable, Identifiable {
      var id = 0
      var taps = 0
    }

    enum Action {
      case tapped
    }

    var body: some ReducerOf<Self> {
      Reduce { state, _ in
        state.taps += 1
        return .none
      }
    }
  }

  @ObservableState
  struct State: Equatable {
    @Presents var sheet: Page.State?
    var rows: IdentifiedArrayOf<Page.State> = []
    var opened = 0
  }

  enum Action {
    case open
    case sheet(PresentationAction<Page.Action>)
    case rows(IdentifiedActionOf<Page>)
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      if case .open = action {
        state.sheet = Page.State()
        state.rows.append(Page.State(id: 1))
        state.opened += 1
      }
      return .none
    }
    .ifLet(\.$sheet, action: \.sheet) { Page() }
    .forEach(\.rows, action: \.rows) { Page() }
  }
}
