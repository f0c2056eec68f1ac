import TCARecorder

/// A list of 50 products.
@Reducer
struct Catalog {
  @ObservableState
  struct State: Equatable {
    var isSorted = false
    @Shared(.preferences) var preferences
    var rows = IdentifiedArray(uniqueElements: (0..<50).map { ProductRow.State(id: $0) })
  }

  enum Action {
    case sortTapped
    case rows(IdentifiedActionOf<ProductRow>)
    case delegate(Delegate)

    enum Delegate { case opened(id: Int) }
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .sortTapped:
        state.isSorted.toggle()
        return .none
      case .rows(.element(let id, .openTapped)):
        return .send(.delegate(.opened(id: id)))
      case .rows, .delegate:
        return .none
      }
    }
    .forEach(\.rows, action: \.rows) { ProductRow() }
  }
}

/// A product in the list.
@Reducer
struct ProductRow {
  @ObservableState
  struct State: Equatable, Identifiable {
    let id: Int
    var title = "a product of the catalog"
    var isLiked = false
  }

  enum Action { case likeTapped, openTapped }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      if case .likeTapped = action { state.isLiked.toggle() }
      return .none
    }
  }
}

/// A product on a screen of its own.
@Reducer
struct Product {
  @ObservableState
  struct State: Equatable {
    let id: Int
    var photo = 0
  }

  enum Action { case photoTapped, reviewsTapped }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      if case .photoTapped = action { state.photo += 1 }
      return .none
    }
  }
}

/// The reviews of a product.
@Reducer
struct Reviews {
  @ObservableState
  struct State: Equatable { var helpful = 0 }

  enum Action { case helpfulTapped, sellerTapped }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      if case .helpfulTapped = action { state.helpful += 1 }
      return .none
    }
  }
}

/// The seller of a product.
@Reducer
struct Seller {
  @ObservableState
  struct State: Equatable { var isFollowed = false }

  enum Action { case followTapped }

  var body: some ReducerOf<Self> {
    Reduce { state, _ in
      state.isFollowed.toggle()
      return .none
    }
  }
}
