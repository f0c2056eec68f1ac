import Foundation
import Observation
import TCARecorder

/// The work of sending actions to features that are composed by one operator each.
public enum Compositions {
  /// The work that ends with the call of `send`.
  public static let sends: [ComposedWork] = [
    ComposedWork("a plain feature") {
      let store = Store(initialState: Leaf.State()) { Leaf() }
      return { _ in store.send(.increment) }
    },
    ComposedWork("three scopes, an action of the leaf") {
      let store = Store(initialState: Top.State()) { Top() }
      return { _ in store.send(.middle(.bottom(.leaf(.increment)))) }
    },
    ComposedWork("`.send` of another action") {
      let store = Store(initialState: Sender.State()) { Sender() }
      return { _ in store.send(.tap) }
    },
    ComposedWork("a shared value is written") {
      let store = Store(initialState: Sharer.State()) { Sharer() }
      return { _ in store.send(.tap) }
    },
    ComposedWork("a stack of five, an action of its parent") {
      let store = Store(initialState: Stack.State(elements: 5)) { Stack() }
      return { _ in store.send(.tap) }
    },
    ComposedWork("a stack of one, an action of the element") {
      let store = Store(initialState: Stack.State(elements: 1)) { Stack() }
      return { [id = store.path.ids[0]] _ in
        store.send(.path(.element(id: id, action: .increment)))
      }
    },
    ComposedWork("a stack of five, an action of an element") {
      let store = Store(initialState: Stack.State(elements: 5)) { Stack() }
      return { [id = store.path.ids[2]] _ in
        store.send(.path(.element(id: id, action: .increment)))
      }
    },
    ComposedWork("50 rows, an action of their parent") {
      let store = Store(initialState: List.State(rows: 50)) { List() }
      return { _ in store.send(.tap) }
    },
    ComposedWork("50 rows, an action of one") {
      let store = Store(initialState: List.State(rows: 50)) { List() }
      return { step in store.send(.rows(.element(id: step % 50, action: .increment))) }
    },
    ComposedWork("5,000 rows, an action of one") {
      let store = Store(initialState: List.State(rows: 5_000)) { List() }
      return { step in store.send(.rows(.element(id: step % 5_000, action: .increment))) }
    },
    ComposedWork("an observed property") {
      let store = Store(initialState: Leaf.State()) { Leaf() }
      return { _ in
        withObservationTracking {
          _ = store.count
        } onChange: {
        }
        store.send(.increment)
      }
    },
    ComposedWork("`ifLet` without a child, an action of the parent") {
      let store = Store(initialState: Presenter.State()) { Presenter() }
      return { _ in store.send(.tap) }
    },
    ComposedWork("`ifLet` with a child, an action of the parent") {
      let store = Store(initialState: Presenter.State(child: Leaf.State())) { Presenter() }
      return { _ in store.send(.tap) }
    },
    ComposedWork("`ifLet` with a child, an action of the child") {
      let store = Store(initialState: Presenter.State(child: Leaf.State())) { Presenter() }
      return { _ in store.send(.child(.presented(.increment))) }
    },
    ComposedWork("`BindingReducer`, `.set`") {
      let store = Store(initialState: Form.State()) { Form() }
      return { step in store.send(.set(\.count, step)) }
    },
    ComposedWork("`ifCaseLet`, an action of the child") {
      let store = Store(initialState: Session.State.loggedIn(Leaf.State())) { Session() }
      return { _ in store.send(.loggedIn(.increment)) }
    },
  ]

  /// The work that also runs an effect to its end.
  public static let effect = ComposedWork("an effect that sends one action, to its end") {
    let store = Store(initialState: Loader.State()) { Loader() }
    return { _ in
      store.send(.load)
      waitUntil { !store.isLoading }
    }
  }
}

/// Lets the main actor perform its work until a condition holds.
@MainActor
func waitUntil(_ condition: () -> Bool) {
  while !condition() { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
}

@Reducer
struct Leaf {
  @ObservableState
  struct State: Codable, Equatable { var count = 0 }

  enum Action: Codable { case increment }

  var body: some ReducerOf<Self> {
    Reduce { state, _ in
      state.count += 1
      return .none
    }
  }
}

@Reducer
private struct Top {
  @ObservableState
  struct State { var middle = Middle.State() }

  enum Action { case middle(Middle.Action) }

  var body: some ReducerOf<Self> { Scope(state: \.middle, action: \.middle) { Middle() } }
}

@Reducer
private struct Middle {
  @ObservableState
  struct State { var bottom = Bottom.State() }

  enum Action { case bottom(Bottom.Action) }

  var body: some ReducerOf<Self> { Scope(state: \.bottom, action: \.bottom) { Bottom() } }
}

@Reducer
private struct Bottom {
  @ObservableState
  struct State { var leaf = Leaf.State() }

  enum Action { case leaf(Leaf.Action) }

  var body: some ReducerOf<Self> { Scope(state: \.leaf, action: \.leaf) { Leaf() } }
}

@Reducer
private struct Sender {
  @ObservableState
  struct State { var count = 0 }

  enum Action { case tap, increment }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .tap: return .send(.increment)
      case .increment:
        state.count += 1
        return .none
      }
    }
  }
}

@Reducer
private struct Sharer {
  @ObservableState
  struct State { @Shared(.inMemory("count")) var count = 0 }

  enum Action { case tap }

  var body: some ReducerOf<Self> {
    Reduce { state, _ in
      state.$count.withLock { $0 += 1 }
      return .none
    }
  }
}

@Reducer
private struct Stack {
  @ObservableState
  struct State {
    var count = 0
    var path = StackState<Leaf.State>()

    init(elements: Int) {
      for _ in 0..<elements { path.append(Leaf.State()) }
    }
  }

  enum Action {
    case tap
    case path(StackActionOf<Leaf>)
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      if case .tap = action { state.count += 1 }
      return .none
    }
    .forEach(\.path, action: \.path) { Leaf() }
  }
}

@Reducer
private struct List {
  @ObservableState
  struct State {
    var count = 0
    var rows: IdentifiedArrayOf<Row.State> = []

    init(rows count: Int) {
      rows = IdentifiedArray(uniqueElements: (0..<count).map { Row.State(id: $0) })
    }
  }

  enum Action {
    case tap
    case rows(IdentifiedActionOf<Row>)
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      if case .tap = action { state.count += 1 }
      return .none
    }
    .forEach(\.rows, action: \.rows) { Row() }
  }
}

@Reducer
struct Row {
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

@Reducer
private struct Presenter {
  @ObservableState
  struct State {
    var count = 0
    @Presents var child: Leaf.State?
  }

  enum Action {
    case tap
    case child(PresentationAction<Leaf.Action>)
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      if case .tap = action { state.count += 1 }
      return .none
    }
    .ifLet(\.$child, action: \.child) { Leaf() }
  }
}

@Reducer
private struct Form {
  @ObservableState
  struct State { var count = 0 }

  enum Action: BindableAction { case binding(BindingAction<State>) }

  var body: some ReducerOf<Self> { BindingReducer() }
}

@Reducer
private struct Session {
  @ObservableState
  enum State {
    case loggedIn(Leaf.State)
    case loggedOut(Leaf.State)
  }

  enum Action {
    case loggedIn(Leaf.Action)
    case loggedOut(Leaf.Action)
  }

  var body: some ReducerOf<Self> {
    EmptyReducer()
      .ifCaseLet(\.loggedIn, action: \.loggedIn) { Leaf() }
      .ifCaseLet(\.loggedOut, action: \.loggedOut) { Leaf() }
  }
}

@Reducer
private struct Loader {
  @ObservableState
  struct State { var isLoading = false }

  enum Action { case load, loaded }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .load:
        state.isLoading = true
        return .run { await $0(.loaded) }
      case .loaded:
        state.isLoading = false
        return .none
      }
    }
  }
}
