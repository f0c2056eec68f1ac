import TCACore

/// A generic feature whose state and actions are declared separately.
@Reducer
struct Favoriting<ID: Hashable & Sendable> {
  var body: some Reducer<FavoritingState<ID>, FavoritingAction> {
    Reduce { state, action in
      switch action {
      case .buttonTapped:
        state.isFavorite.toggle()
        return .run { [id = state.id] send in await send(.response(.success("\(id)"))) }
      case .response(.success(let text)):
        state.saved = text
        return .none
      case .response(.failure):
        return .none
      }
    }
  }
}

@ObservableState
struct FavoritingState<ID: Hashable & Sendable>: Equatable, Identifiable {
  let id: ID
  var isFavorite = false
  var saved: String?
}

@CasePathable
enum FavoritingAction {
  case buttonTapped
  case response(Result<String, any Error>)
}

/// A feature that presents itself and has rows of itself.
@Reducer
struct Nested {
  @ObservableState
  struct State: Equatable, Identifiable {
    let id: Int
    @Presents var child: Nested.State?
    var rows: IdentifiedArrayOf<Nested.State> = []
    var name = ""
  }

  indirect enum Action {
    case child(PresentationAction<Nested.Action>)
    case rows(IdentifiedActionOf<Nested>)
    case named(String)
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      if case .named(let name) = action { state.name = name }
      return .none
    }
    .ifLet(\.$child, action: \.child) { Self() }
    .forEach(\.rows, action: \.rows) { Self() }
  }
}

/// A screen with a delegate.
@Reducer
struct Dashboard {
  @ObservableState
  struct State: Equatable { var number = 0 }

  enum Action: Equatable {
    case delegate(Delegate)
    case tap

    @CasePathable
    enum Delegate: Equatable { case chosen(Int) }
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      action == .tap ? .send(.delegate(.chosen(state.number))) : .none
    }
  }
}

/// A stack of screens whose parent reads their delegate actions.
@Reducer
struct Screens {
  @Reducer
  enum Path {
    case detail(Dashboard)
    case list(Dashboard)
  }

  @ObservableState
  struct State {
    var path = StackState<Path.State>()
    var chosen: Int?
  }

  enum Action {
    case path(StackActionOf<Path>)
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .path(.element(_, .detail(.delegate(.chosen(let number))))): state.chosen = number
      case .path(.element(id: _, action: .list(.delegate(.chosen(let number))))):
        state.chosen = -number
      case .path: break
      }
      return .none
    }
    .forEach(\.path, action: \.path)
  }
}

/// A reducer that is available only on newer platforms.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, *)
struct Newer: Reducer {
  func reduce(into state: inout [String], action: String) -> Effect<String> {
    state.append("newer \(action)")
    return .none
  }
}

/// Builders with branches by platform.
struct BySystem: Reducer {
  typealias State = [String]
  typealias Action = String

  var body: some ReducerOf<Self> {
    if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, *) {
      Newer()
    }
    if #available(macOS 9999, iOS 9999, tvOS 9999, watchOS 9999, visionOS 9999, *) {
      Reduce { state, _ in
        state.append("not yet")
        return .none
      }
    } else {
      Reduce { state, _ in
        state.append("today")
        return .none
      }
    }
  }
}
