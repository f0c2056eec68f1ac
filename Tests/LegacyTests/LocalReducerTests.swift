import TCACore
import Testing

/// Macros cannot be attached to types inside functions, so these types get case paths by reflection.
@MainActor
@Suite("Features inside of functions")
struct LocalReducerTests {
  struct Child: Reducer {
    struct State: Equatable, Identifiable {
      var id = 0
      var count = 0
    }
    enum Action: Equatable {
      case tap
      case load
      case loaded(Int)
    }
    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .tap:
        state.count += 1
        return .none
      case .load:
        return .run { send in await send(.loaded(7)) }
      case .loaded(let count):
        state.count = count
        return .none
      }
    }
  }

  @Test func `Scope with a case path runs its child and its effects`() async {
    struct Parent: Reducer {
      struct State: Equatable { var child = Child.State() }
      enum Action: Equatable { case child(Child.Action) }
      var body: some ReducerOf<Self> {
        Scope(state: \.child, action: /Action.child) { Child() }
      }
    }
    let store = Store(initialState: Parent.State()) { Parent() }
    store.send(.child(.tap))
    #expect(store.state.child.count == 1)
    await store.send(.child(.load)).finish()
    #expect(store.state.child.count == 7)
  }

  @Test func `ifLet with a case path runs an optional child and reports an action without state`() {
    struct Parent: Reducer {
      struct State: Equatable { var child: Child.State? }
      enum Action: Equatable {
        case child(Child.Action)
        case show
      }
      var body: some ReducerOf<Self> {
        Reduce { state, action in
          if action == .show { state.child = Child.State() }
          return .none
        }
        .ifLet(\.child, action: /Action.child) { Child() }
      }
    }
    let store = Store(initialState: Parent.State()) { Parent() }
    #expect(recordingIssues { store.send(.child(.tap)) }.count == 1)
    store.send(.show)
    store.send(.child(.tap))
    #expect(store.state.child?.count == 1)
  }

  @Test func `ifLet with a case path runs and dismisses a presented child`() async {
    struct Parent: Reducer {
      struct State: Equatable { @PresentationState var child: Child.State? }
      enum Action: Equatable {
        case child(PresentationAction<Child.Action>)
        case show
      }
      var body: some ReducerOf<Self> {
        Reduce { state, action in
          if action == .show { state.child = Child.State() }
          return .none
        }
        .ifLet(\.$child, action: /Action.child) { Child() }
      }
    }
    let store = Store(initialState: Parent.State()) { Parent() }
    store.send(.show)
    store.send(.child(.presented(.tap)))
    #expect(store.state.child?.count == 1)
    store.send(.child(.dismiss))
    #expect(store.state.child == nil)
  }

  @Test func `ifLet with a case path closes an alert after its action`() {
    struct Parent: Reducer {
      enum Alert: Equatable { case confirm }
      struct State: Equatable { @PresentationState var alert: AlertState<Alert>? }
      enum Action: Equatable {
        case alert(PresentationAction<Alert>)
        case show
      }
      var body: some ReducerOf<Self> {
        Reduce { state, action in
          if action == .show { state.alert = AlertState { TextState("Sure?") } }
          return .none
        }
        .ifLet(\.$alert, action: /Action.alert)
      }
    }
    let store = Store(initialState: Parent.State()) { Parent() }
    store.send(.show)
    #expect(store.state.alert != nil)
    store.send(.alert(.presented(.confirm)))
    #expect(store.state.alert == nil)
  }

  @Test func `forEach with a case path runs rows whose actions have an id label`() async {
    struct Parent: Reducer {
      struct State: Equatable { var rows: IdentifiedArrayOf<Child.State> }
      enum Action: Equatable { case row(id: Int, action: Child.Action) }
      var body: some ReducerOf<Self> {
        EmptyReducer().forEach(\.rows, action: /Action.row(id:action:)) { Child() }
      }
    }
    let store = Store(initialState: Parent.State(rows: [.init(id: 1), .init(id: 2)])) { Parent() }
    store.send(.row(id: 2, action: .tap))
    await store.send(.row(id: 1, action: .load)).finish()
    #expect(store.state.rows.map(\.count) == [7, 1])
  }

  @Test func `forEach accepts a function reference as its element reducer`() {
    struct Parent: Reducer {
      struct State: Equatable { var rows: IdentifiedArrayOf<Child.State> }
      enum Action: Equatable { case rows(IdentifiedAction<Int, Child.Action>) }
      var body: some ReducerOf<Self> {
        EmptyReducer().forEach(\.rows, action: /Action.rows, element: Child.init)
      }
    }
    let store = Store(initialState: Parent.State(rows: [.init(id: 1)])) { Parent() }
    store.send(.rows(.element(id: 1, action: .tap)))
    #expect(store.state.rows[id: 1]?.count == 1)
  }

  @Test func `forEach with a case path runs and pops stack elements`() {
    struct Parent: Reducer {
      struct State: Equatable { var path = StackState<Child.State>() }
      enum Action: Equatable {
        case path(StackAction<Child.State, Child.Action>)
        case push
      }
      var body: some ReducerOf<Self> {
        Reduce { state, action in
          if action == .push { state.path.append(Child.State()) }
          return .none
        }
        .forEach(\.path, action: /Action.path) { Child() }
      }
    }
    let store = Store(initialState: Parent.State()) { Parent() }
    store.send(.push)
    store.send(.path(.element(id: 0, action: .tap)))
    #expect(store.state.path[id: 0]?.count == 1)
    store.send(.path(.popFrom(id: 0)))
    #expect(store.state.path.isEmpty)
  }

  @Test func `ifCaseLet with case paths runs a child and cancels its effects`() async {
    struct Parent: Reducer {
      enum State: Equatable {
        case first(Child.State)
        case second(Child.State)
      }
      enum Action: Equatable {
        case first(Child.Action)
        case second(Child.Action)
        case next
        case wait
        case waited
      }
      var body: some ReducerOf<Self> {
        Reduce { state, action in
          if action == .next { state = .second(Child.State()) }
          return .none
        }
        .ifCaseLet(/State.first, action: /Action.first) { Child() }
        .ifCaseLet(/State.second, action: /Action.second) { Child() }
      }
    }
    let store = Store(initialState: .first(Child.State())) { Parent() }
    store.send(.first(.tap))
    #expect(store.state == .first(Child.State(count: 1)))
    // The effect of a removed case is canceled before it can send.
    let task = store.send(.first(.load))
    store.send(.next)
    await task.finish()
    #expect(store.state == .second(Child.State()))
    store.send(.second(.tap))
    #expect(store.state == .second(Child.State(count: 1)))
  }

  @Test func `Scope with a case path of an enum reports an action for another case`() {
    struct Parent: Reducer {
      enum State: Equatable {
        case child(Child.State)
        case none
      }
      enum Action: Equatable { case child(Child.Action) }
      var body: some ReducerOf<Self> {
        Scope(state: /State.child, action: /Action.child) { Child() }
      }
    }
    let store = Store(initialState: .child(Child.State())) { Parent() }
    store.send(.child(.tap))
    #expect(store.state == .child(Child.State(count: 1)))
    let other = Store(initialState: .none) { Parent() }
    #expect(recordingIssues { other.send(.child(.tap)) }.count == 1)
  }

  @Test func `BindingReducer with a case path sets bindings of a view's action`() {
    struct Feature: Reducer {
      struct State: Equatable { @BindingState var name = "" }
      enum Action: Equatable {
        case view(View)
        enum View: BindableAction, Equatable { case binding(BindingAction<State>) }
      }
      var body: some ReducerOf<Self> {
        BindingReducer(action: /Action.view)
      }
    }
    let store = Store(initialState: Feature.State()) { Feature() }
    store.send(.view(.set(\.$name, "Blob")))
    #expect(store.state.name == "Blob")
  }
}
