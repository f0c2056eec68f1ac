public import TCAReplaying

/// An app of ten features, and a script of 1,000 taps.
public enum TenFeatures {
  /// The number of taps in the script.
  public static let taps = 1_000

  /// Returns a function that performs one tap of the script, which repeats.
  ///
  /// The effects of a tap have ended when the function returns.
  ///
  /// - Parameter path: The path of the log to record; `nil` to record nothing.
  /// - Returns: A function whose argument is the number of previous taps.
  @MainActor
  public static func make(recordingTo path: String?) -> @MainActor (Int) -> Void {
    let store =
      if let path {
        Store(initialState: Shop.State()) { Shop().recorded(to: .file(path)) }
      } else {
        Store(initialState: Shop.State()) { Shop() }
      }
    return { step in
      store.send(script[step % script.count](store.state))
      waitUntil { !store.search.isSearching }
    }
  }

  /// The feature that replays the log of the script.
  @MainActor public static let replayed = ReplayFeature("Shop") {
    Shop()
  } initialState: {
    Shop.State()
  }

  /// Twenty taps that begin and end with an empty stack and no presented feature.
  private static let script: [@Sendable (Shop.State) -> Shop.Action] = [
    { _ in .catalog(.rows(.element(id: 3, action: .likeTapped))) },
    { _ in .catalog(.sortTapped) },
    { _ in .catalog(.rows(.element(id: 49, action: .openTapped))) },
    { path($0, .product(.photoTapped)) },
    { path($0, .product(.reviewsTapped)) },
    { path($0, .reviews(.helpfulTapped)) },
    { path($0, .reviews(.sellerTapped)) },
    { path($0, .seller(.followTapped)) },
    { _ in .cart(.addTapped) },
    { .path(.popFrom(id: $0.path.ids[0])) },
    { _ in .search(.set(\.query, "lamp")) },
    { _ in .search(.searchTapped) },
    { _ in .cart(.checkoutTapped) },
    { _ in .cart(.checkout(.presented(.set(\.name, "Blob")))) },
    { _ in .cart(.checkout(.presented(.set(\.isGift, true)))) },
    { _ in .cart(.checkout(.presented(.payTapped))) },
    { _ in .cart(.clearTapped) },
    { _ in .cart(.alert(.presented(.clearConfirmed))) },
    { _ in .settings(.set(\.isCompact, true)) },
    { _ in .settings(.currencyTapped) },
  ]

  private static func path(_ state: Shop.State, _ action: Screen.Action) -> Shop.Action {
    .path(.element(id: state.path.ids[state.path.count - 1], action: action))
  }
}

/// The root of the app.
@Reducer
struct Shop {
  @ObservableState
  struct State: Equatable {
    var catalog = Catalog.State()
    var search = Search.State()
    var cart = Cart.State()
    var settings = Settings.State()
    var path = StackState<Screen.State>()
  }

  enum Action {
    case catalog(Catalog.Action)
    case search(Search.Action)
    case cart(Cart.Action)
    case settings(Settings.Action)
    case path(StackActionOf<Screen>)
  }

  var body: some ReducerOf<Self> {
    Scope(state: \.catalog, action: \.catalog) { Catalog() }
    Scope(state: \.search, action: \.search) { Search() }
    Scope(state: \.cart, action: \.cart) { Cart() }
    Scope(state: \.settings, action: \.settings) { Settings() }
    Reduce { state, action in
      switch action {
      case .catalog(.delegate(.opened(let id))):
        state.path.append(.product(Product.State(id: id)))
      case .path(.element(_, .product(.reviewsTapped))):
        state.path.append(.reviews(Reviews.State()))
      case .path(.element(_, .reviews(.sellerTapped))):
        state.path.append(.seller(Seller.State()))
      case .catalog, .search, .cart, .settings, .path:
        break
      }
      return .none
    }
    .forEach(\.path, action: \.path)
  }
}

@Reducer
enum Screen {
  case product(Product)
  case reviews(Reviews)
  case seller(Seller)
}

extension Screen.State: Equatable {}
